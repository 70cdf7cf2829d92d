import { hash } from "node:crypto";
import { copyFile, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import type { CodeChange } from "../../ports/coder.ts";
import { gitIn } from "./git-process.ts";

/**
 * Records the code of a folder and later returns what has changed. In git that is the whole working tree, untracked
 * files included, whatever is committed meanwhile; elsewhere it is the files that match the globs.
 */
export async function watchCode(
  root: string,
  globs: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<() => Promise<CodeChange>> {
  const git = await openGit(root, environment);
  if (git === undefined) return watchFiles(root, globs);
  try {
    const before = await git.snapshot();
    return async () => {
      try {
        const after = await git.snapshot();
        const names = await git.run(["diff", "--name-only", "-z", before, after]);
        const diffStat = await git.run(["diff", "--stat", before, after]);
        const changedFiles = names.split("\0").filter((name) => name !== "");
        return { kind: "git", before, after, diffStat, changedFiles };
      } finally {
        await git.close();
      }
    };
  } catch (error) {
    await git.close();
    throw error;
  }
}

interface Git {
  run(args: readonly string[]): Promise<string>;
  /** The working tree as one hash. */
  snapshot(): Promise<string>;
  close(): Promise<void>;
}

/** Uses a separate index and object folder, so that nothing in the repository is written. */
async function openGit(root: string, variables: NodeJS.ProcessEnv): Promise<Git | undefined> {
  const inRoot = (env: NodeJS.ProcessEnv) => async (args: readonly string[]) =>
    (await gitIn(root, { env })(args)).toString("utf8");
  const ask = (args: readonly string[]) => inRoot(variables)(args).catch(() => undefined);
  const folder = (await ask(["rev-parse", "--absolute-git-dir"]))?.trim();
  const common = (await ask(["rev-parse", "--git-common-dir"]))?.trim();
  if (folder === undefined || common === undefined) return undefined;
  const own = await mkdtemp(join(tmpdir(), "signoff-code-"));
  const index = join(own, "index");
  // With the stat cache of the real index, unchanged files are not read again.
  await copyFile(join(folder, "index"), index).catch(() => undefined);
  const run = inRoot({
    ...variables,
    LC_ALL: "C",
    GIT_INDEX_FILE: index,
    GIT_OBJECT_DIRECTORY: own,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: join(resolve(root, common), "objects"),
  });
  return {
    run,
    async snapshot() {
      await run(["add", "--all", "."]);
      return (await run(["write-tree"])).trim();
    },
    close: () => rm(own, { recursive: true, force: true }),
  };
}

async function watchFiles(
  root: string,
  globs: readonly string[],
): Promise<() => Promise<CodeChange>> {
  const before = await hashFiles(root, globs);
  return async () => {
    const after = await hashFiles(root, globs);
    const names = [...new Set([...before.keys(), ...after.keys()])].sort();
    const changedFiles = names.filter((name) => before.get(name) !== after.get(name));
    const line = (name: string) =>
      `${name} | ${!before.has(name) ? "added" : after.has(name) ? "changed" : "removed"}\n`;
    return {
      kind: "files",
      before: digestOf(before),
      after: digestOf(after),
      diffStat: changedFiles.map(line).join(""),
      changedFiles,
    };
  };
}

const ignored = new Set(["node_modules", ".git", ".signoff"]);

async function hashFiles(
  root: string,
  globs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const patterns = globs.map(globPattern);
  const hashes = new Map<string, string>();
  const visit = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      const name = relative(root, path);
      if (entry.isDirectory() && !ignored.has(entry.name)) await visit(path);
      if (entry.isFile() && patterns.some((pattern) => pattern.test(name))) {
        hashes.set(name, hash("sha256", await readFile(path)));
      }
    }
  };
  if (patterns.length > 0) await visit(root);
  return hashes;
}

/** `*` and `?` stay within a folder, `**` crosses folders; everything else is literal. */
function globPattern(glob: string): RegExp {
  const source = glob.replace(/^\.\//, "").replace(/\*\*\/|\*\*|\*|\?|[^*?]+/g, (part) => {
    if (part === "**/") return "(?:[^/]+/)*";
    if (part === "**") return ".*";
    if (part === "*") return "[^/]*";
    return part === "?" ? "[^/]" : part.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${source}$`, "u");
}

function digestOf(hashes: ReadonlyMap<string, string>): string {
  const sorted = [...hashes].sort(([left], [right]) => (left < right ? -1 : 1));
  return hash("sha256", JSON.stringify(sorted));
}
