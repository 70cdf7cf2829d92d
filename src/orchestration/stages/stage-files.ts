import {
  readStageArtifact,
  type StageArtifactValue,
  writeStageArtifact,
} from "../../contract/stages/stage-artifacts.ts";
import { notByModel } from "../../domain/evidence/standing.ts";
import { decisionLine } from "../../domain/scenarios/decision-line.ts";
import { decideClosingGate } from "../../domain/stages/closing-gate.ts";
import { type ContextCapsule, describeStage } from "../../domain/stages/context-capsule.ts";
import { decideNextAction, latestRepair, NEXT_ACTIONS } from "../../domain/stages/next-action.ts";
import { type RepairValidation, validationHistory } from "../../domain/stages/repair-proof.ts";
import {
  type DecisionGiven,
  type LoopFinished,
  latest,
  type RunIngested,
} from "../../domain/stages/stage-history.ts";
import type { StageText } from "../../domain/stages/stage-manifest.ts";
import { guideNextStep, type StagePaths, stageCommand } from "../../domain/stages/step-guidance.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RecordFile } from "../../ports/record-files.ts";
import { findArtifact } from "../scenarios/artifact-files.ts";
import { blockquote, bullets, markdownPage, oneLine } from "../scenarios/markdown.ts";
import {
  namesOf,
  type Stage,
  type StageNames,
  type StageReading,
  type StageState,
  summaryName,
} from "./stage.ts";

export type StageSummary = StageArtifactValue<"stage_loop_summary.json">;
type Execution = NonNullable<StageSummary["latestRepairExecution"]>;

/** The stage's files: they show what the store holds, and nothing relies on them. */
export async function stageFiles(
  parts: Pick<StageReading, "folders">,
  about: { readonly stage: Stage; readonly state: StageState; readonly at: string },
): Promise<readonly RecordFile[]> {
  const { stage, state } = about;
  const summary = await summarizeStage(parts, { ...about, stage: namesOf(stage) });
  const { history, terms } = state;
  const rating = await questionRating(parts, stage);
  const capsule = describeStage(stage.manifest, { history, terms, questionRating: rating });
  return [
    { name: summaryName, content: writeStageArtifact(summaryName, summary) },
    { name: "stage_loop_handoff.md", content: renderStage(summary) },
    {
      name: "stage_context_capsule.json",
      content: writeStageArtifact("stage_context_capsule.json", capsule),
    },
    { name: "stage_context_capsule.md", content: renderCapsule(capsule, summary) },
  ];
}

/** Everything the summary says, computed from the history; the latest repair's own file adds its words. */
export async function summarizeStage(
  parts: Pick<StageReading, "folders">,
  about: { readonly stage: StageNames; readonly state: StageState; readonly at: string },
): Promise<StageSummary> {
  const { stage, state, at } = about;
  const { history, terms } = state;
  const gate = decideClosingGate(history, terms);
  const nextAction = decideNextAction(history, terms);
  const validations = validationHistory(history);
  const execution = await latestExecution(parts, stage, state);
  const loop = latest<LoopFinished>(history, "loop-finished");
  const run = latest<RunIngested>(history, "run-ingested");
  const { savedPack, openLoop, assistantUrl } = state;
  const paths = pathsOf(stage, state);
  const commandOf = (name: string, more: string) => stageCommand(name, paths, more);
  const asks = nextAction === "user_decision_required";
  const question = asks ? (loop?.replay?.decisionNeeded ?? execution?.decisionNeeded) : undefined;
  return {
    stageId: stage.stageId,
    moduleName: stage.moduleName,
    manifest: stage.manifestPath,
    packHash: stage.packHash,
    updatedAt: at,
    loopAcceptedGate: gate.loopAcceptedGate,
    acceptedGate: gate.acceptedGate,
    stageClosingGate: {
      status: gate.status,
      reasons: gate.reasons,
      missing: gate.missing.map(({ text, command, more }) => ({
        text,
        command: commandOf(command, more),
      })),
      ...defined({ closedBy: gate.closedBy?.confirmedBy }),
    },
    openFindings: gate.openFindings.map(({ findingId, severity, problemType, question, from }) => ({
      ...{ findingId, severity, problemType, question, from },
    })),
    ...defined({ notByModel: notByModel(gate.deciders), decisionNeeded: question }),
    nextAction,
    nextStepGuidance: guideNextStep(
      nextAction,
      { ...paths, ...defined({ givenCoder: execution?.givenCoder }) },
      gate.missing,
    ),
    saveAutorunOnAccept: stage.saveAutorunOnAccept,
    ...defined({ savedPack, latestLoop: loop?.loopId, latestImportedRun: run?.runId }),
    ...defined({ latestRepairExecution: execution, latestRepairValidation: validations.at(-1) }),
    repairValidationHistory: validations,
    changedEvidence: state.changedFiles,
    ...defined({ openLoop, assistantUrl }),
    history: state.entries.map((entry, at) => ({ ...entry, event: history[at] ?? entry.event })),
  };
}

