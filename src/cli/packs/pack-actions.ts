import { toWire } from "../../contract/documents/snake-case.ts";
import { comparisonToJson } from "../../contract/http/pack-comparison.ts";
import { questionReviewShape } from "../../contract/scenarios/artifact-shapes.ts";
import { deciderOf } from "../../domain/evidence/decider-of.ts";
import { loopDefaults } from "../../domain/scenarios/pack-loop.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { checkQuestions, questionFiles } from "../../orchestration/scenarios/check-questions.ts";
import { comparePackRuns } from "../../orchestration/scenarios/compare-packs.ts";
import { loopCommand, startLoopRun } from "../../orchestration/scenarios/run-loop.ts";
import { startPackRun } from "../../orchestration/scenarios/run-pack.ts";
import { type Saved, savePack } from "../../orchestration/scenarios/save-pack.ts";
import { analystsOf } from "../../wiring/features/analysts.ts";
import { examineRunFolder } from "../../wiring/features/examine-runs.ts";
import { loadPackManifest } from "../../wiring/features/manifests.ts";
import { packPartsOf, questionSettingsOf } from "../../wiring/features/pack-parts.ts";
import { publishWith } from "../../wiring/features/publish-command.ts";
import { requireQuestionModels } from "../../wiring/features/question-models.ts";
import { authorOf } from "../../wiring/project/author.ts";
import {
  folderInProject,
  folderOfStoredRun,
  runFoldersOf,
} from "../../wiring/project/run-folders.ts";
import { sha256 } from "../../wiring/project/sha256.ts";
import { clockOf } from "../../wiring/project/system-clock.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { type ExitCode, exitCode } from "../shell/exit-code.ts";
import { type JsonFlags, printResult } from "../shell/print.ts";
import { pathsFor } from "../shell/show-path.ts";
import { followQuestions } from "./follow-questions.ts";
import {
  type AssistantChangeFlags,
  type ChoiceFlags,
  choiceOf,
  folderOf,
  type ManifestFlags,
  manifestPath,
  projectOf,
  type QuestionRunFlags,
  runRequestOf,
  vouchedChange,
} from "./question-run.ts";
import { comparisonLines } from "./render-comparison.ts";
import { questionReviewLines } from "./render-question-review.ts";
import { savedLines } from "./render-saved-pack.ts";

export interface PackCheckFlags extends ManifestFlags, JsonFlags {
  readonly outputDir?: string;
}

export interface PackFlags extends QuestionRunFlags, ChoiceFlags {
  readonly repeat: number;
  readonly maxQuestions?: number;
  readonly skipQuestionReview?: boolean;
  readonly replayUsers?: boolean;
}

type PlayFlag = "repeat" | "maxQuestions" | "skipQuestionReview";

export interface LoopFlags extends PackFlags {
  readonly analyst?: string;
  readonly script?: string;
  readonly targetScore: number;
  readonly maxIterations: number;
  readonly repairMode: "lead-handoff" | "auto-coder";
  readonly coder?: readonly string[];
  readonly decide?: "continue" | "stop";
  readonly comment?: string;
  readonly by?: string;
}

export async function checkPack(cli: CliContext, flags: PackCheckFlags): Promise<void> {
  const project = await projectOf(cli, flags);
  const pack = loadPackManifest(project.root, manifestPath(cli, flags));
  const folder = folderOf(cli, project, { outputDir: flags.outputDir, id: pack.packId });
  const review = checkQuestions(pack, folder, questionSettingsOf(project.loaded.settings));
  const folders = runFoldersOf(project.root, project.loaded.guard.allow);
  await folders.requireWritable(folder);
  await folders.write(folder, questionFiles(review, pack));
  cli.end(review.rating === "weak" ? exitCode.notAccepted : exitCode.accepted);
  const json = toWire(questionReviewShape, review, { absent: "omit" });
  const shownFolder = pathsFor(cli, project.root)(folder);
  printResult(
    cli,
    flags,
    json,
    questionReviewLines(review, { title: pack.title, folder: shownFolder }),
  );
}

export async function runPackCommand(cli: CliContext, flags: PackFlags): Promise<void> {
  const project = await projectOf(cli, flags);
  const pack = loadPackManifest(project.root, manifestPath(cli, flags));
  const request = runRequestOf(cli, project, { flags, id: pack.packId });
  await requireQuestionModels(project, { pack, budget: request.budget });
  await followQuestions(cli, {
    project,
    flags,
    start: (opened) =>
      startPackRun(packPartsOf(opened, project.loaded.settings), {
        ...request,
        pack,
        ...questionsOf(flags),
        ...defined({ replayUsers: flags.replayUsers }),
      }),
  });
}

