import type { Pack } from "../../domain/scenarios/manifest.ts";
import type { StageEntry, StageHistory, StageProcess } from "../../domain/stages/stage-history.ts";
import type { StageManifest } from "../../domain/stages/stage-manifest.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { Clock } from "../../ports/clock.ts";
import type { CrashPoints } from "../../ports/crash-points.ts";
import type { Exclusively } from "../../ports/exclusively.ts";
import type { RunFolders } from "../../ports/run-folders.ts";

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
export interface StageNames {
  readonly stageId: string;
  readonly moduleName: string;
  readonly saveAutorunOnAccept: boolean;
  readonly manifestPath: string;
  readonly packHash: string;
  readonly folder: string;
  readonly assistantUrl?: string;
}

export function namesOf({ manifest, pack: _, ...stage }: Stage): StageNames {
  const { stageId, moduleName, saveAutorunOnAccept } = manifest;
  return { ...stage, stageId, moduleName, saveAutorunOnAccept };
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
  /** Ends coders that outlived the process that started them; nothing is decided while one changes the code. */
  readonly endOrphans: () => Promise<void>;
  /** Held while the stage's file is read, changed and renamed, and over nothing that takes long. */
  readonly exclusively: Exclusively;
}

/** A new entry before it has its number and time. */
export type NewEntry = Omit<StageEntry, "number" | "at">;

/** Everything known about a stage at one moment. */
export interface StageState {
  /** As recorded, and after them what the disk has and nobody could record. */
  readonly entries: readonly StageEntry[];
  readonly unrecorded: number;
  /** The entries as far as their evidence still stands. */
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
  throw new StageBusy(`A coder is at work on this stage (process ${coderAtWork.pid}).`, {
    code: "coder-at-work",
    facts: { pid: coderAtWork.pid, host: coderAtWork.host },
    hint: "Wait until it is done; `signoff stage status` shows when.",
  });
}
