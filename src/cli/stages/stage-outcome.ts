import type { CoderStatus } from "../../domain/scenarios/coder-status.ts";
import { decideClosingGate } from "../../domain/stages/closing-gate.ts";
import type { NextAction } from "../../domain/stages/next-action.ts";
import { latest, type RunIngested, type StageHistory } from "../../domain/stages/stage-history.ts";
import type { Continued } from "../../orchestration/stages/continue-stage.ts";
import type { StageState } from "../../orchestration/stages/stage.ts";
import { type ExitCode, exitCode } from "../shell/exit-code.ts";

/** Accepted is done; a hand-off or a question needs input. */
export function codeAfterLoop({ history, terms }: StageState): ExitCode {
  if (decideClosingGate(history, terms).acceptedGate) return exitCode.accepted;
  const loop = history.findLast((event) => event.kind === "loop-finished");
  if (loop?.kind !== "loop-finished" || loop.accepted) return exitCode.notAccepted;
  return loop.status === "blocked" && !loop.requiresUserDecision
    ? exitCode.notAccepted
    : exitCode.waiting;
}

/** Clean, and nothing that was to be shown is left open. */
export function codeAfterIngest(history: StageHistory): ExitCode {
  const run = latest<RunIngested>(history, "run-ingested");
  const isClean = run !== undefined && run.openP0 + run.openP1 === 0;
  const isProven = decideClosingGate(history).unprovenRepairs.length === 0;
  return isClean && isProven ? exitCode.accepted : exitCode.notAccepted;
}

const coderCodes: { readonly [status in CoderStatus]: ExitCode } = {
  patched: exitCode.waiting,
  needs_decision: exitCode.waiting,
  no_change: exitCode.notAccepted,
  failed: exitCode.notAccepted,
  interrupted: exitCode.interrupted,
};

export function codeAfterCoder(status: CoderStatus): ExitCode {
  return coderCodes[status];
}

export function codeAfterStep({ step, state }: Continued): ExitCode {
  switch (step.kind) {
    case "write-loop-command":
    case "prepare-and-dry-run":
    case "dry-run-repair":
      return exitCode.accepted;
    case "execute-repair": {
      const last = state.history.at(-1);
      return last?.kind === "repair-executed" ? codeAfterCoder(last.coderStatus) : exitCode.waiting;
    }
    case "ingest-run":
      return codeAfterIngest(state.history);
    case "wait-for-run-id":
      return exitCode.waiting;
    case "nothing":
      return codeOfNothing(step.because);
  }
}

function codeOfNothing(because: NextAction): ExitCode {
  if (because === "stage_closed") return exitCode.accepted;
  return because === "inspect_repair_result" ? exitCode.notAccepted : exitCode.waiting;
}
