import { canonicalJson } from "../../domain/values/canonical-json.ts";
import { defined } from "../../domain/values/defined.ts";
import { type RunId, runId } from "../../domain/values/ids.ts";
import { isOver } from "../../domain/values/is-over.ts";
import { isObject, type Json, type JsonObject } from "../../domain/values/json.ts";
import { ConfigurationError, RunHeld } from "../../domain/values/workflow-error.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Engine } from "../../ports/engine.ts";
import type { Budget, Job } from "../../ports/flow.ts";
import type { RunFolders } from "../../ports/run-folders.ts";
import type { Holder, RunRecord } from "../../ports/run-store.ts";
import { type BegunRun, beginRun, continueRun } from "../runs/begin-run.ts";
import { findArtifact } from "./artifact-files.ts";
import { unreachableCode } from "./ask-assistant.ts";

export interface RunParts {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly folders: RunFolders;
  readonly load: (run: RunId) => Promise<RunRecord | undefined>;
  readonly newId: () => string;
  /** The process that held a run is gone. */
  readonly isDead: (holder: Holder) => boolean;
}

export interface StartRun {
  readonly kind: "pack" | "pack-loop" | "scenario";
  readonly folder: string;
  readonly input: Json;
  /** Moves an unfinished run to the archive instead of resuming it. */
  readonly fresh?: boolean;
  /** Leaves the folder in place: the new run continues the same work. */
  readonly keepFolder?: boolean;
  readonly budget?: Budget;
  readonly settings?: JsonObject;
  readonly run?: string;
}

export interface StartedRun extends BegunRun, Pick<StartRun, "kind" | "folder"> {
  /** Where an earlier run of the same folder is now. */
  readonly setAside?: string;
}

type Begun = Omit<StartedRun, "kind" | "folder">;

/** Files that may exist in a folder before its first run. */
const beforeARun: readonly string[] = [
  "question_generation_review.json",
  "question_generation_review.md",
];

/**
 * Starts a run in its folder. An unfinished run found there is resumed; a finished one is moved to the archive before
 * the first question of the new one, so that nothing is ever overwritten.
 */
export async function startRun(parts: RunParts, start: StartRun): Promise<StartedRun> {
  await parts.folders.requireWritable(start.folder);
  for (;;) {
    const started = await tryToStart(parts, start);
    const { kind, folder } = start;
    if (started !== undefined) return { ...started, kind, folder };
  }
}

/** Undefined if another process has started or finished a run in the folder since it was inspected. */
async function tryToStart(parts: RunParts, start: StartRun): Promise<Begun | undefined> {
  const { engine, folders } = parts;
  const present = await inspectFolder(folders, start.folder);
  const record = present === undefined ? undefined : await unfinishedRun(parts, present.runId);
  if (record !== undefined && start.fresh !== true && !isCorrected(record, start)) {
    refuseAnother(record, start);
    const found = await continueRun(engine, record.run, start.budget);
    return found === "gone" ? undefined : { run: record.run, continued: true };
  }
  await refuseUsedId(parts, start);
  if (record?.holder !== undefined && !parts.isDead(record.holder)) {
    const { pid } = record.holder;
    throw new RunHeld(`Process ${pid} is using ${start.folder}.`, {
      code: "run-held",
      facts: { folder: start.folder, pid },
      hint: "Wait for it to end, or stop that process first.",
    });
  }
  if (present === undefined || (start.keepFolder === true && start.fresh !== true)) {
    return submit(parts, start);
  }
  const setAside = await folders.setAside(start.folder, present.runId);
  if (setAside === undefined) {
    const now = await inspectFolder(folders, start.folder);
    if (now?.runId === present.runId) throw existsTwice(start.folder, present.runId);
    return undefined;
  }
  const submitted = await submit(parts, start);
  return submitted && { ...submitted, setAside };
}

