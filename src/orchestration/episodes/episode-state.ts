import { renderStateFile } from "../../contract/episodes/state-file.ts";
import { type Asset, mergeAsset } from "../../domain/episodes/asset.ts";
import {
  assetOf,
  type EpisodeWorkspace,
  makeEpisodeWorkspace,
  withAsset,
} from "../../domain/episodes/episode-workspace.ts";
import { layout } from "../../domain/episodes/layout.ts";
import type { Instant } from "../../domain/values/instant.ts";
import type { EpisodeFile, EpisodeFolder } from "../../ports/episode-folder.ts";
import { loadCandidates, loadEpisodeSettings, loadState } from "./load-episode.ts";

/** Runs the work while no other process changes shared files of the workspace. Must not make model calls. */
export type WorkspaceLock = <T>(work: () => Promise<T>) => Promise<T>;

/** The present `state.json`, or a new one where the workspace has none yet. */
export async function currentState(
  folder: EpisodeFolder,
  createdAt: Instant,
): Promise<EpisodeWorkspace> {
  const state = await loadState(folder);
  if (state !== undefined) return state;
  const { episodeId } = await loadEpisodeSettings(folder);
  return newState({ episodeId, createdAt, chapters: [], tracks: [] });
}

export function newState(
  about: Pick<EpisodeWorkspace, "episodeId" | "createdAt" | "chapters" | "tracks">,
): EpisodeWorkspace {
  return makeEpisodeWorkspace({ ...about, rootDir: ".", assets: [], provenance: [] });
}

/** The asset from `state.json`, with the candidates that only the disk has. */
export async function assetWithDisk(
  folder: EpisodeFolder,
  state: EpisodeWorkspace,
  assetId: string,
): Promise<Asset> {
  const stored = assetOf(state, assetId);
  const known = new Set(stored.candidates.map((candidate) => candidate.candidateId));
  const candidates = await loadCandidates(folder, assetId, (id) => !known.has(id));
  return mergeAsset(stored, { assetId, candidates, reviews: [] });
}

/** The asset as a person finds it: each candidate as its file has it, and those that only `state.json` still has. */
export async function assetOnDisk(
  folder: EpisodeFolder,
  state: EpisodeWorkspace,
  assetId: string,
): Promise<Asset> {
  const candidates = await loadCandidates(folder, assetId);
  return mergeAsset(assetOf(state, assetId), { assetId, candidates, reviews: [] });
}

export function stateFile(state: EpisodeWorkspace, asset?: Asset): EpisodeFile {
  const changed = asset === undefined ? state : withAsset(state, asset);
  return { path: layout.state, content: renderStateFile(changed) };
}
