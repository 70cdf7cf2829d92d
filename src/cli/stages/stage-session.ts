import { resolve } from "node:path";
import { stageStatusToJson } from "../../contract/http/stages.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import { hasUser } from "../../orchestration/scenarios/run-pack.ts";
import type { RepairParts } from "../../orchestration/stages/run-repair.ts";
import { namesOf, type Stage, type StageState } from "../../orchestration/stages/stage.ts";
import { presentFiles, summarizeStage } from "../../orchestration/stages/stage-files.ts";
import { openKnownStage } from "../../wiring/features/stage-reading.ts";
import { stagePartsOf } from "../../wiring/features/stages.ts";
import type { ProjectAccess } from "../../wiring/models/runners.ts";
import { runFoldersOf } from "../../wiring/project/run-folders.ts";
import { loadTrustedCoders } from "../../wiring/settings/trust.ts";
import { projectOf } from "../packs/question-run.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { type JsonFlags, printErr, printResult } from "../shell/print.ts";
import { pathsFor } from "../shell/show-path.ts";
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

/** The stage of the manifest, and who may be started for it. */
export async function stageOf(cli: CliContext, flags: StageFlags): Promise<OpenedStage> {
  const project = await projectOf(cli, flags);
  const { root, environment, loaded } = project;
  const { settings } = loaded;
  const { assistantUrl } = flags;
  const about = { path: resolve(cli.cwd, flags.manifest), ...defined({ assistantUrl }) };
  const opened = await openKnownStage({ root, environment, settings }, about);
  const isGiven = flags.userModel !== undefined && hasUser(opened.pack);
  const stage = isGiven ? { ...opened, userModel: settings.models.user.model } : opened;
  const { userFolder } = environment;
  return { project, stage, trustedCoders: await loadTrustedCoders({ userFolder, root }) };
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
  const here = { typed: typedInRoot(cli, root), shownPath: pathsFor(cli, root) };
  printResult(cli, shown.flags, json, stageStatusLines({ ...about, ...here }));
}
