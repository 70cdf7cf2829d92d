import { resolve } from "node:path";
import { toWire } from "../../contract/documents/snake-case.ts";
import type { RunReport } from "../../contract/http/pack-report.ts";
import { questionReviewShape } from "../../contract/scenarios/artifact-shapes.ts";
import { defined } from "../../domain/values/defined.ts";
import { closeStage } from "../../orchestration/stages/close-stage.ts";
import { continueStage, saidOf } from "../../orchestration/stages/continue-stage.ts";
import { loadStage } from "../../orchestration/stages/load-stage.ts";
import { planStage, reviewQuestionsOf } from "../../orchestration/stages/plan-stage.ts";
import { prepareRepair, saidOfPrepared } from "../../orchestration/stages/prepare-repair.ts";
import {
  type CoderTemplate,
  dryRunRepair,
  executeRepair,
} from "../../orchestration/stages/run-repair.ts";
import { recordLoop, saidOfStart, startStageRun } from "../../orchestration/stages/run-stage.ts";
import { type StageState, termsOf } from "../../orchestration/stages/stage.ts";
import { rebuildStage } from "../../orchestration/stages/summarize-stage.ts";
import { analystOf } from "../../wiring/features/open-stage.ts";
import { packPartsOf, questionSettingsOf } from "../../wiring/features/pack-parts.ts";
import { requireQuestionModels } from "../../wiring/features/question-models.ts";
import { readStages } from "../../wiring/features/stage-reading.ts";
import { coderFor, stageRunRequest } from "../../wiring/features/stage-work.ts";
import { stagePartsOf } from "../../wiring/features/stages.ts";
import { authorOf } from "../../wiring/project/author.ts";
import { saveText } from "../../wiring/project/save-text.ts";
import {
  type EndedRun,
  playToEnd,
  questionOpening,
  sayUnfinished,
} from "../packs/follow-questions.ts";
import { questionsOf } from "../packs/pack-actions.ts";
import type { ChoiceFlags } from "../packs/question-run.ts";
import { questionReviewLines } from "../packs/render-question-review.ts";
import { reportWriter } from "../packs/report-file.ts";
import { readBudget } from "../shell/budget-flag.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { exitCode } from "../shell/exit-code.ts";
import { invalidFlag } from "../shell/flag-values.ts";
import { ownReason, ownWords } from "../shell/own-words.ts";
import { printResult } from "../shell/print.ts";
import { pathsFor } from "../shell/show-path.ts";
import { typedInRoot } from "../shell/typed-in-root.ts";
import { withProject } from "../shell/with-project.ts";
import { importedRun } from "./ingest-action.ts";
import { stagePlanLines } from "./render-stage.ts";
import { codeAfterCoder, codeAfterLoop, codeAfterStep } from "./stage-outcome.ts";
import {
  changeStage,
  type OpenedStage,
  type StageFlags,
  sayOrphan,
  showState,
  stageOf,
} from "./stage-session.ts";

export type { StageFlags };

export interface StageRunFlags extends StageFlags, Omit<ChoiceFlags, "concurrency"> {
  readonly repeat: number;
  readonly maxQuestions?: number;
  readonly budget?: string;
  readonly report?: readonly string[];
  readonly repairMode?: "lead-handoff" | "auto-coder";
  readonly coder?: readonly string[];
  readonly maxIterations?: number;
  readonly skipQuestionReview?: boolean;
  readonly new?: boolean;
  readonly decide?: "continue" | "stop";
  readonly comment?: string;
  readonly assistantChanged?: boolean;
  readonly reason?: string;
  readonly by?: string;
  readonly quiet?: boolean;
  readonly engineRunId?: string;
}

export interface CoderFlags extends StageFlags {
  readonly coder?: readonly string[];
  readonly coderSeconds?: number;
}

export interface RepairFlags extends CoderFlags {
  readonly dryRun?: boolean;
}

export interface ContinueFlags extends CoderFlags {
  readonly executeRepair?: boolean;
  readonly runId?: string;
}

export interface CloseFlags extends StageFlags {
  readonly confirmedBy?: string;
  readonly reason?: string;
}

export async function planStageCommand(cli: CliContext, flags: StageFlags): Promise<void> {
  const opened = await stageOf(cli, flags);
  const { stage, project } = opened;
  const { settings } = project.loaded;
  const questions = questionSettingsOf(settings);
  const { plan } = await changeStage(cli, opened, (parts) =>
    planStage(parts, stage, { questions, analyst: analystOf(stage, settings) }),
  );
  cli.end(plan.review.rating === "weak" ? exitCode.notAccepted : exitCode.accepted);
  const json = {
    stage_id: stage.manifest.stageId,
    command: plan.loopCommand,
    scenarios: plan.scenarios,
    questions: plan.questions,
    question_rating: plan.review.rating,
    assistant_calls: plan.assistantCalls,
    ...(plan.userCalls && { user_calls: plan.userCalls }),
    analyst: plan.analyst,
    analyst_calls: plan.analystCalls,
    micro_usd: plan.microUsd ?? null,
  };
  const folder = pathsFor(cli, project.root)(stage.folder);
  const about = { title: stage.manifest.moduleName, folder };
  const typed = typedInRoot(cli, project.root);
  printResult(cli, flags, json, stagePlanLines(plan, { ...about, typed }));
}

