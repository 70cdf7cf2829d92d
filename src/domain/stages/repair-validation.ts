import { foldText } from "../scenarios/folded-text.ts";
import type { LoopFinished, RepairPrepared, RunIngested, StageHistory } from "./stage-history.ts";

/** `scope_mismatch`: the run did not ask what the repair was about, so it proves nothing. */
export type ValidationStatus = "accepted" | "not_accepted" | "scope_mismatch";

/** A run held against one repair. */
export interface RepairValidation {
  readonly iterationId: string;
  readonly runId: string;
  readonly by: "replay" | "ingested_run";
  readonly status: ValidationStatus;
  readonly remainingP0: number;
  readonly remainingP1: number;
  /** Questions of the repair's targets that the run did not ask. */
  readonly missingQuestions: readonly string[];
}

/** A real repair that changed something, with every run that came after it. */
export interface PatchedRepair {
  readonly iterationId: string;
  /** Its place in the history; the same iteration may be run twice. */
  readonly at: number;
  readonly validations: readonly RepairValidation[];
  readonly isProven: boolean;
}

/** Every patch of the stage, not only the latest: an old unproven one still keeps the stage open. */
export function patchedRepairs(history: StageHistory): readonly PatchedRepair[] {
  return history.flatMap((event, at) => {
    if (event.kind !== "repair-executed" || event.dryRun || event.coderStatus !== "patched") {
      return [];
    }
    const plan = planOf(history, event.iterationId, at);
    const validations = history
      .slice(at + 1)
      .flatMap((later) =>
        later.kind === "loop-finished" || later.kind === "run-ingested"
          ? [validate(event.iterationId, plan, later)]
          : [],
      );
    const isProven = validations.some((validation) => validation.status === "accepted");
    return [{ iterationId: event.iterationId, at, validations, isProven }];
  });
}

/** All validations in the order of the runs, as `repair_validation_history` keeps them. */
export function validationHistory(history: StageHistory): readonly RepairValidation[] {
  return patchedRepairs(history).flatMap((repair) => repair.validations);
}

function validate(
  iterationId: string,
  plan: RepairPrepared | undefined,
  run: LoopFinished | RunIngested,
): RepairValidation {
  const base = { iterationId, remainingP0: run.openP0, remainingP1: run.openP1 };
  if (run.kind === "loop-finished") {
    const status =
      run.packHash !== plan?.packHash
        ? "scope_mismatch"
        : run.accepted
          ? "accepted"
          : "not_accepted";
    return { ...base, runId: run.loopId, by: "replay", status, missingQuestions: [] };
  }
  const asked = new Set(run.questions.map(foldText));
  const missingQuestions = (plan?.questions ?? []).filter(
    (question) => !asked.has(foldText(question)),
  );
  const covers = plan !== undefined && plan.questions.length > 0 && missingQuestions.length === 0;
  const clean = run.openP0 === 0 && run.openP1 === 0;
  const status = !covers ? "scope_mismatch" : clean ? "accepted" : "not_accepted";
  return { ...base, runId: run.runId, by: "ingested_run", status, missingQuestions };
}

/** The plan that was in force when the repair ran. Without one nothing can prove it. */
function planOf(
  history: StageHistory,
  iterationId: string,
  before: number,
): RepairPrepared | undefined {
  return history
    .slice(0, before)
    .findLast(
      (event): event is RepairPrepared =>
        event.kind === "repair-prepared" && event.iterationId === iterationId,
    );
}
