import type { ProvenanceRef } from "../drafting/provenance.ts";
import type { Instant } from "../values/instant.ts";
import { type Asset, emptyAsset, makeAsset } from "./asset.ts";
import { assetKinds, isAssetId, isAssetKind } from "./asset-kind.ts";
import { type Chapter, checkChapters } from "./chapter.ts";
import { InvalidEpisode } from "./invalid-episode.ts";

export interface Track {
  readonly trackId: string;
  readonly path: string;
  readonly label?: string;
  readonly role?: string;
  readonly provenance: readonly ProvenanceRef[];
}

/** The root of an episode: what `state.json` says. */
export interface EpisodeWorkspace {
  readonly episodeId: string;
  readonly rootDir: string;
  readonly assets: readonly Asset[];
  readonly chapters: readonly Chapter[];
  readonly tracks: readonly Track[];
  readonly auphonicProductionUuid?: string;
  readonly createdAt: Instant;
  readonly provenance: readonly ProvenanceRef[];
}

/** Checks every rule of the whole episode; throws `InvalidEpisode` naming the broken one. */
export function makeEpisodeWorkspace(workspace: EpisodeWorkspace): EpisodeWorkspace {
  if (workspace.episodeId === "") throw new InvalidEpisode("episode-id", "the episode id is empty");
  if (workspace.rootDir === "") throw new InvalidEpisode("root-dir", "root_dir is empty");
  for (const asset of workspace.assets) makeAsset(asset);
  checkUnique(
    "asset-id-unique",
    "asset",
    workspace.assets.map((asset) => asset.assetId),
  );
  for (const track of workspace.tracks) checkTrack(track);
  checkUnique(
    "track-id-unique",
    "track",
    workspace.tracks.map((track) => track.trackId),
  );
  checkChapters(workspace.chapters);
  return workspace;
}

/** The asset, or an empty one when nothing was written for it yet. */
export function assetOf(workspace: EpisodeWorkspace, assetId: string): Asset {
  return workspace.assets.find((asset) => asset.assetId === assetId) ?? emptyAsset(assetId);
}

/**
 * Replaces the asset, or puts it where the thirteen kinds have it, custom ones behind them by name. The order of
 * the others stays; assets that end in any order give the same state.
 */
export function withAsset(workspace: EpisodeWorkspace, asset: Asset): EpisodeWorkspace {
  const { assets } = workspace;
  const known = assets.some((one) => one.assetId === asset.assetId);
  const later = assets.findIndex((one) => comesAfter(one.assetId, asset.assetId));
  const at = later < 0 ? assets.length : later;
  return makeEpisodeWorkspace({
    ...workspace,
    assets: known
      ? assets.map((one) => (one.assetId === asset.assetId ? asset : one))
      : [...assets.slice(0, at), asset, ...assets.slice(at)],
  });
}

function comesAfter(left: string, right: string): boolean {
  const rank = (assetId: string): number =>
    isAssetKind(assetId) ? assetKinds.indexOf(assetId) : assetKinds.length;
  return rank(left) === rank(right) ? left > right : rank(left) > rank(right);
}

/**
 * An id that is also a folder name everywhere. Narrower than what a stored workspace may have, which is any
 * non-empty text.
 */
export function checkNewEpisodeId(text: string): string {
  const id = text.trim();
  const broken =
    (id === "" && "must not be empty") ||
    (/[/\\]/.test(id) && "must not contain / or \\") ||
    (!/^[A-Za-z0-9._-]+$/.test(id) &&
      "may have only letters, digits, dot, underscore and hyphen") ||
    (/^[._-]|[._-]$/.test(id) && "must not begin or end with dot, underscore or hyphen");
  if (broken) throw new InvalidEpisode("episode-id", `episode id "${text}" ${broken}`);
  return id;
}

function checkTrack(track: Track): void {
  if (!isAssetId(track.trackId)) {
    throw new InvalidEpisode(
      "track-id",
      `"${track.trackId}" is not a track id: lower-case letters, digits and _, beginning with a letter`,
    );
  }
}

function checkUnique(rule: string, what: string, ids: readonly string[]): void {
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) throw new InvalidEpisode(rule, `${what} "${id}" is there twice`);
    seen.add(id);
  }
}
