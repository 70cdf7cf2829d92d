import { isStageClosed } from "./close-stage.ts";
import { type ClosingGate, decideClosingGate, type StageTerms } from "./closing-gate.ts";
import { startedRepairs } from "./repair-proof.ts";
import type { RepairExecuted, RepairStarted, StageEvent, StageHistory } from "./stage-history.ts";

/** Every next action, with what it asks of the person; the table in the docs is written from this. */
export const NEXT_ACTIONS = {
  continue_autonomous_or_fix_blocker: "Run the pack loop, or remove what blocks it.",
  lead_coder_repair_required: "Repair what lead_coder_handoff.md names, then run the loop again.",
  user_decision_required: "Decide what the analyst or the coder asks.",
  continue_repair_from_gui_review_p0: "Repair the wrong or missing answers of the imported run.",
  continue_repair_from_gui_review_p1:
    "Repair the noisy or badly layered answers of the imported run.",
  execute_prepared_repair: "Read the dry run, then execute the repair.",
  rerun_and_ingest_validation:
    "Prove the repair: replay the pack or ingest a run that asks its questions.",
  inspect_repair_result: "Look at what the coder left behind.",
  manual_gui_confirmation_or_stage_close: "Check the assistant yourself, then close the stage.",
  stage_closed: "Nothing; the stage is closed.",
} as const;

/** What a stage waits for. */
export type NextAction = keyof typeof NEXT_ACTIONS;

/** A stage that has ended or was never run needs no person. */
export function waitsForPerson(action: NextAction): boolean {
  return action !== "stage_closed" && action !== "continue_autonomous_or_fix_blocker";
}

/** What the stage needs next; an unproven repair goes before everything but the run that just failed it. */
export function decideNextAction(history: StageHistory, terms: StageTerms = {}): NextAction {
  const gate = decideClosingGate(history, terms);
  if (isStageClosed(gate)) return "stage_closed";
  const last = history.findLast((event) => !isRemark(event));
  const wanted =
    last === undefined ? "continue_autonomous_or_fix_blocker" : actionAfter(last, history);
  const isClean =
    wanted === "manual_gui_confirmation_or_stage_close" ||
    wanted === "continue_autonomous_or_fix_blocker";
  if (!isClean) return wanted;
  return (
    actionForRepairs(gate) ??
    (wanted === "manual_gui_confirmation_or_stage_close" && !gate.acceptedGate
      ? actionForFindings(gate, history)
      : wanted)
  );
}

/** A start without an end is a coder that was interrupted, never a repair. */
export function latestRepair(history: StageHistory): RepairExecuted | undefined {
  const event = history.findLast(
    (one) => one.kind === "repair-started" || one.kind === "repair-executed",
  );
  return event?.kind === "repair-started"
    ? {
        kind: "repair-executed",
        iterationId: event.iterationId,
        dryRun: false,
        coderStatus: "interrupted",
        evidence: "unobserved",
      }
    : event;
}

/** Acts of people that change what counts, not what was done last. */
function isRemark({ kind }: StageEvent): boolean {
  return (
    kind === "stage-closed" ||
    kind === "stage-reopened" ||
    kind === "ruling-given" ||
    kind === "assistant-changed" ||
    kind === "findings-imported"
  );
}

function actionForRepairs({ unprovenRepairs }: ClosingGate): NextAction | undefined {
  if (unprovenRepairs.length === 0) return undefined;
  return unprovenRepairs.some(({ isClear }) => !isClear)
    ? "inspect_repair_result"
    : "rerun_and_ingest_validation";
}

/** An imported finding is repaired first; after a coder has worked on it, it has to be shown to be gone. */
function actionForFindings({ openFindings }: ClosingGate, history: StageHistory): NextAction {
  const imported = openFindings.filter(({ isImported }) => isImported);
  const [worst] = imported;
  if (worst === undefined) return "continue_autonomous_or_fix_blocker";
  const foundAt = history.findLastIndex(
    (event) =>
      (event.kind === "run-ingested" && event.runId === worst.from) ||
      (event.kind === "findings-imported" && event.from === worst.from),
  );
  if (startedRepairs(history).some(({ at }) => at > foundAt)) return "rerun_and_ingest_validation";
  return worst.severity === "P0"
    ? "continue_repair_from_gui_review_p0"
    : "continue_repair_from_gui_review_p1";
}

function actionAfter(event: StageEvent, history: StageHistory): NextAction {
  switch (event.kind) {
    case "loop-finished":
      if (event.requiresUserDecision) return "user_decision_required";
      if (event.accepted) return "manual_gui_confirmation_or_stage_close";
      return event.status === "blocked"
        ? "continue_autonomous_or_fix_blocker"
        : "lead_coder_repair_required";
    case "run-ingested":
      if (event.openP0 > 0) return "continue_repair_from_gui_review_p0";
      return event.openP1 > 0
        ? "continue_repair_from_gui_review_p1"
        : "manual_gui_confirmation_or_stage_close";
    case "repair-prepared":
      return "execute_prepared_repair";
    case "repair-started":
    case "repair-executed":
      return afterRepair(event, history);
    case "decision-given":
      if (event.choice === "stop") return "inspect_repair_result";
      return startedRepairs(history).some((repair) => !repair.isProven)
        ? "rerun_and_ingest_validation"
        : "continue_autonomous_or_fix_blocker";
    default:
      return "continue_autonomous_or_fix_blocker";
  }
}

function afterRepair(event: RepairStarted | RepairExecuted, history: StageHistory): NextAction {
  if (event.kind === "repair-executed" && event.dryRun) return "execute_prepared_repair";
  const repair = startedRepairs(history).find(({ at }) => history[at] === event);
  if (repair?.isClear !== true) return "inspect_repair_result";
  if (event.kind === "repair-started" || repair.evidence !== "intact") {
    return "rerun_and_ingest_validation";
  }
  switch (event.coderStatus) {
    case "patched":
      return "rerun_and_ingest_validation";
    case "needs_decision":
      return "user_decision_required";
    case "no_change":
    case "failed":
    case "interrupted":
      return "inspect_repair_result";
  }
}
