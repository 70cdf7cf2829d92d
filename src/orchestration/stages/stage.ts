import type { Pack } from "../../domain/scenarios/manifest.ts";
import type { StageEntry, StageHistory, StageProcess } from "../../domain/stages/stage-history.ts";
import type { StageManifest } from "../../domain/stages/stage-manifest.ts";
import { stageCommand } from "../../domain/stages/step-guidance.ts";
import { defined } from "../../domain/values/defined.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { Clock } from "../../ports/clock.ts";
import type { CrashPoints } from "../../ports/crash-points.ts";
import type { Exclusively } from "../../ports/exclusively.ts";
import type { RunFolders } from "../../ports/run-folders.ts";
import type { ExamineRun } from "../scenarios/examine-run.ts";

/** A stage as its manifest describes it. Paths are relative to the project. */
export interface Stage {
  readonly manifest: StageManifest;
  readonly manifestPath: string;
  readonly pack: Pack;
  readonly packHash: string;
  /** `…/stage_agent_loops/<stage_id>` */
  readonly folder: string;
  /** Given with the command, where it is not the project's own. */
  readonly assistantUrl?: string;
}

/** A stage as its own file names it: enough to look at it without its manifest and its pack. */
export type StageNames = Omit<Stage, "manifest" | "pack"> &
  Pick<StageManifest, "stageId" | "moduleName" | "saveAutorunOnAccept">;

export function namesOf({ manifest, pack: _, ...stage }: Stage): StageNames {
  const { stageId, moduleName, saveAutorunOnAccept } = manifest;
  return { ...stage, stageId, moduleName, saveAutorunOnAccept };
}

/** The command whose run proves the stage, at the address given now or before. */
export function replayCommand(
  { manifestPath, ...stage }: Stage,
  before?: Pick<StageState, "assistantUrl">,
): string {
  const assistantUrl = stage.assistantUrl ?? before?.assistantUrl;
  return stageCommand("run", { manifest: manifestPath, ...defined({ assistantUrl }) });
}

/** Hashes of those of these files that exist. */
export async function evidenceIn(
  { folders, digest }: StageReading,
  { folder }: Pick<Stage, "folder">,
  files: Iterable<string>,
): Promise<{ readonly [file: string]: string }> {
  const evidence: { [file: string]: string } = {};
  for (const file of files) {
    const text = await folders.read(folder, file);
    if (text !== undefined) evidence[file] = digest(text);
  }
  return evidence;
}

/** What reading a stage needs. */
export interface StageReading {
  readonly folders: RunFolders;
  readonly digest: (text: string) => string;
  readonly isAlive: (process: StageProcess) => boolean;
  /** Coders of the project that outlived the process that started them. */
  readonly orphans: () => Promise<readonly StageProcess[]>;
}

/** What changing a stage needs. */
export interface StageParts extends StageReading {
  readonly clock: Clock;
  readonly crash: CrashPoints;
  /** Ends coders that outlived the process that started them. No decision is made while one changes the code. */
  readonly endOrphans: () => Promise<void>;
  /** Held while the stage's file is read, changed and renamed, never during long work. */
  readonly exclusively: Exclusively;
  /** Derives what a pack run of the stage proves. */
  readonly examine: ExamineRun;
}

/** A new entry before it has its number and time. */
export type NewEntry = Omit<StageEntry, "number" | "at">;

/** Everything known about a stage at one moment. */
export interface StageState {
  /** The recorded entries, then those found on disk that were never recorded. */
  readonly entries: readonly StageEntry[];
  readonly unrecorded: number;
  /** The events of entries whose evidence is unchanged. */
  readonly history: StageHistory;
  readonly changedFiles: readonly string[];
  readonly openLoop?: string;
  readonly assistantUrl?: string;
  readonly savedPack?: string;
  /** The coder that runs at this moment. */
  readonly coderAtWork?: StageProcess;
}

/** The stage is not where the command found it; nothing was done. */
export class StageBusy extends WorkflowError {
  override readonly name: string = "StageBusy";
}

export function refuseWhileCoding({ coderAtWork }: StageState): void {
  if (coderAtWork === undefined) return;
  throw new StageBusy(`A coder is working on this stage (process ${coderAtWork.pid}).`, {
    code: "coder-at-work",
    facts: { pid: coderAtWork.pid, host: coderAtWork.host },
    hint: "Wait until it is done; `signoff stage status` shows when.",
  });
}