/** Those of the files that exist, with their length, so that no reader opens a missing file or an unexpectedly long one. */
export async function presentFiles(
  { folders }: Pick<StageReading, "folders">,
  folder: string,
  paths: readonly string[],
): Promise<readonly { readonly path: string; readonly lines: number }[]> {
  const found = [];
  for (const path of paths) {
    const text = await folders.read(folder, path.slice(folder.length + 1));
    if (text !== undefined) found.push({ path, lines: text.trimEnd().split("\n").length });
  }
  return found;
}

/** The stage's real paths, for commands that can be pasted. */
function pathsOf(stage: StageNames, state: StageState): StagePaths {
  const loop = latest<LoopFinished>(state.history, "loop-finished");
  const repair = state.history.findLast((event) => event.kind === "repair-prepared");
  const assistantUrl = stage.assistantUrl ?? state.assistantUrl;
  const userModel = stage.userModel ?? state.userModel;
  return {
    manifest: stage.manifestPath,
    stageDir: stage.folder,
    ...defined({
      loopDir: loop && `${stage.folder}/domain_loops/${loop.loopId.split("/")[0]}`,
      repairDir: repair && repairFolder(stage, repair.iterationId),
      assistantUrl,
      userModel,
    }),
  };
}

/** Repairs of an automatic coder are kept with the iteration of the loop that ran it. */
export function repairFolder({ folder }: Pick<Stage, "folder">, iterationId: string): string {
  return iterationId.includes("/")
    ? `${folder}/domain_loops/${iterationId}`
    : `${folder}/repair_iterations/${iterationId}`;
}

/** What the repair's file says, with the status that the history knows: a coder without an end was interrupted. */
export async function latestExecution(
  { folders }: Pick<StageReading, "folders">,
  stage: Pick<Stage, "folder">,
  { history }: StageState,
): Promise<Execution | undefined> {
  const repair = latestRepair(history);
  if (repair === undefined) return undefined;
  const name = "repair_execution_summary.json";
  const text = await folders.read(repairFolder(stage, repair.iterationId), name);
  const { iterationId, dryRun, coderStatus } = repair;
  const known =
    text === undefined
      ? { command: [], summary: "", startedAt: "", claimedFiles: [], changedFiles: [] }
      : readStageArtifact(name, text);
  return { ...known, iterationId, dryRun, coderStatus };
}

async function questionRating({ folders }: Pick<StageReading, "folders">, { folder }: Stage) {
  return (await findArtifact(folders, folder, "question_generation_review.json"))?.rating;
}

function renderStage(summary: StageSummary): string {
  const { stageClosingGate: gate, nextStepGuidance: guidance, latestRepairExecution } = summary;
  const closed = summary.history.findLast(({ event }) => event.kind === "stage-closed")?.event;
  const decisions = decisionLines(summary.history.map(({ event }) => event));
  return markdownPage(
    `# ${oneLine(summary.moduleName)}: ${gate.status}`,
    `Next action: \`${summary.nextAction}\`. ${NEXT_ACTIONS[summary.nextAction]}`,
    bullets(gate.reasons),
    ...(summary.decisionNeeded === undefined
      ? []
      : ["# To be decided", blockquote(summary.decisionNeeded)]),
    ...(decisions.length === 0 ? [] : ["# Decided", bullets(decisions)]),
    ...(summary.openFindings.length === 0
      ? []
      : ["# Open findings", bullets(summary.openFindings.map(findingLine))]),
    summary.notByModel === undefined ? "" : `The latest loop was ${summary.notByModel}.`,
    gate.closedBy !== undefined && closed?.kind === "stage-closed"
      ? `Confirmed by ${oneLine(closed.confirmedBy)}${closed.reason === undefined ? "." : `: ${oneLine(closed.reason)}`}`
      : "",
    "# Read first",
    bullets(guidance.read),
    "# Then",
    `\`\`\`\n${guidance.commandTemplates.join("\n")}\n\`\`\``,
    ...(latestRepairExecution === undefined ? [] : renderExecution(latestRepairExecution)),
    ...(summary.latestRepairValidation === undefined
      ? []
      : renderValidation(summary.latestRepairValidation)),
    ...(summary.changedEvidence.length === 0
      ? []
      : ["# Changed after it was recorded", bullets(summary.changedEvidence)]),
  );
}

