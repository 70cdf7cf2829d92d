import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { openEpisodeFolder } from "../../adapters/workspace/episode-folder.ts";
import type { AssetStatus } from "../../domain/episodes/asset-status.ts";
import { describeEpisode, type EpisodeStatus } from "../../domain/episodes/episode-status.ts";
import { layout } from "../../domain/episodes/layout.ts";
import { standingOf } from "../../domain/episodes/text-standing.ts";
import { typedCommand } from "../../domain/episodes/typed-command.ts";
import type { Standing } from "../../domain/evidence/standing.ts";
import { defined } from "../../domain/values/defined.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { Workspace } from "../../orchestration/episodes/freeze-asset.ts";
import { surveyEpisode } from "../../orchestration/episodes/survey-episode.ts";
import type { LoopRecords } from "../../orchestration/episodes/text-evidence.ts";
import type { Project } from "../project/project.ts";
import { realPath } from "../project/project-root.ts";
import { readStore } from "../project/project-store.ts";
import type { Environment } from "../settings/environment.ts";
import { loadProjectSettings } from "../settings/settings.ts";

interface Reading {
  readonly root: string;
  readonly environment: Environment;
}

/** Workers write no files: what they have done to an episode is written by whoever reads it first. */
async function catchUpFiles({ root, environment }: Reading): Promise<void> {
  if (environment.databaseUrl === undefined) return;
  const { openProject } = await import("../project/project.ts");
  const project = await openProject({ root, environment });
  await project.close();
}

/** The state of a workspace, derived from its files and the project's record, which is opened for reading only. */
export async function readEpisodeStatus(
  workspace: Workspace,
  reading: Reading,
): Promise<EpisodeStatus> {
  await catchUpFiles(reading);
  return readStore(reading, (store) =>
    episodeStatusOf(workspace, { ...reading, records: store?.runs }),
  );
}

export async function episodeStatusOf(
  workspace: Workspace,
  reading: Reading & { readonly records: LoopRecords | undefined },
  only?: string,
): Promise<EpisodeStatus> {
  const language = workspace.language ?? (await languageOf(reading));
  const place = { folder: workspace.folder, ...defined({ language }) };
  return describeEpisode(await surveyEpisode(place, reading.records, only));
}

/** The project's language for texts; settings that cannot be read are the business of the commands that need them. */
async function languageOf({ root, environment }: Reading): Promise<string | undefined> {
  try {
    const { settings } = await loadProjectSettings({ root, environment, flags: {} });
    return settings.episodes.language === "auto" ? undefined : settings.episodes.language;
  } catch (error) {
    if (error instanceof WorkflowError) return undefined;
    throw error;
  }
}

/** Every selected or decided text of every episode below the root, for `signoff verify`. */
export async function verifyEpisodes(
  { store, ...project }: Pick<Project, "store" | "root">,
  { environment, cwd }: { readonly environment: Environment; readonly cwd: string },
  isWanted: (name: string) => boolean,
): Promise<readonly Standing[]> {
  const root = realPath(project.root);
  const found: Standing[] = [];
  for (const path of await workspacesBelow(root)) {
    const folder = await openEpisodeFolder(path);
    const workspace = { folder, path: relative(root, folder.root) || "." };
    if (workspace.path !== "." && !isWanted(workspace.path)) continue;
    const status = await episodeStatusOf(workspace, { root, environment, records: store.runs });
    const episode = workspace.path === "." ? (status.episodeId ?? ".") : workspace.path;
    const place = relative(realPath(cwd), folder.root) || undefined;
    const typed = (command: string) => typedCommand(command, place);
    for (const asset of status.assets.filter(isDecided)) {
      found.push(standingOf(`${episode} ${asset.assetId}`, asset, typed));
    }
  }
  return found;
}

function isDecided({ state, selection }: AssetStatus): boolean {
  return selection !== undefined || !["not_started", "drafted", "in_review"].includes(state);
}

const passedOver = new Set(["node_modules", "dist", "copy", "transcript", "summaries"]);
/** Folders that are read side by side. */
const atOnce = 32;

/** Folders with an `episode.yaml`, except nested ones and those that are projects themselves. */
export async function workspacesBelow(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  let waiting: readonly string[] = [root];
  while (waiting.length > 0) {
    const some = waiting.slice(0, atOnce);
    const below = await Promise.all(some.map((folder) => lookInto(root, folder, found)));
    waiting = [...waiting.slice(atOnce), ...below.flat()];
  }
  return found;
}

/** Returns the folders to search below this one. */
async function lookInto(root: string, folder: string, found: string[]): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = new Set(entries.map(({ name }) => name));
  if (folder !== root && (names.has(".signoff") || names.has("signoff.yaml"))) return [];
  if (names.has(layout.episodeYaml)) {
    found.push(folder);
    return [];
  }
  return entries.filter(isSearched).map(({ name }) => join(folder, name));
}

function isSearched(entry: { readonly name: string; isDirectory(): boolean }): boolean {
  return entry.isDirectory() && !entry.name.startsWith(".") && !passedOver.has(entry.name);
}
