import { NEXT_ACTIONS } from "../../domain/stages/next-action.ts";
import type { StagePlan } from "../../orchestration/stages/plan-stage.ts";
import type { StageSummary } from "../../orchestration/stages/stage-files.ts";
import { type Layout, layOut, type Span } from "../shell/lay-out.ts";
import { clipped, renderRow } from "../shell/row.ts";

const gateStyle = {
  closed: "good",
  ready_for_manual_confirmation: "good",
  blocked_pending_repair_validation: "bad",
  not_accepted: "caution",
} as const;

/** Where a stage stands, and what to type. */
export function renderStageStatus(
  about: {
    readonly summary: StageSummary;
    readonly said: readonly string[];
    readonly isAtWork: boolean;
    readonly folder: string;
    /** Given when the commands have to be typed somewhere else. */
    readonly root?: string;
  },
  layout: Layout,
): readonly string[] {
  const { summary, said, folder, root } = about;
  const { stageClosingGate: gate, nextStepGuidance: guidance } = summary;
  const row = (label: string, ...spans: readonly Span[]) => renderRow(label, spans, layout);
  // Never broken by us: it is there to be copied.
  const whole = (label: string, span: Span) =>
    renderRow(label, [span], { ...layout, width: Number.POSITIVE_INFINITY });
  return [
    ...said.flatMap((text) => layOut([{ text }], { ...layout, width: Number.POSITIVE_INFINITY })),
    ...layOut(
      [
        { text: `${summary.moduleName} (${summary.stageId}): `, style: "heading" },
        { text: gate.status, style: gateStyle[gate.status] },
      ],
      layout,
    ),
    ...row("next", { text: summary.nextAction, style: "strong" }),
    ...row("", { text: NEXT_ACTIONS[summary.nextAction], style: "muted" }),
    ...gate.reasons.flatMap((text, at) => row(at === 0 ? "gate" : "", { text })),
    ...row("loop", { text: loopText(summary) }),
    ...row("imported", { text: importedText(summary) }),
    ...row("coder", { text: coderText(summary, about.isAtWork) }),
    ...row("validation", { text: validationText(summary) }),
    ...(summary.savedPack === undefined ? [] : row("saved", { text: summary.savedPack })),
    ...summary.changedEvidence.flatMap((file, at) =>
      row(at === 0 ? "changed" : "", { text: `${file} is not what was recorded`, style: "bad" }),
    ),
    ...guidance.read.flatMap((file, at) => whole(at === 0 ? "read" : "", { text: file })),
    ...guidance.commandTemplates.flatMap((text, at) =>
      whole(at === 0 ? "type" : "", { text, style: "strong" }),
    ),
    ...(root === undefined ? [] : row("", { text: `in ${root}`, style: "muted" })),
    ...layOut([{ text: `Files: ${folder}`, style: "muted" }], layout),
  ];
}

function loopText({ history, loopAcceptedGate }: StageSummary): string {
  const loop = history.findLast(({ event }) => event.kind === "loop-finished")?.event;
  if (loop?.kind !== "loop-finished") return "none yet";
  const verdict = loopAcceptedGate ? "passes the stage's gate" : "does not pass the stage's gate";
  return `${loop.loopId}: ${loop.status}, ${verdict}, ${loop.openP0} P0, ${loop.openP1} P1`;
}

function importedText({ history }: StageSummary): string {
  const run = history.findLast(({ event }) => event.kind === "run-ingested")?.event;
  if (run?.kind !== "run-ingested") return "none yet";
  return `${run.runId}: ${run.openP0} P0, ${run.openP1} P1`;
}

function coderText({ latestRepairExecution: repair }: StageSummary, isAtWork: boolean): string {
  if (repair === undefined) return "none yet";
  if (isAtWork) return `${repair.iterationId}: at work since ${repair.startedAt}`;
  if (repair.dryRun) return `${repair.iterationId}: dry run only`;
  const changed = repair.changedFiles.length;
  const some = changed === 1 ? "1 file is different" : `${changed} files are different`;
  const files = changed === 0 ? "no file is different" : some;
  const said = repair.summary === "" ? "" : `; ${clipped(repair.summary, 300)}`;
  return `${repair.iterationId}: ${repair.coderStatus}, ${files}${said}`;
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

export function renderStagePlan(
  about: { readonly plan: StagePlan; readonly title: string; readonly folder: string },
  layout: Layout,
): readonly string[] {
  const { plan, title, folder } = about;
  const { assistantCalls, analystCalls } = plan;
  const row = (label: string, text: string) => renderRow(label, [{ text }], layout);
  const cost = plan.microUsd === undefined ? "unknown" : "nothing";
  return [
    ...layOut([{ text: `${title}: what \`run\` would do`, style: "heading" }], layout),
    ...row("pack", `${plan.scenarios} scenarios, ${plan.questions} questions`),
    ...row("questions", `rated ${plan.review.rating}`),
    ...row(
      "assistant",
      `${assistantCalls.one} calls per iteration, at most ${assistantCalls.most}`,
    ),
    ...row("analyst", `${plan.analyst}: ${analystCalls.one} to ${analystCalls.most} calls`),
    ...row("cost", `${cost} for the analyst; the assistant's own is not known here`),
    ...renderRow("type", [{ text: plan.loopCommand, style: "strong" }], {
      ...layout,
      width: Number.POSITIVE_INFINITY,
    }),
    ...layOut([{ text: `Files: ${folder}`, style: "muted" }], layout),
  ];
}
