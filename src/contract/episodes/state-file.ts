import { z } from "zod";
import type { Asset } from "../../domain/episodes/asset.ts";
import { assetKinds } from "../../domain/episodes/asset-kind.ts";
import type { Chapter } from "../../domain/episodes/chapter.ts";
import {
  type EpisodeWorkspace,
  makeEpisodeWorkspace,
  type Track,
} from "../../domain/episodes/episode-workspace.ts";
import { jsonText } from "../documents/json-text.ts";
import { fromCandidate, storedCandidate, toCandidate } from "./candidate-file.ts";
import { parseJsonFile } from "./json-file.ts";
import { fromReview, storedReview, toReview } from "./review-file.ts";
import {
  fromProvenance,
  present,
  storedAssetId,
  storedProvenance,
  storedTime,
  storedUuid,
  toProvenance,
} from "./stored-values.ts";

const storedAsset = z.strictObject({
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
  created_at: storedTime,
  episode_id: z.string().min(1),
  provenance: storedProvenance.default([]),
  root_dir: z.string().min(1),
  schema_version: z.literal(1, "is of a version this program does not know; expected 1").default(1),
  tracks: z.array(storedTrack).default([]),
});

export function parseStateFile(text: string, file: string): EpisodeWorkspace {
  return parseJsonFile(text, file, {
    shape: storedState,
    toValue: (stored) =>
      makeEpisodeWorkspace({
        episodeId: stored.episode_id,
        rootDir: stored.root_dir,
        assets: stored.assets.map(toAsset),
        chapters: stored.chapters.map(toChapter),
        tracks: stored.tracks.map(toTrack),
        ...present("auphonicProductionUuid", stored.auphonic_production_uuid),
        createdAt: stored.created_at,
        provenance: toProvenance(stored.provenance),
      }),
  });
}

/** Refuses to render what could not be read again. */
export function renderStateFile(workspace: EpisodeWorkspace): string {
  makeEpisodeWorkspace(workspace);
  return jsonText({
    assets: workspace.assets.map(fromAsset),
    auphonic_production_uuid: workspace.auphonicProductionUuid,
    chapters: workspace.chapters.map(fromChapter),
    created_at: workspace.createdAt,
    episode_id: workspace.episodeId,
    provenance: fromProvenance(workspace.provenance),
    root_dir: workspace.rootDir,
    schema_version: 1,
    tracks: workspace.tracks.map(fromTrack),
  });
}

function toAsset(stored: z.output<typeof storedAsset>): Asset {
  return {
    assetId: stored.asset_id,
    ...present("kind", stored.kind),
    candidates: stored.candidates.map(toCandidate),
    reviews: stored.reviews.map(toReview),
    ...present("selectedCandidateId", stored.selected_candidate_id),
  };
}

function fromAsset(asset: Asset): object {
  return {
    asset_id: asset.assetId,
    candidates: asset.candidates.map(fromCandidate),
    kind: asset.kind ?? null,
    reviews: asset.reviews.map(fromReview),
    selected_candidate_id: asset.selectedCandidateId ?? null,
  };
}

function toChapter(stored: z.output<typeof storedChapter>): Chapter {
  return {
    title: stored.title,
    startSec: stored.start_sec,
    ...present("endSec", stored.end_sec),
    ...present("summary", stored.summary),
  };
}

function fromChapter(chapter: Chapter): object {
  return {
    end_sec: chapter.endSec ?? null,
    start_sec: chapter.startSec,
    summary: chapter.summary ?? null,
    title: chapter.title,
  };
}

function toTrack(stored: z.output<typeof storedTrack>): Track {
  return {
    trackId: stored.track_id,
    path: stored.path,
    ...present("label", stored.label),
    ...present("role", stored.role),
    provenance: toProvenance(stored.provenance),
  };
}

function fromTrack(track: Track): object {
  return {
    label: track.label ?? null,
    path: track.path,
    provenance: fromProvenance(track.provenance),
    role: track.role ?? null,
    track_id: track.trackId,
  };
}
