import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunId } from "../../domain/values/ids.ts";
import { unlessMissing } from "../../domain/values/unless-missing.ts";
import type { CrashPoints } from "../../ports/crash-points.ts";
import type { RecordFiles } from "../../ports/record-files.ts";
import { createSweeper, isTemporaryName, writeFilesAtomically } from "./atomic-files.ts";

/** Keeps the readable record of each run in `.signoff/runs/<run>/`. */
export function createRunFiles(root: string, crash: CrashPoints): RecordFiles {
  const location = (run: RunId): string => join(".signoff", "runs", run);
  const folder = (run: RunId): string => join(root, location(run));
  const sweep = createSweeper();
  return {
    location,
    async write(run, files) {
      sweep(folder(run));
      const placed = files.map(({ name, content }) => ({
        ...{ path: join(folder(run), name), content, isPrivate: true },
      }));
      await writeFilesAtomically(placed, crash);
    },
    async read(run) {
      const found = new Map<string, string>();
      for (const name of await namesIn(folder(run))) {
        if (isTemporaryName(name)) continue;
        found.set(name, await readFile(join(folder(run), name), "utf8"));
      }
      return found;
    },
  };
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const entries = (await unlessMissing(readdir(folder, { withFileTypes: true }))) ?? [];
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}