export async function reviewStageQuestionsCommand(
  cli: CliContext,
  flags: StageFlags,
): Promise<void> {
  const opened = await stageOf(cli, flags);
  const { stage, project } = opened;
  const review = await changeStage(cli, opened, (parts) =>
    reviewQuestionsOf(parts, stage, questionSettingsOf(project.loaded.settings)),
  );
  cli.end(review.rating === "weak" ? exitCode.notAccepted : exitCode.accepted);
  const json = toWire(questionReviewShape, review, { absent: "omit" });
  const folder = pathsFor(cli, project.root)(stage.folder);
  const about = { title: stage.pack.title, folder };
  printResult(cli, flags, json, questionReviewLines(review, about));
}

export async function runStageCommand(cli: CliContext, flags: StageRunFlags): Promise<void> {
  for (const file of flags.report ?? []) reportWriter(file);
  const opened = await stageOf(cli, flags);
  const { stage, project } = opened;
  const { settings } = project.loaded;
  const { library } = settings.scenarios;
  const request = await runRequest(cli, opened, flags);
  const { budget } = request;
  await requireQuestionModels(project, { pack: stage.pack, analysts: request, budget });
  const opening = questionOpening(cli, { project, flags });
  await withProject(cli, opening, async ({ project: engineProject, say }) => {
    const onOrphan = (pid: number): void => sayOrphan(cli, pid);
    const parts = stagePartsOf(engineProject, cli.environment, { onOrphan });
    const asked = { stage, request, library };
    const start = await startStageRun(parts, packPartsOf(engineProject, settings), asked);
    if (start.kind !== "started") {
      const isStopped = start.kind === "stopped";
      cli.end(isStopped ? exitCode.waiting : codeAfterLoop(start.state));
      const said = [saidOfStart(start.kind)];
      return await showState(cli, opened, { flags, state: start.state, said });
    }
    const ended = await playToEnd(engineProject, start.started, {
      ...{ say, shown: pathsFor(cli, project.root) },
    });
    const state = await recordLoop(parts, { stage, library });
    await showEnd(cli, opened, { flags, ...ended, state });
  });
}

async function showEnd(
  cli: CliContext,
  opened: OpenedStage,
  shown: EndedRun & {
    readonly flags: StageRunFlags;
    readonly state: StageState;
  },
): Promise<void> {
  const { flags, run, ending, report, state } = shown;
  if (report === undefined) {
    sayUnfinished(cli, run, ending);
    await showState(cli, opened, { flags, state, said: [] });
    return;
  }
  for (const file of flags.report ?? []) {
    await saveText(resolve(cli.cwd, file), reportWriter(file)(report));
  }
  cli.end(codeAfterLoop(state));
  await showState(cli, opened, { flags, state, said: saidOfReport(report) });
}

function saidOfReport({ selection }: RunReport): readonly string[] {
  if (selection === undefined) return [];
  const { questions, ofQuestions } = selection;
  return [
    `Asked ${questions} of ${ofQuestions} questions; the stage is judged by runs of all of them.`,
  ];
}

async function runRequest(cli: CliContext, opened: OpenedStage, flags: StageRunFlags) {
  const { stage } = opened;
  const { assistantUrl, maxIterations, decide, comment } = flags;
  const repairMode = flags.repairMode ?? stage.manifest.repairMode;
  requireUse(flags, repairMode);
  const budget = readBudget(flags.budget);
  const isSigned = decide !== undefined || flags.assistantChanged === true;
  const by = isSigned ? (await authorOf(cli, flags)).by : "";
  const isMoved = flags.assistantChanged === true;
  const reason = isMoved ? await ownReason(cli, flags, "Why is it the same assistant?") : "";
  return {
    ...stageRunRequest(opened.project, stage, {
      ...{ repairMode, coder: () => namedCoder(cli, opened, flags, true) },
      ...defined({ assistantUrl, maxIterations, budget }),
    }),
    ...questionsOf(flags),
    fresh: flags.new === true,
    ...defined({ run: flags.engineRunId }),
    ...(isMoved ? { assistantChanged: { by, reason } } : {}),
    ...(decide === undefined ? {} : { decision: { choice: decide, by, ...defined({ comment }) } }),
  };
}

/** A flag that would change nothing is a mistake, and is not ignored. */
function requireUse(flags: StageRunFlags, repairMode: string): void {
  if (flags.coder !== undefined && repairMode !== "auto-coder") {
    const hint =
      "Add --repair-mode auto-coder, or run this coder on a prepared repair with `stage run-repair`.";
    throw invalidFlag(`--coder is not used in repair mode ${repairMode}.`, hint);
  }
  if (flags.comment !== undefined && flags.decide === undefined) {
    throw invalidFlag("--comment belongs to a decision.", "Give --decide continue or stop.");
  }
}

