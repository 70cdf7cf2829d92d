import { isUtf8 } from "node:buffer";
import { defined } from "../../domain/values/defined.ts";
import type { RunGit } from "./git-process.ts";

/** A markdown file of the working tree. `blobSha` is absent until dirty files are hashed. */
export interface ListedFile {
  readonly path: string;
  readonly blobSha?: string;
}

export interface SkippedFile {
  readonly path: string;
  readonly reason:
    | "symlink"
    | "submodule"
    | "name-not-utf-8"
    | "not-a-file"
    | "missing"
    | "not-lower-case"
    | "not-checked-out";
}

export interface Listing {
  readonly files: readonly ListedFile[];
  readonly skipped: readonly SkippedFile[];
}

const symlinkMode = "120000";
const submoduleMode = "160000";

/**
 * One `ls-files` distinguishes tracked, modified, deleted and untracked files. Paths are relative to the folder git
 * runs in and end in NUL, so that any file name is possible.
 */
export function listWithGit(git: RunGit, folders: readonly string[]): Promise<Buffer> {
  const kinds = [
    "--stage",
    "--cached",
    "--modified",
    "--deleted",
    "--others",
    "--exclude-standard",
  ];
  return git(["ls-files", "-z", "-v", ...kinds, "--", ...folders]);
}

/** Paths whose blob id the index does not vouch for: changed, unmerged, untracked, deleted, or not looked at by git. */
export function readUnclean(output: Buffer): readonly string[] {
  const paths = new Set<string>();
  for (const record of listedRecords(output)) {
    if (record.startsWith("H")) continue;
    const entry = readEntry(record);
    if (!("reason" in entry)) paths.add(entry.path);
  }
  return [...paths];
}

/**
 * Tags of `ls-files -v`: H cached, S not checked out, M unmerged, R removed, C changed, ? untracked. In lower case git was
 * asked to assume that the file is unchanged.
 */
export function readListing(output: Buffer): Listing {
  const found = new Map<string, string | undefined>();
  const gone = new Set<string>();
  const skipped: SkippedFile[] = [];
  for (const record of listedRecords(output)) {
    const entry = readEntry(record);
    if ("reason" in entry) {
      skipped.push(entry);
      continue;
    }
    const { tag, path, blobSha } = entry;
    if (tag === "R") gone.add(path);
    else if (tag === "H") found.set(path, found.has(path) ? found.get(path) : blobSha);
    else found.set(path, undefined);
    if (tag.toUpperCase() === "S") skipped.push({ path, reason: "not-checked-out" });
  }
  const files = [...found]
    .filter(([path]) => !gone.has(path))
    .map(([path, blobSha]) => (blobSha === undefined ? { path } : { path, blobSha }));
  return { files, skipped: uniqueByPath(skipped) };
}

/** One character per byte: git's own output is ASCII, and names are decoded one by one. */
function listedRecords(output: Buffer): readonly string[] {
  return output.toString("latin1").split("\0").slice(0, -1);
}

interface Entry {
  readonly tag: string;
  readonly path: string;
  readonly blobSha?: string;
}

function readEntry(record: string): Entry | SkippedFile {
  const tag = record.charAt(0);
  const tab = record.indexOf("\t");
  const isStaged = tag !== "?";
  const path = readName(record.slice(isStaged ? tab + 1 : 2));
  if (typeof path !== "string") return path;
  if (!isStaged) return path.endsWith("/") ? { path, reason: "submodule" } : { tag, path };
  const [mode, blobSha] = record.slice(2, tab).split(" ");
  if (mode === symlinkMode) return { path, reason: "symlink" };
  if (mode === submoduleMode) return { path, reason: "submodule" };
  return { tag, path, ...defined({ blobSha }) };
}

function readName(bytes: string): string | SkippedFile {
  if (!/[\x80-\xff]/.test(bytes)) return bytes;
  const name = Buffer.from(bytes, "latin1");
  const path = name.toString("utf8");
  return isUtf8(name) ? path : { path, reason: "name-not-utf-8" };
}

