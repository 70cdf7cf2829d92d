import type { Status } from "./step-status.ts";

/** `gate_not_passed`: every step is accepted, and still something else keeps the run from being. */
export type RunOutcome = Status | "gate_not_passed";

/** How a finished run of questions ended, in the one word that every list, page and command uses. */
export function runOutcome(run: {
  readonly accepted: boolean;
  readonly finalStatus: Status;
}): RunOutcome {
  if (run.accepted) return "accepted";
  return run.finalStatus === "accepted" ? "gate_not_passed" : run.finalStatus;
}

/** As people read it, and how good it is. */
export const RUN_OUTCOMES: {
  readonly [outcome in RunOutcome]: {
    readonly words: string;
    readonly tone: "good" | "wait" | "bad";
  };
} = {
  accepted: { words: "accepted", tone: "good" },
  gate_not_passed: { words: "gate not passed", tone: "wait" },
  partial: { words: "partial", tone: "wait" },
  needs_exact_capability: { words: "needs a capability", tone: "wait" },
  blocked: { words: "blocked", tone: "bad" },
};
