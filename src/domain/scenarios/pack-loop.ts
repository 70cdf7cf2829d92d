import type { Status } from "./step-status.ts";
import type { VerdictReading } from "./verdict.ts";
import type { GateDecision } from "./verdict-gate.ts";

export const repairModes = ["lead-handoff", "auto-coder"] as const;
export type RepairMode = (typeof repairModes)[number];

/** One replay with its verdict; all attempts of the loop, finished hand-offs included. */
export interface PackIteration {
  readonly status: Status;
  readonly gate: GateDecision;
  readonly reading: VerdictReading;
  /** What a coder could repair. */
  readonly openTargets: number;
}

export type LoopStep =
  | { readonly kind: "accepted"; readonly nextAction: "save_or_confirm" }
  | { readonly kind: "ask-person"; readonly nextAction: "user_decision_required" }
  | { readonly kind: "blocked"; readonly nextAction: "continue_autonomous_or_fix_blocker" }
  | { readonly kind: "exhausted"; readonly nextAction: "lead_coder_repair_required" }
  | { readonly kind: "hand-off"; readonly nextAction: "lead_coder_repair_required" }
  | { readonly kind: "repair"; readonly nextAction: "run_coder_and_replay" };

/** What a loop does after its latest verdict. Only an explicit mode ever starts a coder. */
export function decideLoopStep(
  iterations: readonly PackIteration[],
  rules: { readonly maxIterations: number; readonly repairMode: RepairMode },
): LoopStep {
  const latest = iterations.at(-1);
  if (latest?.gate.accepted === true) return { kind: "accepted", nextAction: "save_or_confirm" };
  if (latest?.reading.kind === "read" && latest.reading.verdict.requiresUserDecision) {
    return { kind: "ask-person", nextAction: "user_decision_required" };
  }
  const isUnjudged = latest?.reading.kind === "void" && latest.openTargets === 0;
  if (latest?.status === "blocked" || isUnjudged) {
    return { kind: "blocked", nextAction: "continue_autonomous_or_fix_blocker" };
  }
  if (iterations.length >= rules.maxIterations) {
    return { kind: "exhausted", nextAction: "lead_coder_repair_required" };
  }
  return rules.repairMode === "auto-coder"
    ? { kind: "repair", nextAction: "run_coder_and_replay" }
    : { kind: "hand-off", nextAction: "lead_coder_repair_required" };
}

/** What a loop is given where its caller says nothing else. */
export const loopDefaults = { targetScore: 80, maxIterations: 6 };
