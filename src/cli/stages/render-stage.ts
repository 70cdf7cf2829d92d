import { NEXT_ACTIONS } from "../../domain/stages/next-action.ts";
import type { StagePlan } from "../../orchestration/stages/plan-stage.ts";
import type { StageSummary } from "../../orchestration/stages/stage-files.ts";
import { renderCount } from "../shell/amounts.ts";
import type { LedLine, Line } from "../shell/lay-out.ts";
import { clipped, row, rows } from "../shell/row.ts";
import type { ShowPath } from "../shell/show-path.ts";
import { bad, heading, muted, strong } from "../shell/styles.ts";

const gateStyle = {
  closed: "good",
  ready_for_manual_confirmation: "good",
  blocked_pending_repair_validation: "bad",
  not_accepted: "caution",
  closed_evidence_lost: "bad",
} as const;

/** The state of a stage, and what to type next. */
export function stageStatusLines(about: {
  readonly summary: StageSummary;
  readonly said: readonly string[];
  readonly isAtWork: boolean;
  readonly folder: string;
  /** What to read first, as far as it exists. */
  readonly files: readonly { readonly path: string; readonly lines: number }[];
  /** Turns a command into one for the user's folder. */
  readonly typed: (command: string) => string;
  readonly shownPath: ShowPath;
}): readonly Line[] {
  const { summary, said, folder, typed, shownPath } = about;
  const { stageClosingGate: gate, nextStepGuidance: guidance } = summary;
  return [
    ...said.map((text) => whole({ lead: [], spans: [text] })),
    [
      heading(`${summary.moduleName} (${summary.stageId}): `),
      { text: gate.status, style: gateStyle[gate.status] },
    ],
    row("next", [strong(summary.nextAction)]),
    row("", [muted(NEXT_ACTIONS[summary.nextAction])]),
    gate.closedBy !== undefined && row("closed by", [gate.closedBy]),
    summary.decisionNeeded !== undefined && row("to decide", [summary.decisionNeeded]),
    ...rows("gate", gate.reasons),
    ...rows("open", findingLines(summary)).map(whole),
    row("loop", [loopText(summary)]),
    row("imported", [importedText(summary)]),
    row("coder", [coderText(summary, about.isAtWork)]),
    row("validation", [validationText(summary)]),
    summary.savedPack !== undefined && row("saved", [shownPath(summary.savedPack)]),
    ...rows(
      "changed",
      summary.changedEvidence.map((file) => bad(`${file} is not what was recorded`)),
    ),
    ...rows(
      "read",
      about.files.map(
        ({ path, lines }) => `${shownPath(path)} (${lines} ${lines === 1 ? "line" : "lines"})`,
      ),
    ).map(whole),
    ...rows("type", guidance.commandTemplates.map(typed).map(strong)).map(whole),
    muted(`Files: ${shownPath(folder)}`),
  ];
}

function whole(line: LedLine): LedLine {
  return { ...line, isWhole: true };
}

const mostFindings = 5;

function findingLines({ openFindings }: StageSummary): readonly string[] {
  const more = openFindings.length - mostFindings;
  return [
    ...openFindings
      .slice(0, mostFindings)
      .map(
        ({ severity, question, from, findingId }) =>
          `${severity} ${from}: ${clipped(question, 120)} [${findingId}]`,
      ),
    ...(more > 0 ? [`and ${more} more; --json lists them all`] : []),
  ];
}

function loopText({ history, loopAcceptedGate, notByModel }: StageSummary): string {
  const loop = history.findLast(({ event }) => event.kind === "loop-finished")?.event;
  if (loop?.kind !== "loop-finished") return "none yet";
  const verdict = loopAcceptedGate ? "passes the stage's gate" : "does not pass the stage's gate";
  const by = notByModel === undefined ? "" : `; ${notByModel}`;
  return `${loop.loopId}: ${loop.status}, ${verdict}, ${loop.openP0} P0, ${loop.openP1} P1${by}`;
}

function importedText({ history }: StageSummary): string {
  const run = history.findLast(({ event }) => event.kind === "run-ingested")?.event;
  if (run?.kind !== "run-ingested") return "none yet";
  const by = run.by === undefined ? "" : `, imported by ${run.by}`;
  const held = run.heldAt === undefined ? ", undated" : `, held at ${run.heldAt}`;
  return `${run.runId}: ${run.openP0} P0, ${run.openP1} P1${by}${held}`;
}

function coderText({ latestRepairExecution: repair }: StageSummary, isAtWork: boolean): string {
  if (repair === undefined) return "none yet";
  if (isAtWork) return `${repair.iterationId}: running since ${repair.startedAt}`;
  if (repair.dryRun) return `${repair.iterationId}: dry run only`;
  const changed = repair.changedFiles.length;
  const files = `${changed === 0 ? "no" : changed} ${changed === 1 ? "file" : "files"} changed`;
  const said = repair.summary === "" ? "" : `; ${clipped(repair.summary, 300)}`;
  const tampered = repair.tampered === undefined ? "" : ", tampered with its evidence";
  return `${repair.iterationId}: ${repair.coderStatus}${tampered}, ${files}${said}`;
}

function validationText({ latestRepairValidation: validation }: StageSummary): string {
  if (validation === undefined) return "none yet";
  const { iterationId, runId, status, remainingP0, remainingP1, missingQuestions } = validation;
  const missing =
    missingQuestions.length === 0
      ? ""
      : `; not asked: ${clipped(missingQuestions.join("; "), 300)}`;
  return `${iterationId} by ${runId}: ${status}, ${remainingP0} P0, ${remainingP1} P1 left${missing}`;
}

export function stagePlanLines(
  plan: StagePlan,
  {
    title,
    folder,
    typed,
  }: {
    readonly title: string;
    readonly folder: string;
    readonly typed: (command: string) => string;
  },
): readonly Line[] {
  const { assistantCalls, userCalls, analystCalls } = plan;
  const cost = plan.microUsd === undefined ? "unknown" : "nothing";
  return [
    heading(`${title}: what \`run\` would do`),
    row("pack", [
      `${renderCount(plan.scenarios, "scenario")}, ${renderCount(plan.questions, "question")}`,
    ]),
    row("questions", [`rated ${plan.review.rating}`]),
    row("assistant", [
      `${renderCount(assistantCalls.one, "call")} per iteration, at most ${assistantCalls.most}`,
    ]),
    userCalls &&
      row("users", [`a model plays them: at most ${renderCount(userCalls.most, "call")}`]),
    row("analyst", [`${plan.analyst}: ${analystCalls.one} to ${analystCalls.most} calls`]),
    row("cost", [`${cost} for the analyst; the assistant's own cost is not known here`]),
    whole(row("type", [strong(typed(plan.loopCommand))])),
    muted(`Files: ${folder}`),
  ];
}