function findingLine(finding: StageSummary["openFindings"][number]): string {
  const { severity, problemType, question, from, findingId } = finding;
  return `${severity} ${problemType} (${from}): ${oneLine(question)} [${findingId}]`;
}

/** What people decided, with their comments, for everyone who works on the stage. */
export function decisionLines(
  history: readonly ({ readonly kind: string } | DecisionGiven)[],
): readonly string[] {
  return history.flatMap((event) =>
    event.kind === "decision-given" ? [decisionLine(event as DecisionGiven)] : [],
  );
}

function renderExecution(execution: Execution): readonly string[] {
  const { iterationId, dryRun, coderStatus, changedFiles, claimedFiles, code } = execution;
  return [
    "# Latest Repair Execution",
    bullets([
      `repair: ${iterationId}${dryRun ? " (dry run, no coder was started)" : ""}`,
      ...(dryRun ? [] : [`coder status: ${coderStatus}`]),
      ...(execution.tampered ?? []).map((name) => `tampered with: ${name}`),
      ...(execution.summary === "" ? [] : [`the coder says: ${execution.summary}`]),
      ...(execution.decisionNeeded === undefined
        ? []
        : [`decision needed: ${execution.decisionNeeded}`]),
      ...(dryRun ? [] : [`changed files: ${changedFiles.join(", ") || "none"}`]),
      ...(dryRun || claimedFiles.length === 0 ? [] : [`claimed files: ${claimedFiles.join(", ")}`]),
      ...(code === undefined ? [] : [`code (${code.kind}): ${code.before} → ${code.after}`]),
    ]),
  ];
}

function renderValidation(validation: RepairValidation): readonly string[] {
  const { iterationId, runId, by, status, remainingP0, remainingP1 } = validation;
  return [
    "# Latest Repair Validation",
    bullets([
      `repair ${iterationId} by ${by === "replay" ? "a replay" : "an ingested run"}: ${status}`,
      `run: ${runId}`,
      `remaining: ${remainingP0} P0, ${remainingP1} P1`,
      ...validation.missingQuestions.map((question) => `not asked: ${question}`),
    ]),
  ];
}

function renderCapsule(capsule: ContextCapsule, summary: StageSummary): string {
  const loop = summary.history.findLast(({ event }) => event.kind === "loop-finished")?.event;
  return markdownPage(
    `# ${oneLine(capsule.moduleName)} (${capsule.stageId})`,
    ...renderText("The whole", capsule.globalStage),
    ...renderText("This stage", capsule.localStage),
    "# Current state",
    bullets([
      `questions: ${capsule.questionRating ?? "not reviewed yet"}`,
      loop?.kind === "loop-finished"
        ? `latest loop: ${loop.loopId}, ${loop.status}, ${loop.accepted ? "accepted" : "not accepted"}`
        : "latest loop: none",
      ...(summary.notByModel === undefined ? [] : [`the latest loop was ${summary.notByModel}`]),
      ...(summary.decisionNeeded === undefined
        ? []
        : [`to be decided: ${oneLine(summary.decisionNeeded)}`]),
      `gate: score of ${capsule.targetScore} or more, no open P0 or P1`,
      `closing gate: ${capsule.closingStatus}`,
      ...capsule.closingReasons,
      `next action: ${capsule.nextAction}`,
      `repairs: ${capsule.repairMode}`,
    ]),
    "# How it works",
    bullets(capsule.operatingModel),
  );
}

/** What the stage promises, for its analyst; undefined where the manifest says nothing. */
export function contractOf({ manifest }: Pick<Stage, "manifest">): string | undefined {
  const { globalStage, localStage } = manifest;
  const parts = [...renderText("The whole", globalStage), ...renderText("This stage", localStage)];
  return parts.length === 0 ? undefined : parts.join("\n");
}

function renderText(title: string, text: StageText): readonly string[] {
  const list = (name: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`${name}:`, bullets(lines)];
  const parts = [
    ...(text.goal === "" ? [] : [text.goal]),
    ...list("In scope", text.inScope),
    ...list("Out of scope", text.outOfScope),
    ...list("Accepted when", text.acceptance),
  ];
  return parts.length === 0 ? [] : [`# ${title}`, ...parts];
}
