import { constants } from "node:fs";
import { access, mkdir, readdir, readFile, rename, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type Guard, refuseAll } from "../../domain/settings/acts.ts";
import { unlessMissing } from "../../domain/values/unless-missing.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { CrashPoints } from "../../ports/crash-points.ts";
import type { RunFolders } from "../../ports/run-folders.ts";
import {
  createSweeper,
  isTemporaryName,
  syncFolders,
  writeFilesAtomically,
} from "./atomic-files.ts";
import { isInside, realTarget } from "./confined-path.ts";

/** Folders of scenario, pack and case runs; relative paths start at the project's root. */
export function createRunFolders(
  root: string,
  crash: CrashPoints,
  guard: Guard = refuseAll,
): RunFolders {
  const place = (folder: string): string => resolve(root, folder);
  const checked = new Set<string>();
  /** Jobs and manifests name folders and files; only the user may name one outside the project. */
  const requireAllowed = (path: string): void => {
    if (checked.has(path)) return;
    const real = realTarget(path) ?? path;
    const realRoot = realTarget(root) ?? root;
    if (real !== realRoot && !isInside(realRoot, real)) guard({ kind: "folder", path: real });
    checked.add(path);
  };
  const sweep = createSweeper();
  return {
    async requireWritable(folder) {
      requireAllowed(place(folder));
      const why = await whyNotWritable(place(folder));
      if (why === undefined) return;
      throw new ConfigurationError(`Nothing can be written to ${folder}: ${why}.`, {
        code: "folder-unusable",
        facts: { folder },
        hint: "Give another folder with --output-dir.",
      });
    },
    async write(folder, files) {
      const placed = files.map(({ name, content }) => ({
        path: join(place(folder), name),
        content,
      }));
      for (const folder of new Set(placed.map(({ path }) => dirname(path)))) {
        requireAllowed(folder);
        sweep(folder);
      }
      await writeFilesAtomically(placed, crash);
    },
    read: (folder, name) => unlessMissing(readFile(join(place(folder), name), "utf8")),
    names: async (folder) =>
      (await namesIn(place(folder))).filter((name) => !isTemporaryName(name)).sort(),
    async move(folder, from, to) {
      const target = join(place(folder), to);
      requireAllowed(dirname(target));
      const found = await unlessMissing(stat(target));
      if (found === undefined) await moveDurably(join(place(folder), from), target);
    },
    async setAside(folder, name) {
      const target = join(`${place(folder)}.runs`, name);
      requireAllowed(dirname(target));
      try {
        await moveDurably(place(folder), target);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "ENOTEMPTY" || code === "EEXIST") return undefined;
        throw error;
      }
      return join(`${folder}.runs`, name);
    },
    countSetAside: async (folder) => (await namesIn(`${place(folder)}.runs`)).length,
  };
}

/** Decided by the nearest ancestor that exists. */
async function whyNotWritable(path: string): Promise<string | undefined> {
  const found = await unlessMissing(stat(path));
  if (found === undefined) return whyNotWritable(dirname(path));
  if (!found.isDirectory()) return `${path} is a file`;
  return access(path, constants.W_OK).then(
    () => undefined,
    () => `${path} may not be changed`,
  );
}

async function moveDurably(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await unlessMissing(rename(from, to));
  await syncFolders([dirname(to)]);
  await syncFolders([dirname(from)]);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await unlessMissing(readdir(folder))) ?? [];
}
