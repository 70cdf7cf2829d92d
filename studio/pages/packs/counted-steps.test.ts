import { expect, it } from "vitest";
import { countedSteps } from "./counted-steps.ts";

it("counts neither an info step nor its failure, as the gate does not", () => {
  const steps = [
    { status: "accepted", criticality: "critical" },
    { status: "partial", criticality: "warning" },
    { status: "needs_exact_capability", criticality: "info" },
  ] as const;
  expect(countedSteps(steps)).toEqual({ all: 2, failed: 1 });
});