/** The run that a folder holds; undefined where there is none. A folder of something else is refused. */
export async function inspectFolder(folders: RunFolders, folder: string) {
  const manifest = await findArtifact(folders, folder, "run_manifest.json");
  if (manifest !== undefined) return manifest;
  const names = await folders.names(folder);
  if (names.every((name) => beforeARun.includes(name))) return undefined;
  throw new ConfigurationError(`${folder} is not empty and holds no run of Signoff.`, {
    code: "folder-in-use",
    facts: { folder },
    hint: "Give another folder with --output-dir.",
  });
}

/**
 * The run if it can be resumed. The store decides, not the folder: a process can die after it has written the last file
 * and before the run has ended.
 */
export async function unfinishedRun(
  { load }: Pick<RunParts, "load">,
  id: string,
): Promise<RunRecord | undefined> {
  const record = await load(runId(id));
  return record === undefined || isOver(record) ? undefined : record;
}

/** Undefined if another process has finished a run in the folder since it was inspected. */
async function submit(parts: RunParts, start: StartRun): Promise<Begun | undefined> {
  const { engine, clock, folders, load, newId } = parts;
  const { kind, folder, input, budget, settings = {} } = start;
  let isTaken = false;
  const begun = await beginRun(engine, {
    run: runId(start.run ?? newId()),
    attempt: (await folders.countSetAside(folder)) + 1,
    jobOf: (number): Job => ({
      id: `${kind}/${folder}/${number}`,
      kind,
      input,
      settings,
      createdAt: clock.now(),
      ...defined({ budget }),
    }),
    async isWanted(run) {
      const other = await load(run);
      if (other !== undefined && isCorrected(other, start)) return false;
      if (other !== undefined && !isOver(other)) {
        refuseAnother(other, start);
        return true;
      }
      isTaken = start.keepFolder !== true && (await inspectFolder(folders, folder))?.runId === run;
      return isTaken;
    },
  });
  return isTaken ? undefined : begun;
}

/** An id names one record for good. An unfinished run of this folder is found again by its job. */
async function refuseUsedId({ load }: RunParts, { kind, folder, run }: StartRun): Promise<void> {
  const known = run === undefined ? undefined : await load(runId(run));
  if (known === undefined) return;
  if (!isOver(known) && known.job.id.startsWith(`${kind}/${folder}/`)) return;
  throw new ConfigurationError(`Run ${run} already exists.`, {
    code: "run-exists",
    facts: { run: known.run },
    hint: `Look at it with "signoff runs show ${run}", or leave out --run-id.`,
  });
}

/** An archived run was copied back. */
function existsTwice(folder: string, run: string): ConfigurationError {
  return new ConfigurationError(`Run ${run} exists both in ${folder} and in ${folder}.runs.`, {
    code: "folder-in-use",
    facts: { folder, run },
    hint: "Remove one of the two, or give another folder with --output-dir.",
  });
}

/** A wrong address or choice may be corrected: an assistant that never answered has said nothing. */
function isCorrected(record: RunRecord, { input }: StartRun): boolean {
  return wasNeverHeard(record) && canonicalJson(record.job.input) !== canonicalJson(input);
}

/** It ended because there was no assistant at its address. */
export function wasNeverHeard({ ending }: Pick<RunRecord, "ending">): boolean {
  if (ending?.kind !== "failed" || ending.error.code !== unreachableCode) return false;
  const { was_heard: wasHeard } = ending.error.facts as { readonly was_heard?: Json };
  return wasHeard === false;
}

/** Resuming with other questions or another assistant would mix two runs. */
function refuseAnother(record: RunRecord, start: StartRun): void {
  const before = record.job.input;
  if (canonicalJson(before) === canonicalJson(start.input)) return;
  const member = (value: Json, name: string): string =>
    canonicalJson(isObject(value) ? (value[name] ?? null) : null);
  const names =
    isObject(before) && isObject(start.input) ? Object.keys({ ...before, ...start.input }) : [];
  const changed = names.filter((name) => member(before, name) !== member(start.input, name));
  throw new ConfigurationError(
    `The unfinished run ${record.run} in ${start.folder} was started with other settings: ${changed.join(", ")}.`,
    {
      code: "definition-changed",
      facts: { run: record.run, changed },
      hint: "Repeat the original command, or start over with --new; the unfinished run is kept in the archive.",
    },
  );
}
