import type { VersionChange } from "../../domain/gates/staleness-over-time.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { RunGit } from "./git-process.ts";
import { splitRecords, withoutSubmodules } from "./git-tree.ts";

/** Paths that differ between a revision and the working tree, seen from the folder git runs in. */
export async function listChanged(
  git: RunGit,
  revision: string,
  folders: readonly string[],
): Promise<ReadonlySet<string>> {
  const commit = await resolveCommit(git, revision);
  const options = ["--name-only", "--no-renames", "--relative", withoutSubmodules, "-z"];
  const diff = git(["diff", ...options, commit, "--", ...folders]);
  const untracked = git(["ls-files", "-z", "--others", "--exclude-standard", "--", ...folders]);
  const records = [await diff, await untracked].flatMap((output) => [...splitRecords(output)]);
  return new Set(records.map((record) => record.toString("utf8")));
}

/** A file as a revision has it, seen from the folder git runs in; `undefined` where it has none. */
export async function readAt(
  git: RunGit,
  revision: string,
  path: string,
): Promise<Buffer | undefined> {
  const commit = await resolveCommit(git, revision);
  const listed = await git(["ls-tree", "-z", commit, "--", path]);
  const blob = /^\d+ blob ([0-9a-f]+)\t/.exec(listed.toString("latin1"))?.[1];
  return blob === undefined ? undefined : git(["cat-file", "blob", blob]);
}

/** A revision that starts with a dash would be an option; one that does not exist is the caller's mistake. */
async function resolveCommit(git: RunGit, revision: string): Promise<string> {
  try {
    const spec = `${revision}^{commit}`;
    const found = await git(["rev-parse", "--verify", "--quiet", "--end-of-options", spec]);
    return found.toString("latin1").trim();
  } catch (cause) {
    throw new ConfigurationError(`git knows no revision "${revision}".`, {
      code: "revision-unknown",
      facts: { revision },
      hint: "In CI, fetch enough history (fetch-depth: 0).",
      cause,
    });
  }
}

const commitMark = "signoff-commit:";

/** The newest commit that touched each path, from one `git log`. */
export async function findLastCommits(
  git: RunGit,
  prefix: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  if (paths.length === 0) return found;
  const format = `--format=${commitMark}%H`;
  const args = ["log", format, "--name-only", "--no-renames", "-z", "--", ...paths];
  // Before the first commit there is no log, and nothing has a last commit.
  const output = await git(args).catch(() => Buffer.alloc(0));
  let commit = "";
  for (const record of splitRecords(output)) {
    const line = record.toString("utf8").replace(/^\n+/, "");
    if (line.startsWith(commitMark)) commit = line.slice(commitMark.length);
    else if (line.startsWith(prefix) && !found.has(line.slice(prefix.length)))
      found.set(line.slice(prefix.length), commit);
  }
  return found;
}

/** Every change of files since a moment, with the version before it, from one `git log`. */
export async function listVersionChanges(
  git: RunGit,
  prefix: string,
  { since, folders }: { readonly since: string; readonly folders: readonly string[] },
): Promise<readonly VersionChange[]> {
  const options = ["--raw", "--no-abbrev", "--no-renames", "--first-parent", "-z"];
  const format = `--format=${commitMark}%ct`;
  const args = ["log", format, ...options, "--diff-merges=first-parent", `--since=${since}`];
  const output = await git([...args, "--", ...folders]).catch(() => Buffer.alloc(0));
  const changes: VersionChange[] = [];
  let at = "";
  let before: string | undefined;
  for (const record of splitRecords(output)) {
    const line = record.toString("utf8").replace(/^\n+/, "");
    const raw = /^:\d+ \d+ ([0-9a-f]+) /.exec(line);
    if (line.startsWith(commitMark)) {
      at = new Date(Number(line.slice(commitMark.length)) * 1000).toISOString();
    } else if (raw !== null) before = /^0+$/.test(raw[1] ?? "") ? undefined : raw[1];
    else if (line.startsWith(prefix)) {
      changes.push({ at, path: line.slice(prefix.length), ...defined({ before }) });
    }
  }
  return changes;
}

/** `git mv` if git tracks the file; returns whether it did. */
export async function moveTracked(git: RunGit, oldPath: string, newPath: string): Promise<boolean> {
  const listed = await git(["ls-files", "-z", "--", oldPath]).catch(() => Buffer.alloc(0));
  if (listed.length === 0) return false;
  await git(["mv", "--", oldPath, newPath]);
  return true;
}