function namedCoder(
  cli: CliContext,
  opened: OpenedStage,
  { coder: given, coderSeconds: seconds }: CoderFlags,
  willRun: boolean,
): CoderTemplate {
  const { stage, trustedCoders: trusted } = opened;
  const byFlag = cli.globals().trust === true;
  const use = { willRun, byFlag, trusted, ...defined({ given, seconds }) };
  return coderFor(opened.project, stage, use);
}

export async function prepareRepairCommand(cli: CliContext, flags: StageFlags): Promise<void> {
  const opened = await stageOf(cli, flags);
  const prepared = await changeStage(cli, opened, (parts) => prepareRepair(parts, opened.stage));
  const said = [saidOfPrepared(prepared)];
  await showState(cli, opened, { flags, state: prepared.state, said });
}

export async function runRepairCommand(cli: CliContext, flags: RepairFlags): Promise<void> {
  const opened = await stageOf(cli, flags);
  const { stage } = opened;
  const isDry = flags.dryRun === true;
  const coder = namedCoder(cli, opened, flags, !isDry);
  const { state, execution, commandLine } = await changeStage(cli, opened, (parts, signal) =>
    isDry ? dryRunRepair(parts, stage, { coder }) : executeRepair(parts, stage, { coder, signal }),
  );
  cli.end(isDry ? exitCode.accepted : codeAfterCoder(execution.coderStatus));
  const said = isDry
    ? [`${execution.iterationId}, dry run: nothing was started.`, commandLine]
    : [`${execution.iterationId}: the coder ended as ${execution.coderStatus}.`];
  await showState(cli, opened, { flags, state, said, more: { command_line: commandLine } });
}

/** Only reads: nothing changes. */
export async function showStage(cli: CliContext, flags: StageFlags): Promise<void> {
  const opened = await stageOf(cli, flags);
  const { root, loaded } = opened.project;
  const { folder } = opened.stage;
  const { state, orphans } = await readStages(
    { root, settings: loaded.settings, environment: cli.environment },
    async (reading) => ({
      state: await loadStage(reading, { folder, terms: termsOf(opened.stage) }),
      orphans: await reading.orphans(),
    }),
  );
  const said = [
    ...(state.endedLoops === 0
      ? []
      : ["A loop ended before it could be recorded; the next `stage run` records it."]),
    ...orphans.map(
      ({ pid }) =>
        `A coder outlived its command and is still running (process ${pid}); the next command that changes the stage ends it.`,
    ),
  ];
  await showState(cli, opened, { flags, state, said });
}

export async function continueStageCommand(cli: CliContext, flags: ContinueFlags): Promise<void> {
  const opened = await stageOf(cli, flags);
  const { stage, project } = opened;
  const { settings } = project.loaded;
  const { runId, executeRepair: mayExecute = false } = flags;
  const continued = await changeStage(cli, opened, (parts, signal) =>
    continueStage(parts, stage, {
      executeRepair: mayExecute,
      ...defined({ runId }),
      questions: questionSettingsOf(settings),
      analyst: analystOf(stage, settings),
      coder: () => namedCoder(cli, opened, flags, mayExecute),
      loadRun: (id) => importedRun(cli, opened, { runId: id }),
      signal,
    }),
  );
  cli.end(codeAfterStep(continued));
  const { state, commandLine, step } = continued;
  await showState(cli, opened, {
    flags,
    state,
    said: saidOf(continued),
    more: { step: step.kind, ...defined({ command_line: commandLine }) },
  });
}

export async function summarizeStageCommand(cli: CliContext, flags: StageFlags): Promise<void> {
  const opened = await stageOf(cli, flags);
  const state = await changeStage(cli, opened, (parts) => rebuildStage(parts, opened.stage));
  await showState(cli, opened, { flags, state, said: ["Summary and hand-offs are rebuilt."] });
}

export async function closeStageCommand(cli: CliContext, flags: CloseFlags): Promise<void> {
  const opened = await stageOf(cli, flags);
  const { reason } = flags;
  const confirmedBy = await ownWords(cli, flags.confirmedBy, {
    flag: "--confirmed-by",
    question: "Who has checked it and confirms?",
    suggestion: (await authorOf(cli, {})).by,
  });
  const { decision, state } = await changeStage(cli, opened, (parts) =>
    closeStage(parts, opened.stage, { confirmedBy, ...defined({ reason }) }),
  );
  cli.end(decision.kind === "close" ? exitCode.accepted : exitCode.notAccepted);
  const said =
    decision.kind === "close"
      ? [`Closed; confirmed by ${decision.event.confirmedBy}.`]
      : ["Not closed:", ...decision.reasons.map((reason) => `- ${reason}`)];
  await showState(cli, opened, { flags, state, said });
}
