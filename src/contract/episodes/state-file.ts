import { z } from "zod";
import { assetKinds } from "../../domain/episodes/asset-kind.ts";
import {
  type EpisodeWorkspace,
  makeEpisodeWorkspace,
} from "../../domain/episodes/episode-workspace.ts";
import { jsonText } from "../documents/json-text.ts";
import { snakeCaseKeys } from "../documents/stored-keys.ts";
import { storedCandidate, toCandidate } from "./candidate-file.ts";
import { parseJsonFile } from "./json-file.ts";
import { storedReview, toReview } from "./review-file.ts";
import {
  storedAssetId,
  storedProvenance,
  storedTimeOrOldest,
  storedUuid,
} from "./stored-values.ts";

/** One text in `state.json`. */
export const storedAsset = z.strictObject({
  asset_id: storedAssetId,
  candidates: z.array(storedCandidate).default([]),
  kind: z.enum(assetKinds).nullish(),
  reviews: z.array(storedReview).default([]),
  selected_candidate_id: storedUuid.nullish(),
});

const storedChapter = z.strictObject({
  end_sec: z.number().nonnegative().nullish(),
  start_sec: z.number().nonnegative(),
  summary: z.string().nullish(),
  title: z.string(),
});

const storedTrack = z.strictObject({
  label: z.string().nullish(),
  path: z.string(),
  provenance: storedProvenance.default([]),
  role: z.string().nullish(),
  track_id: storedAssetId,
});

/** `state.json`: the whole episode in one file. */
export const storedState = z.strictObject({
  assets: z.array(storedAsset).default([]),
  auphonic_production_uuid: z.string().min(1).nullish(),
  chapters: z.array(storedChapter).default([]),
  created_at: storedTimeOrOldest,
  episode_id: z.string().min(1),
  provenance: storedProvenance.default([]),
  root_dir: z.string().min(1).default("."),
  schema_version: z.literal(1, "is of a version this program does not know; expected 1").default(1),
  tracks: z.array(storedTrack).default([]),
});

export function parseStateFile(text: string, file: string): EpisodeWorkspace {
  return parseJsonFile({ file, text }, storedState, ({ schemaVersion: _, assets, ...stored }) =>
    makeEpisodeWorkspace({
      ...stored,
      assets: assets.map((asset) => ({
        ...asset,
        candidates: asset.candidates.map(toCandidate),
        reviews: asset.reviews.map(toReview),
      })),
    }),
  );
}

/** Refuses to render what could not be read again. */
export function renderStateFile(workspace: EpisodeWorkspace): string {
  makeEpisodeWorkspace(workspace);
  return jsonText({
    ...snakeCaseKeys(storedState, { ...workspace, schemaVersion: 1 }),
    // The original program leaves this one out.
    auphonic_production_uuid: workspace.auphonicProductionUuid,
  });
}
