import type { Scenario } from "./pack-queries.ts";

type Counted = Pick<Scenario["steps"][number], "status" | "criticality">;

/** The steps that decide whether a scenario is accepted, and those of them that failed; `info` steps only inform. */
export function countedSteps(steps: readonly Counted[]): {
  readonly all: number;
  readonly failed: number;
} {
  const counted = steps.filter(({ criticality }) => criticality !== "info");
  return {
    all: counted.length,
    failed: counted.filter(({ status }) => status !== "accepted").length,
  };
}
