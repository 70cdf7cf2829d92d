import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { moveTracked } from "../../adapters/provenance/git-history.ts";
import { gitIn } from "../../adapters/provenance/git-process.ts";
import { confinedPath } from "../../adapters/workspace/confined-path.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { CrashPoints } from "../../ports/crash-points.ts";
import type { NoteFiles } from "../../ports/note-files.ts";

/** Every path is confined to the root, links followed before judging. */
export function createNoteFiles(
  root: string,
  how: { readonly usesGit: boolean; readonly crash: CrashPoints },
): NoteFiles {
  return {
    async read(path) {
      try {
        return await readFile(confinedPath(root, path), "utf8");
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "ENOENT") return undefined;
        throw code === "EISDIR" ? folderInPlaceOf(path) : error;
      }
    },
    async write(files) {
      const placed = files.map(async ({ path, content }) => ({
        path: confinedPath(root, path),
        content,
      }));
      const { writeFilesAtomically } = await import("../../adapters/workspace/atomic-files.ts");
      await writeFilesAtomically(await Promise.all(placed), how.crash);
    },
    async move(oldPath, newPath) {
      const [from, to] = [confinedPath(root, oldPath), confinedPath(root, newPath)];
      await mkdir(dirname(to), { recursive: true });
      const tracked = how.usesGit && (await moveTracked(gitIn(root), oldPath, newPath));
      if (!tracked) await rename(from, to);
      await removeEmptyFolders(root, dirname(from));
    },
    exists: (path) => existsSync(join(root, path)),
    async list(folder) {
      try {
        const found = await readdir(confinedPath(root, folder), {
          recursive: true,
          withFileTypes: true,
        });
        return found
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
          .sort();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
        throw error;
      }
    },
    async remove(path) {
      await rm(confinedPath(root, path), { force: true });
    },
  };
}

function folderInPlaceOf(path: string): ConfigurationError {
  return new ConfigurationError(`${path} is a folder, but must be a file.`, {
    code: "file-is-folder",
    facts: { path },
    hint: "Move the folder elsewhere. The command that needs the file creates it.",
  });
}

async function removeEmptyFolders(root: string, from: string): Promise<void> {
  for (let folder = from; folder.length > root.length; folder = dirname(folder)) {
    const left = await readdir(folder).catch(() => ["gone"]);
    if (left.length > 0) return;
    await rmdir(folder);
  }
}
