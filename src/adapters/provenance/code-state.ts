import { hash } from "node:crypto";
import { existsSync, lstatSync } from "node:fs";
import { copyFile, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
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
  const ask = async (option: string) => {
    try {
      return (await gitIn(root, { env: variables })(["rev-parse", option])).toString("utf8").trim();
    } catch (error) {
      if (error instanceof WorkflowError && error.code === "git-failed") return undefined;
      throw error;
    }
  };
  const folder = await ask("--absolute-git-dir");
  const common = await ask("--git-common-dir");
  if (folder === undefined || common === undefined) return undefined;
  const own = await mkdtemp(join(tmpdir(), "signoff-code-"));
  const index = join(own, "index");
  // With the stat cache of the real index, unchanged files are not read again.
  await copyFile(join(folder, "index"), index).catch(() => undefined);
  const git = gitIn(root, {
    env: {
      ...variables,
      LC_ALL: "C",
      GIT_INDEX_FILE: index,
      GIT_OBJECT_DIRECTORY: own,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(resolve(root, common), "objects"),
    },
  });
  const run = async (args: readonly string[]) => (await git(args)).toString("utf8");
  return {
    run,
    async snapshot() {
      // Not `git add`, which looks into submodules and starts what their configuration names.
      const listing = [
        "ls-files",
        "-z",
        "--modified",
        "--deleted",
        "--others",
        "--exclude-standard",
      ];
      // A repository inside this one is listed with a slash, and recorded by its commit.
      const listed = (await git(listing)).toString("latin1").replaceAll("/\0", "\0");
      const paths = listed.split("\0").slice(0, -1);
      const folders = new Set(paths.filter((path) => isPlainFolder(root, path)));
      const files = paths.filter((path) => !folders.has(path));
      const update = (options: readonly string[], some: Iterable<string>) =>
        git(
          ["update-index", ...options, "-z", "--stdin"],
          Buffer.from([...some].map((path) => `${path}\0`).join(""), "latin1"),
        );
      await update(["--force-remove"], folders);
      await update(["--add", "--remove", "--replace"], files);
      return (await run(["write-tree"])).trim();
    },
    close: () => rm(own, { recursive: true, force: true }),
  };
}

/** A folder where git knows a file, and no repository of its own. The path has one character per byte. */
function isPlainFolder(root: string, path: string): boolean {
  const full = (...names: readonly string[]) =>
    Buffer.concat([Buffer.from(`${root}/`), Buffer.from([path, ...names].join("/"), "latin1")]);
  try {
    return lstatSync(full()).isDirectory() && !existsSync(full(".git"));
  } catch {
    return false;
  }
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
