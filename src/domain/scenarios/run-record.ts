import { blocksAcceptance, type Finding } from "./finding.ts";
import type { Criticality } from "./manifest.ts";
import type { Unobserved } from "./payload-needs.ts";
import { rollUp, type Status, type StepExecution } from "./step-status.ts";

/** A judged step as it is kept. */
export interface StepRecord {
  readonly stepId: string;
  readonly title: string;
  readonly criticality: Criticality;
  readonly dependsOn: readonly string[];
  /** Roots of its placeholders: what it takes from other steps. */
  readonly placeholderRoots: readonly string[];
  readonly carryoverInvariants: readonly string[];
  readonly questionTemplate: string;
  /** Absent if it could not be resolved. */
  readonly questionResolved?: string;
  readonly execution: StepExecution["kind"];
  readonly answerText: string;
  readonly replyType?: string;
  /** From the request to the end of the answer. */
  readonly latencyMs?: number;
  readonly status: Status;
  readonly findings: readonly Finding[];
  /** What a crash left unseen of the answer; nothing was found by it. */
  readonly unobserved?: readonly Unobserved[];
  /** Of a simulated user: one of its turns, or whether its goal was reached. */
  readonly dialogue?: "turn" | "goal";
  /** Repeats of this step ended differently. */
  readonly flaky?: boolean;
  /** How many of its repeats passed every check; absent where it was asked once. */
  readonly repeats?: { readonly passed: number; readonly of: number };
}

/** One conversation of a run. */
export interface ScenarioRecord {
  readonly scenarioId: string;
  readonly domain: string;
  readonly title: string;
  readonly sessionId?: string;
  /** Versions of the assistant that its answers showed. */
  readonly assistantVersions?: readonly string[];
  readonly steps: readonly StepRecord[];
}

/** A judged run of a pack. */
export interface PackRecord {
  readonly packId: string;
  readonly title: string;
  readonly scenarios: readonly ScenarioRecord[];
}

export function scenarioStatus(scenario: ScenarioRecord): Status {
  return rollUp(scenario.steps);
}

export function packStatus(pack: PackRecord): Status {
  return rollUp(pack.scenarios.map((scenario) => ({ status: scenarioStatus(scenario) })));
}

/** Steps that count: all but `info`. */
export function countedSteps(
  pack: PackRecord,
): readonly { readonly scenario: ScenarioRecord; readonly step: StepRecord }[] {
  return pack.scenarios.flatMap((scenario) =>
    scenario.steps
      .filter((step) => step.criticality !== "info")
      .map((step) => ({ scenario, step })),
  );
}

export function blockingFindings(step: StepRecord): readonly Finding[] {
  return step.findings.filter(blocksAcceptance);
}
