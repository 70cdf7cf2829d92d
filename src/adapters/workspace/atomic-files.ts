import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import type { CrashPoints } from "../../ports/crash-points.ts";

export interface FileToWrite {
  readonly path: string;
  readonly content: string | Uint8Array;
  /** Readable by the user alone, with the folders that are made for it. */
  readonly isPrivate?: boolean;
}

interface PreparedFile {
  readonly file: FileToWrite;
  readonly temporary: string;
}

/**
 * Writes a batch so that readers, and the state after a crash, see each file either old or new, never half written.
 * Nothing is renamed before every temporary file is on the disk; the renames then happen in the given order, so the
 * caller decides which file appears after which. Parent folders are created durably. Only the syncs run on other
 * threads, a whole batch at once, which the disk handles as one; the other steps are too small to be worth it.
 */
export async function writeFilesAtomically(
  files: readonly FileToWrite[],
  crashPoints?: CrashPoints,
): Promise<void> {
  if (files.length === 0) return;
  const mode = files.every(({ isPrivate }) => isPrivate) ? 0o700 : 0o777;
  const folders = makeFolders(
    files.map((file) => dirname(file.path)),
    mode,
  );
  const prepared = files.map((file) => ({ file, temporary: temporaryFor(file.path) }));
  try {
    for (let from = 0; from < prepared.length; from += openAtOnce) {
      await writeDurably(prepared.slice(from, from + openAtOnce));
    }
    crashPoints?.reach("files-prepared");
    for (const { file, temporary } of prepared) {
      renameSync(temporary, file.path);
      crashPoints?.reach("file-renamed");
    }
  } catch (error) {
    for (const { temporary } of prepared) rmSync(temporary, { force: true });
    throw error;
  }
  await syncFolders([...folders]);
  crashPoints?.reach("files-written");
}

/**
 * Removes temporary files that a killed process of this machine left in a folder. Those of live processes and of
 * other machines are not touched.
 */
export function removeAbandonedTemporaries(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const removed = readdirSync(folder).filter((name) => {
    const pid = temporaryPattern.exec(name)?.[1];
    return pid !== undefined && !isAlive(Number(pid));
  });
  for (const name of removed) rmSync(join(folder, name), { force: true });
  return removed;
}

const foldersRemembered = 100;

/**
 * Removes abandoned temporary files from each folder, the first time only: a folder may grow with every turn of a
 * loop, and only processes that died before this one wrote there can have left any.
 */
export function createSweeper(): (folder: string) => void {
  const swept = new Set<string>();
  return (folder) => {
    if (swept.has(folder)) return;
    if (swept.size === foldersRemembered) swept.clear();
    swept.add(folder);
    removeAbandonedTemporaries(folder);
  };
}

/** Names of temporary files, which listings leave out. */
export function isTemporaryName(name: string): boolean {
  return /^\.signoff-[0-9a-f]{8}-\d+-\d+\.tmp$/.test(basename(name));
}

const machine = createHash("sha256").update(hostname()).digest("hex").slice(0, 8);
const temporaryPattern = new RegExp(`^\\.signoff-${machine}-(\\d+)-\\d+\\.tmp$`);
let temporaries = 0;

function temporaryFor(path: string): string {
  temporaries += 1;
  return join(dirname(path), `.signoff-${machine}-${process.pid}-${temporaries}.tmp`);
}

/** Every folder whose entries change: those of the files, and the parents of folders that had to be created. */
function makeFolders(wanted: readonly string[], mode: number): ReadonlySet<string> {
  const changed = new Set<string>(wanted);
  for (const folder of new Set(wanted)) makeFolder(folder, mode, changed);
  return changed;
}

/** Without `recursive`: in a folder that takes no others, such as `/proc`, Node would retry forever. */
function makeFolder(folder: string, mode: number, changed: Set<string>): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder), mode, changed);
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  changed.add(dirname(folder));
}

/** How many files of a batch are open at once; a process has a limit. */
const openAtOnce = 32;
const synced = promisify(fsync);

/** All syncs start together: each one after a pause would have to wake a thread. */
async function writeDurably(files: readonly PreparedFile[]): Promise<void> {
  const opened: number[] = [];
  try {
    for (const { file, temporary } of files) {
      const handle = openSync(temporary, "wx", file.isPrivate === true ? 0o600 : 0o644);
      opened.push(handle);
      writeFileSync(handle, file.content);
    }
    await syncAll(opened);
  } finally {
    for (const handle of opened) closeSync(handle);
  }
}

/** Makes what was created, renamed or removed in folders survive a power cut. */
export async function syncFolders(folders: readonly string[]): Promise<void> {
  const opened: number[] = [];
  try {
    for (const folder of folders) opened.push(openSync(folder, "r"));
    await syncAll(opened);
  } finally {
    for (const handle of opened) closeSync(handle);
  }
}

/** Throws only after all have ended, so that no file is closed while it is being synced. */
async function syncAll(handles: readonly number[]): Promise<void> {
  const settled = await Promise.allSettled(handles.map((handle) => synced(handle)));
  for (const one of settled) if (one.status === "rejected") throw one.reason;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