export function* splitRecords(output: Buffer): Generator<Buffer> {
  for (let start = 0; start < output.length; ) {
    const end = output.indexOf(0, start);
    yield output.subarray(start, end === -1 ? output.length : end);
    start = end === -1 ? output.length : end + 1;
  }
}

function uniqueByPath(skipped: readonly SkippedFile[]): readonly SkippedFile[] {
  return [...new Map(skipped.map((file) => [file.path, file])).values()];
}

/** One `hash-object` for all: clean filters apply, so the ids are those the files would be committed under. */
export async function hashWithGit(
  git: RunGit,
  prefix: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (paths.length === 0) return new Map();
  const input = paths.map((path) => `${quotePath(prefix + path)}\n`).join("");
  const ids = (await git(["hash-object", "--stdin-paths"], input)).toString("latin1").split("\n");
  return new Map(paths.map((path, index) => [path, ids[index] ?? ""]));
}

/** git reads one path per line, or a C string if it starts with a quotation mark. */
function quotePath(path: string): string {
  if (!/^"|[\n\r\\]/.test(path)) return path;
  const escaped = path
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r");
  return `"${escaped}"`;
}

/** Several blobs from one `cat-file --batch`; ids that git does not have are absent. */
export async function readBlobs(
  git: RunGit,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const wanted = [...new Set(ids)].filter((id) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id));
  if (wanted.length === 0) return new Map();
  const read = (some: readonly string[]) =>
    git(["cat-file", "--batch"], some.map((id) => `${id}\n`).join(""));
  const output = await read(wanted).catch(async () => {
    // In a partial clone git would fetch what it lacks, and ends because it may not.
    const all = ["cat-file", "--batch-all-objects", "--batch-check=%(objectname)"];
    const present = new Set((await git(all)).toString("latin1").split("\n"));
    return read(wanted.filter((id) => present.has(id)));
  });
  const blobs = new Map<string, Buffer>();
  for (let at = 0; at < output.length; ) {
    const newline = output.indexOf(10, at);
    if (newline === -1) break;
    const [id, type, size] = output.subarray(at, newline).toString("latin1").split(" ");
    at = newline + 1;
    if (size === undefined || id === undefined) continue;
    if (type === "blob") blobs.set(id, output.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return blobs;
}

export interface CommitState {
  /** HEAD; absent before the first commit. */
  readonly head?: string;
  /** Paths that differ from HEAD in the index or the working tree, or are untracked. */
  readonly uncommitted: ReadonlySet<string>;
}

/**
 * To see whether files in a submodule have changed, git starts itself there, with the configuration of the submodule and
 * the programs that it names. Another commit of the submodule still counts as a change.
 */
export const withoutSubmodules = "--ignore-submodules=dirty";

/** From one `git status`. */
export async function loadCommitState(
  git: RunGit,
  folders: readonly string[],
  prefix: string,
): Promise<CommitState> {
  const options = ["--porcelain=v2", "--branch", "-z", "--no-renames", "--untracked-files=all"];
  const output = await git(["status", ...options, withoutSubmodules, "--", ...folders]);
  const uncommitted = new Set<string>();
  let head: string | undefined;
  for (const record of splitRecords(output)) {
    const line = record.toString("utf8");
    if (line.startsWith("# branch.oid ")) head = line.slice("# branch.oid ".length);
    const path = pathOfStatus(line);
    if (path?.startsWith(prefix)) uncommitted.add(path.slice(prefix.length));
  }
  return { uncommitted, ...(head === undefined || head === "(initial)" ? {} : { head }) };
}

/** Fields before the path: 8 for a changed entry, 10 for an unmerged one, 1 for an untracked one. */
function pathOfStatus(line: string): string | undefined {
  const fields = { "1": 8, u: 10, "?": 1 }[line[0] ?? ""];
  return fields === undefined ? undefined : line.split(" ").slice(fields).join(" ");
}
