import type { z } from "zod";
import { type Asset, emptyAsset, makeAsset } from "../../domain/episodes/asset.ts";
import { isAssetId } from "../../domain/episodes/asset-kind.ts";
import type { EpisodeWorkspace } from "../../domain/episodes/episode-workspace.ts";
import { InvalidEpisode } from "../../domain/episodes/invalid-episode.ts";
import { fieldsOf } from "../../domain/episodes/transcript-json.ts";
import { defined } from "../../domain/values/defined.ts";
import { parseJson } from "../../domain/values/json.ts";
import { camelCaseKeys } from "../documents/stored-keys.ts";
import { storedCandidate, toCandidate } from "./candidate-file.ts";
import { storedReview, toReview } from "./review-file.ts";
import { storedAsset, storedState } from "./state-file.ts";

/** What can be read of a broken `state.json`. */
export type SalvagedState = Partial<Omit<EpisodeWorkspace, "assets">> &
  Pick<EpisodeWorkspace, "assets">;

/** Takes every part that is sound by itself, so that one wrong value costs nothing but itself. */
export function salvageState(text: string): SalvagedState {
  const state = fieldsOf(parseJson(text));
  const { shape } = storedState;
  const part = <S extends z.ZodType>(name: string, schema: S) =>
    state[name] === undefined ? undefined : (schema.safeParse(state[name]).data ?? undefined);
  const chapters = part("chapters", shape.chapters);
  const tracks = part("tracks", shape.tracks);
  const provenance = part("provenance", shape.provenance);
  return {
    ...defined({
      episodeId: part("episode_id", shape.episode_id),
      rootDir: part("root_dir", shape.root_dir),
      createdAt: part("created_at", shape.created_at),
      auphonicProductionUuid: part("auphonic_production_uuid", shape.auphonic_production_uuid),
      chapters: chapters && camelCaseKeys(shape.chapters, chapters),
      tracks: tracks && camelCaseKeys(shape.tracks, tracks),
      provenance: provenance && camelCaseKeys(shape.provenance, provenance),
    }),
    assets: unique(listOf(state.assets).flatMap(assetOf), ({ assetId }) => assetId),
  };
}

function assetOf(raw: unknown): readonly Asset[] {
  const { asset_id: assetId, candidates, reviews, selected_candidate_id: chosen } = fieldsOf(raw);
  if (typeof assetId !== "string" || !isAssetId(assetId)) return [];
  const written = listOf(candidates).flatMap((one) => {
    const { data } = storedCandidate.safeParse(one);
    return data === undefined ? [] : [toCandidate(camelCaseKeys(storedCandidate, data))];
  });
  const judged = listOf(reviews).flatMap((one) => {
    const { data } = storedReview.safeParse(one);
    return data === undefined ? [] : [toReview(camelCaseKeys(storedReview, data))];
  });
  const own = unique(
    written.filter((one) => one.assetId === assetId),
    (one) => one.candidateId,
  );
  const id = storedAsset.shape.selected_candidate_id.safeParse(chosen).data ?? undefined;
  const selectedCandidateId = own.find(({ candidateId }) => candidateId === id)?.candidateId;
  const asset = { ...emptyAsset(assetId), candidates: own, ...defined({ selectedCandidateId }) };
  return [withReviews(asset, judged)];
}

/** Reviews in the order of their iterations; where they contradict each other none is taken. */
function withReviews(asset: Asset, reviews: Asset["reviews"]): Asset {
  try {
    return makeAsset({ ...asset, reviews });
  } catch (error) {
    if (error instanceof InvalidEpisode) return asset;
    throw error;
  }
}

function unique<T>(items: readonly T[], idOf: (item: T) => string): readonly T[] {
  return items.filter((item, at) => items.findIndex((one) => idOf(one) === idOf(item)) === at);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
