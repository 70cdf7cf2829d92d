import type { CoderRecord } from "../../contract/scenarios/coder-record.ts";
import type { StageFacts } from "../../contract/stages/stage-record.ts";
import type { Decider } from "../../domain/evidence/standing.ts";
import type { Pack } from "../../domain/scenarios/manifest.ts";
import { closingOf, type StageTerms } from "../../domain/stages/closing-gate.ts";
import type {
  LoopFinished,
  StageEntry,
  StageHistory,
  StageProcess,
} from "../../domain/stages/stage-history.ts";
import type { StageManifest } from "../../domain/stages/stage-manifest.ts";
import { stageCommand } from "../../domain/stages/step-guidance.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError, WorkflowError } from "../../domain/values/workflow-error.ts";
import type { Clock } from "../../ports/clock.ts";
import type { CrashPoints } from "../../ports/crash-points.ts";
import type { Exclusively } from "../../ports/exclusively.ts";
import type { Repos } from "../../ports/repos.ts";
import type { RunFolders } from "../../ports/run-folders.ts";
import type { Store } from "../../ports/store.ts";
import type { ExamineRun } from "../scenarios/examine-run.ts";
import type { EvidenceParts } from "../scenarios/run-evidence.ts";

export const summaryName = "stage_loop_summary.json";

/** A stage as its manifest describes it. Paths are relative to the project. */
export interface Stage {
  readonly manifest: StageManifest;
  /** Who the stage's analyst is. */
  readonly decider: Decider;
  readonly manifestPath: string;
  readonly pack: Pack;
  readonly packHash: string;
  /** `…/stage_agent_loops/<stage_id>` */
  readonly folder: string;
  /** Given with the command, where it is not the project's own. */
  readonly assistantUrl?: string;
  /** The model that plays the simulated users, given with the command. */
  readonly userModel?: string;
}

/** A stage as the store names it: enough to look at it without its manifest and its pack. */
export type StageNames = Pick<Stage, "manifestPath" | "packHash" | "folder"> &
  Pick<Stage, "assistantUrl" | "userModel"> &
  Pick<StageManifest, "stageId" | "moduleName" | "saveAutorunOnAccept">;

export function namesOf({ manifest, ...stage }: Stage): StageNames {
  const { stageId, moduleName, saveAutorunOnAccept } = manifest;
  const { manifestPath, packHash, folder, assistantUrl, userModel } = stage;
  const names = { manifestPath, packHash, folder, stageId, moduleName, saveAutorunOnAccept };
  return { ...names, ...defined({ assistantUrl, userModel }) };
}

/** What the stage demands of its latest loop. */
export function termsOf({ manifest, packHash, decider }: Stage): StageTerms {
  return { targetScore: manifest.targetScore, packHash, decider };
}

/** The command whose run proves the stage, with what was given now or before. */
export function replayCommand(
  { manifestPath, ...stage }: Stage,
  before?: Pick<StageState, "assistantUrl" | "userModel">,
): string {
  const assistantUrl = stage.assistantUrl ?? before?.assistantUrl;
  const userModel = stage.userModel ?? before?.userModel;
  return stageCommand("run", { manifest: manifestPath, ...defined({ assistantUrl, userModel }) });
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

/** The project's record, as far as reading a stage needs it. */
export interface StageRecords {
  readonly read: Store<Pick<Repos, "stages">>["read"];
  readonly runs: EvidenceParts["store"];
}

/** An iteration of a loop as this project's store knows it. */
export interface StoredReplay {
  readonly event: LoopFinished & { readonly run: string };
  readonly endedAt: string;
  /** Files of its folder that say something else than the store, by their path below the stage. */
  readonly changedFiles: readonly string[];
  /** The coder that the loop started after it. */
  readonly coder?: CoderRecord | "lost";
}

/** What reading a stage needs. */
export interface StageReading {
  /** Absent where the project has no store yet: then nothing has happened. */
  readonly store?: StageRecords;
  /** Every judged iteration of the stage's loops, derived from the project's record; oldest first. */
  readonly replays: (folder: string) => Promise<readonly StoredReplay[]>;
  readonly folders: RunFolders;
  readonly digest: (text: string) => string;
  readonly isAlive: (process: StageProcess) => boolean;
  /** Coders of the project that outlived the process that started them. */
  readonly orphans: () => Promise<readonly StageProcess[]>;
}

/** What changing a stage needs. */
export interface StageParts extends StageReading {
  readonly store: StageRecords & Pick<Store<Pick<Repos, "stages">>, "transaction">;
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
export type NewEntry = Pick<StageEntry, "event"> &
  Partial<Pick<StageEntry, "evidence" | "process">>;

/** Everything known about a stage at one moment. */
export interface StageState {
  /** The recorded entries, then those that were found and never recorded. */
  readonly entries: readonly StageEntry[];
  readonly unrecorded: number;
  /** How many loops are among the unrecorded. */
  readonly endedLoops: number;
  /** The events with what their evidence shows now. */
  readonly history: StageHistory;
  readonly terms: StageTerms;
  readonly changedFiles: readonly string[];
  /** What was noted about the stage apart from its history; absent where the store does not know it. */
  readonly facts?: StageFacts;
  readonly openLoop?: string;
  readonly assistantUrl?: string;
  readonly userModel?: string;
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

/** A closed stage stays closed: whatever would change it needs a person to reopen it first. */
export function refuseClosed(
  { manifestPath: manifest }: Pick<Stage, "manifestPath">,
  { history }: Pick<StageState, "history">,
): void {
  if (closingOf(history) === undefined) return;
  const reopen = stageCommand("reopen", { manifest });
  throw new ConfigurationError("The stage is closed.", {
    code: "stage-closed",
    hint: `Reopen it first: ${reopen}`,
  });
}
