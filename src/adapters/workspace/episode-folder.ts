import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { newEpisodeYaml } from "../../contract/episodes/episode-yaml.ts";
import { invalidEpisodeFile } from "../../contract/episodes/invalid-episode-file.ts";
import { renderStateFile } from "../../contract/episodes/state-file.ts";
import {
  checkNewEpisodeId,
  makeEpisodeWorkspace,
} from "../../domain/episodes/episode-workspace.ts";
import { layout, layoutFolders } from "../../domain/episodes/layout.ts";
import type { Instant } from "../../domain/values/instant.ts";
import { unlessMissingSync } from "../../domain/values/unless-missing.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { CrashPoints } from "../../ports/crash-points.ts";
import type { EpisodeFolder } from "../../ports/episode-folder.ts";
import {
  isTemporaryName,
  removeAbandonedTemporaries,
  syncFolders,
  writeFilesAtomically,
} from "./atomic-files.ts";
import { confinedPath } from "./confined-path.ts";

/** Creates the layout; refuses an existing path. `episode.yaml` comes last: without it there is no workspace. */
export async function createEpisodeFolder(
  path: string,
  about: { readonly episodeId: string; readonly createdAt: Instant },
): Promise<EpisodeFolder> {
  const episodeId = checkNewEpisodeId(about.episodeId);
  if (exists(path)) {
    throw new ConfigurationError(`The workspace already exists: ${path}.`, {
      code: "workspace-exists",
      facts: { path },
      hint: "Choose another --workspace or --episode-id.",
    });
  }
  for (const folder of layoutFolders) mkdirSync(join(path, folder), { recursive: true });
  const folder = folderAt(realpathSync.native(path));
  const workspace = makeEpisodeWorkspace({
    episodeId,
    rootDir: ".",
    assets: [],
    chapters: [],
    tracks: [],
    createdAt: about.createdAt,
    provenance: [],
  });
  await folder.write([
    { path: layout.state, content: renderStateFile(workspace) },
    { path: layout.episodeYaml, content: newEpisodeYaml(episodeId) },
  ]);
  return folder;
}

export async function openEpisodeFolder(
  path: string,
  crashPoints?: CrashPoints,
): Promise<EpisodeFolder> {
  if (!exists(join(path, layout.episodeYaml))) {
    throw new ConfigurationError(
      `${path} is not an episode workspace: it has no ${layout.episodeYaml}.`,
      {
        code: "workspace-missing",
        facts: { path },
        hint: "Create one with `signoff episode init --episode-id my_episode`.",
      },
    );
  }
  return folderAt(realpathSync.native(path), crashPoints);
}

/** The nearest folder upward that is a workspace. */
export async function findEpisodeFolder(from: string): Promise<string | undefined> {
  for (let folder = from; ; folder = dirname(folder)) {
    if (exists(join(folder, layout.episodeYaml))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

function folderAt(root: string, crashPoints?: CrashPoints): EpisodeFolder {
  return {
    root,
    read: (path) => readText(root, path),
    list: (path) => listNames(root, path),
    async write(files) {
      const confined = files.map((file) => ({ ...file, path: confinedPath(root, file.path) }));
      await writeFilesAtomically(confined, crashPoints);
    },
    async remove(paths) {
      for (const path of paths) rmSync(confinedPath(root, path), { force: true });
    },
    async move(from, to) {
      await moveConfined(root, from, to);
      crashPoints?.reach("protocol-file-archived");
    },
    sweep: () => sweepTemporaries(root),
  };
}

async function readText(root: string, path: string): Promise<string | undefined> {
  const absolute = confinedPath(root, path);
  const bytes = bytesOf(absolute, path);
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw invalidEpisodeFile({ file: path, rule: "utf-8", message: "is not UTF-8 text", cause });
  }
}

function bytesOf(absolute: string, path: string): Uint8Array | undefined {
  try {
    return unlessMissingSync(() => readFileSync(absolute));
  } catch (cause) {
    const message = `cannot be read: ${(cause as Error).message}`;
    throw invalidEpisodeFile({ file: path, rule: "file-readable", message, cause });
  }
}

async function listNames(root: string, path: string): Promise<readonly string[]> {
  const folder = confinedPath(root, path);
  const names = unlessMissingSync(() => readdirSync(folder)) ?? [];
  return names.filter((name) => !isTemporaryName(name)).sort();
}

async function moveConfined(root: string, from: string, to: string): Promise<void> {
  const target = confinedPath(root, to);
  if (exists(target)) {
    throw invalidEpisodeFile({
      file: to,
      rule: "archive-is-final",
      message: "already exists and must not be overwritten",
    });
  }
  const source = confinedPath(root, from);
  mkdirSync(dirname(target), { recursive: true });
  renameSync(source, target);
  await syncFolders([dirname(target)]);
}

async function sweepTemporaries(root: string): Promise<void> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const folders = new Set(
    entries.filter((entry) => isTemporaryName(entry.name)).map((entry) => entry.parentPath),
  );
  for (const path of folders) removeAbandonedTemporaries(path);
}

/** An unreadable folder counts as empty: the search continues upward. */
function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