export async function loopPack(cli: CliContext, flags: LoopFlags): Promise<void> {
  const project = await projectOf(cli, flags);
  const manifest = manifestPath(cli, flags);
  const pack = loadPackManifest(project.root, manifest);
  const request = runRequestOf(cli, project, { flags, id: pack.packId });
  const { repairMode, coder, targetScore, decide } = flags;
  if (coder !== undefined && repairMode !== "auto-coder") {
    throw new ConfigurationError(`--coder is not used in repair mode ${repairMode}.`, {
      code: "flag-invalid",
      hint: "Add --repair-mode auto-coder.",
    });
  }
  if (repairMode === "auto-coder" && coder === undefined) {
    throw new ConfigurationError("--repair-mode auto-coder needs --coder.", {
      code: "coder-missing",
      hint: "Give the coder's command: --coder PROGRAM ARGUMENTS…",
    });
  }
  const { guard, settings } = project.loaded;
  if (coder !== undefined) guard.remember({ kind: "program", argv: coder, folder: project.root });
  const analysts = analystsOf(settings, settings.models.analyst.model);
  await requireQuestionModels(project, { pack, analysts, budget: request.budget });
  const decision = decide === undefined ? undefined : await decisionOf(cli, decide, flags);
  await followQuestions(cli, {
    project,
    flags,
    start: (opened) =>
      startLoopRun(packPartsOf(opened, settings), {
        ...request,
        pack,
        ...questionsOf(flags),
        ...analysts,
        targetScore,
        maxIterations: atLeastOne(flags.maxIterations, "--max-iterations"),
        repairMode,
        ...(coder === undefined ? {} : { coder: { argv: coder } }),
        validationCommand: loopCommand(manifest, request, givenFlags(flags, settings)),
        ...defined({ decision }),
      }),
  });
}

/** What the command was given, as far as a replay has to be given it again. */
function givenFlags(flags: LoopFlags, { models }: Settings) {
  const { analyst, script, userModel, targetScore, repeat } = flags;
  const isJudgeGiven = analyst !== undefined || script !== undefined;
  return {
    "--analyst": isJudgeGiven ? models.analyst.model : undefined,
    "--user-model": userModel === undefined ? undefined : models.user.model,
    "--target-score": targetScore === loopDefaults.targetScore ? undefined : targetScore,
    "--repeat": repeat === 1 ? undefined : repeat,
  };
}

async function decisionOf(cli: CliContext, choice: "continue" | "stop", flags: LoopFlags) {
  const { by } = await authorOf(cli, flags);
  const { comment } = flags;
  return { choice, by, ...defined({ comment }) };
}

export function questionsOf(flags: Pick<PackFlags, keyof ChoiceFlags | PlayFlag>) {
  const { repeat, maxQuestions, skipQuestionReview } = flags;
  return {
    choice: choiceOf(flags),
    repeat: atLeastOne(repeat, "--repeat"),
    skipQuestionReview: skipQuestionReview === true,
    ...(maxQuestions === undefined
      ? {}
      : { maxQuestions: atLeastOne(maxQuestions, "--max-questions") }),
  };
}

function atLeastOne(value: number, flag: string): number {
  if (value >= 1) return value;
  throw new ConfigurationError(`${flag} must be 1 or more.`, { code: "flag-invalid" });
}

export interface SaveFlags extends ManifestFlags, JsonFlags {
  readonly validatedRunDir?: string;
  readonly allowUnvalidated?: boolean;
  readonly unvalidatedReason?: string;
  readonly publish?: readonly string[];
}

export async function savePackCommand(cli: CliContext, flags: SaveFlags): Promise<void> {
  const { root, loaded } = await projectOf(cli, flags);
  const pack = loadPackManifest(root, manifestPath(cli, flags));
  const { validatedRunDir, unvalidatedReason, publish } = flags;
  const { environment } = cli;
  const { guard } = loaded;
  if (publish !== undefined) guard.agree({ kind: "program", argv: publish, folder: root });
  const at = { cwd: root, environment, guard: guard.allow, clock: clockOf(environment) };
  const runFolder = validatedRunDir && folderInProject(root, cli.cwd, validatedRunDir);
  const { settings } = loaded;
  const { model } = settings.models.analyst;
  const saved = await savePack(
    {
      folders: runFoldersOf(root, loaded.guard.allow),
      digest: sha256,
      examine: (folder) =>
        examineRunFolder({ root, environment: cli.environment }, settings, folder),
      ...defined({ publish: publish && publishWith(publish, at) }),
    },
    {
      pack,
      library: settings.scenarios.library,
      ...(deciderOf(model) === "model" ? { analystModel: model } : {}),
      allowUnvalidated: flags.allowUnvalidated === true,
      ...defined({ unvalidatedReason, runFolder }),
    },
  );
  const { decision, file, deciders, next, published } = saved;
  cli.end(saveCode(saved));
  const json = {
    decision: { ...decision },
    file: file ?? null,
    decided_by: [...deciders],
    next: next ?? null,
    published: published === undefined ? null : { ...published },
  };
  printResult(cli, flags, json, savedLines(saved));
}

function saveCode({ decision, published }: Saved): ExitCode {
  if (decision.kind === "refuse") return exitCode.notAccepted;
  return published?.kind === "failed" ? exitCode.outside : exitCode.accepted;
}

export async function comparePacks(
  cli: CliContext,
  [before, after]: readonly [string, string],
  flags: JsonFlags & AssistantChangeFlags,
): Promise<void> {
  const { root } = await projectOf(cli, flags);
  const folders = runFoldersOf(root);
  const folderOfRun = async (named: string): Promise<string> => {
    const folder = folderInProject(root, cli.cwd, named);
    if ((await folders.names(folder)).length > 0) return folder;
    return (await folderOfStoredRun({ root, environment: cli.environment }, named)) ?? folder;
  };
  const [left, right] = [await folderOfRun(before), await folderOfRun(after)];
  const comparison = await comparePackRuns(folders, [left, right], vouchedChange(flags));
  cli.end(comparison.worse.length > 0 ? exitCode.notAccepted : exitCode.accepted);
  printResult(cli, flags, comparisonToJson(comparison), comparisonLines(comparison));
}
