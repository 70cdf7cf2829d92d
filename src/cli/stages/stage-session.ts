import { resolve } from "node:path";
import { stageStatusToJson } from "../../contract/http/stages.ts";
import { readStageFacts } from "../../contract/stages/stage-record.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import { hasUser } from "../../orchestration/scenarios/run-pack.ts";
import type { RepairParts } from "../../orchestration/stages/run-repair.ts";
import {
  namesOf,
  type Stage,
  type StageReading,
  type StageState,
} from "../../orchestration/stages/stage.ts";
import { presentFiles, summarizeStage } from "../../orchestration/stages/stage-files.ts";
import { openStage } from "../../wiring/features/open-stage.ts";
import { readStages } from "../../wiring/features/stage-reading.ts";
import { stagePartsOf } from "../../wiring/features/stages.ts";
import type { ProjectAccess } from "../../wiring/models/runners.ts";
import { runFoldersOf } from "../../wiring/project/run-folders.ts";
import { loadTrustedCoders } from "../../wiring/settings/trust.ts";
import { projectOf } from "../packs/question-run.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { type JsonFlags, printErr, printResult } from "../shell/print.ts";
import { caution } from "../shell/styles.ts";
import { typedInRoot } from "../shell/typed-in-root.ts";
import { withProject } from "../shell/with-project.ts";
import { stageStatusLines } from "./render-stage.ts";

export interface StageFlags extends JsonFlags {
  readonly manifest: string;
  readonly assistantUrl?: string;
  readonly concurrency?: number;
  readonly userModel?: string;
}

export interface OpenedStage {
  readonly project: ProjectAccess;
  readonly stage: Stage;
  /** Digests of the coders that the user trusts in this project. */
  readonly trustedCoders: readonly string[];
}

/** The stage of the manifest. Without a flag, the assistant's address is that of the run before. */
export async function stageOf(cli: CliContext, flags: StageFlags): Promise<OpenedStage> {
  const project = await projectOf(cli, flags);
  const { assistantUrl } = flags;
  const at = { path: resolve(cli.cwd, flags.manifest), ...defined({ assistantUrl }) };
  const { settings } = project.loaded;
  const opened = openStage(project.root, settings, at);
  const isGiven = flags.userModel !== undefined && hasUser(opened.pack);
  const stage = isGiven ? { ...opened, userModel: settings.models.user.model } : opened;
  const { userFolder } = cli.environment;
  const trustedCoders = await loadTrustedCoders({ userFolder, root: project.root });
  if (assistantUrl !== undefined) return { project, stage, trustedCoders };
  const known = await readStages(
    { root: project.root, settings, environment: cli.environment },
    knownAddress(stage.folder),
  );
  const remembered = known === undefined ? stage : { ...stage, assistantUrl: known };
  return { project, stage: remembered, trustedCoders };
}

function knownAddress(folder: string) {
  return async ({ store }: StageReading): Promise<string | undefined> => {
    const row = await store?.read(({ stages }) => stages.load(folder));
    return row && readStageFacts(row.facts).assistantUrl;
  };
}

/** Opens the project for one change of the stage. Ctrl-C aborts the signal. */
export async function changeStage<T>(
  cli: CliContext,
  { project }: OpenedStage,
  work: (parts: RepairParts, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const flags = { quiet: true };
  return withProject(cli, { ...project, flags }, ({ project: opened, signal }) =>
    work(stagePartsOf(opened, cli.environment, { onOrphan: (pid) => sayOrphan(cli, pid) }), signal),
  );
}

/** Reports a process that was ended without being asked for. */
export function sayOrphan(cli: CliContext, pid: number): void {
  const text = `Ended a coder that had outlived its command (process ${pid}).`;
  printErr(cli, [caution(text)]);
}

/** Prints what the command did, and the state of the stage now. */
export async function showState(
  cli: CliContext,
  opened: OpenedStage,
  shown: {
    readonly flags: JsonFlags;
    readonly state: StageState;
    readonly said: readonly string[];
    readonly more?: { readonly [name: string]: Json };
  },
): Promise<void> {
  const { state, said } = shown;
  const { root } = opened.project;
  const { stage } = opened;
  const at = state.entries.at(-1)?.at ?? "";
  const reading = { folders: runFoldersOf(root) };
  const summarized = await summarizeStage(reading, { stage: namesOf(stage), state, at });
  const files = await presentFiles(reading, stage.folder, summarized.nextStepGuidance.read);
  const read = files.map(({ path }) => path);
  const guidance = { ...summarized.nextStepGuidance, read };
  const summary = { ...summarized, nextStepGuidance: guidance };
  const isAtWork = state.coderAtWork !== undefined;
  const json = { ...shown.more, ...stageStatusToJson({ said, isAtWork, ...summary }) };
  const about = { summary, said, isAtWork, folder: stage.folder, files };
  const typed = typedInRoot(cli, root);
  printResult(cli, shown.flags, json, stageStatusLines({ ...about, typed }));
}
