import { lstat, mkdir, readdir, readFile, realpath, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { newEpisodeYaml } from "../../contract/episodes/episode-yaml.ts";
import { InvalidEpisodeFile } from "../../contract/episodes/invalid-episode-file.ts";
import { renderStateFile } from "../../contract/episodes/state-file.ts";
import {
  checkNewEpisodeId,
  makeEpisodeWorkspace,
} from "../../domain/episodes/episode-workspace.ts";
import { layout, layoutFolders } from "../../domain/episodes/layout.ts";
import type { Instant } from "../../domain/values/instant.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { CrashPoints } from "../../ports/crash-points.ts";
import {
  isTemporaryName,
  removeAbandonedTemporaries,
  writeFilesAtomically,
} from "./atomic-files.ts";
import { confinedPath } from "./confined-path.ts";

/** A workspace on disk. Files it does not know are left alone. */
export interface EpisodeFolder {
  /** Absolute, links resolved. */
  readonly root: string;
  readonly crashPoints?: CrashPoints;
}

/** A file of the workspace, by its path relative to the root. */
export interface EpisodeFile {
  readonly path: string;
  readonly content: string;
}

/** Makes the layout; refuses a path that exists. `episode.yaml` comes last: without it there is no workspace. */
export async function createEpisodeFolder(
  path: string,
  about: { readonly episodeId: string; readonly createdAt: Instant },
): Promise<EpisodeFolder> {
  const episodeId = checkNewEpisodeId(about.episodeId);
  if (await exists(path)) {
    throw new ConfigurationError(`workspace already exists: ${path}`, {
      code: "workspace-exists",
      facts: { path },
      hint: "choose another --workspace or --episode-id",
    });
  }
  for (const folder of layoutFolders) await mkdir(join(path, folder), { recursive: true });
  const folder = { root: await realpath(path) };
  const workspace = makeEpisodeWorkspace({
    episodeId,
    rootDir: ".",
    assets: [],
    chapters: [],
    tracks: [],
    createdAt: about.createdAt,
    provenance: [],
  });
  await writeEpisodeFiles(folder, [
    { path: layout.state, content: renderStateFile(workspace) },
    { path: layout.episodeYaml, content: newEpisodeYaml(episodeId) },
  ]);
  return folder;
}

export async function openEpisodeFolder(
  path: string,
  crashPoints?: CrashPoints,
): Promise<EpisodeFolder> {
  if (!(await exists(join(path, layout.episodeYaml)))) {
    throw new ConfigurationError(
      `${path} is no episode workspace: it has no ${layout.episodeYaml}`,
      {
        code: "workspace-missing",
        facts: { path },
        hint: "make one with `signoff episode init --episode-id NAME`",
      },
    );
  }
  return { root: await realpath(path), ...(crashPoints === undefined ? {} : { crashPoints }) };
}

/** The nearest folder upward that is a workspace. */
export async function findEpisodeFolder(from: string): Promise<string | undefined> {
  for (let folder = from; ; folder = dirname(folder)) {
    if (await exists(join(folder, layout.episodeYaml))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** The text of a file, or undefined when there is none. Anything but UTF-8 is refused. */
export async function readEpisodeFile(
  folder: EpisodeFolder,
  path: string,
): Promise<string | undefined> {
  const absolute = await confinedPath(folder.root, path);
  const bytes = await readFile(absolute).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw new InvalidEpisodeFile(
      { file: path, rule: "file-readable", message: `cannot be read: ${error.message}` },
      { cause: error },
    );
  });
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new InvalidEpisodeFile(
      { file: path, rule: "utf-8", message: "is not UTF-8 text" },
      { cause },
    );
  }
}

/** Names in a folder of the workspace, sorted, without our own temporaries; empty when it is not there. */
export async function listEpisodeFolder(
  folder: EpisodeFolder,
  path: string,
): Promise<readonly string[]> {
  const names = await readdir(await confinedPath(folder.root, path)).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
      throw error;
    },
  );
  return names.filter((name) => !isTemporaryName(name)).sort();
}

/** All paths are judged before the first byte is written; files appear in the order given. */
export async function writeEpisodeFiles(
  folder: EpisodeFolder,
  files: readonly EpisodeFile[],
): Promise<void> {
  const confined: { path: string; content: string }[] = [];
  for (const { path, content } of files) {
    confined.push({ path: await confinedPath(folder.root, path), content });
  }
  await writeFilesAtomically(confined, folder.crashPoints);
}

export async function removeEpisodeFiles(
  folder: EpisodeFolder,
  paths: readonly string[],
): Promise<void> {
  for (const path of paths) await rm(await confinedPath(folder.root, path), { force: true });
}

/** Clears what a killed process left half written, everywhere in the workspace. */
export async function sweepEpisodeFolder(folder: EpisodeFolder): Promise<void> {
  const entries = await readdir(folder.root, { recursive: true, withFileTypes: true });
  const folders = new Set(
    entries.filter((entry) => isTemporaryName(entry.name)).map((entry) => entry.parentPath),
  );
  for (const path of folders) await removeAbandonedTemporaries(path);
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
