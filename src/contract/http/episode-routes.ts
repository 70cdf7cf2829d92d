import { z } from "zod";
import { textFormats } from "../../domain/drafting/candidate.ts";
import { objects, optionalObject } from "../documents/shapes.ts";
import { decisionShape } from "../drafting/iteration.ts";
import { reviewShape } from "../drafting/review.ts";
import { instantShape } from "../drafting/values.ts";
import { episodeStatusShape, textStandingShape } from "./episodes.ts";
import { by, reason, startedShape } from "./parts.ts";
import type { RouteTable } from "./route.ts";

const assetIdShape = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, "is not an asset id");
const episode = z.object({
  episodeId: z.string().regex(/^[0-9a-f]{16}$/, "is not the id of an episode"),
});
const asset = episode.extend({ assetId: assetIdShape });

/** What the person saw; 409 when the asset is another by now. */
const version = z.string().regex(/^[0-9a-f]{16}$/, "is not a version of an asset");

const episodesShape = z.object({
  episodes: objects({
    id: z.string(),
    workspace: z.string(),
    episodeId: z.string().exactOptional(),
    assets: z.int(),
    signed: z.int(),
    needsHuman: z.int(),
    stale: z.int(),
    problems: z.int(),
  }),
});

/** What the texts are made of. */
const materialShape = z.object({
  chapters: objects({
    title: z.string(),
    startSec: z.number(),
    endSec: z.number().exactOptional(),
  }),
  summary: optionalObject({
    summaryMarkdown: z.string(),
    keyPoints: z.array(z.string()),
    topics: z.array(z.string()),
  }),
});

const actShape = z.object({
  kind: z.enum(["pick", "adopt", "unlock", "restart"]),
  by: z.string(),
  at: instantShape,
  reason: z.string().exactOptional(),
});

const assetDetailShape = z.object({
  assetId: z.string(),
  ...textStandingShape,
  version: z.string(),
  maxIterations: z.int().exactOptional(),
  decision: decisionShape.exactOptional(),
  selection: optionalObject({
    text: z.string(),
    candidateId: z.string().exactOptional(),
    madeBy: z.enum(["person", "loop", "unknown"]),
  }),
  /** A text that only a person may replace, with a reason. */
  isTextLocked: z.boolean(),
  canUnlock: z.boolean(),
  /** Oldest first. */
  candidates: objects({
    candidateId: z.string(),
    format: z.enum(textFormats),
    content: z.string(),
    createdAt: instantShape,
    /** The turn it was reviewed in. */
    iteration: z.int().exactOptional(),
    model: z.string().exactOptional(),
  }),
  reviews: z.array(reviewShape),
  acts: z.array(actShape),
});

const workShape = z.strictObject({
  /** Absent: all that the episode has. */
  assetIds: z
    .array(assetIdShape)
    .min(1)
    .max(200)
    .refine((ids) => new Set(ids).size === ids.length, "names a text twice")
    .exactOptional(),
  model: z.string().max(200).exactOptional(),
});

/** The lines of the table that are about episodes. */
export const episodeRoutes = {
  "GET /api/v1/episodes": {
    summary: "Episode workspaces below the project's root",
    answers: { 200: episodesShape },
  },
  "GET /api/v1/episodes/:episode_id": {
    summary: "The status of an episode, as `signoff episode status --json` prints it",
    params: episode,
    answers: { 200: episodeStatusShape },
    problems: ["episode-unknown"],
  },
  "GET /api/v1/episodes/:episode_id/material": {
    summary: "Chapters and summary of an episode",
    params: episode,
    answers: { 200: materialShape },
    problems: ["episode-unknown"],
  },
  "GET /api/v1/episodes/:episode_id/assets/:asset_id": {
    summary: "One text: its candidates, reviews, selection and what people did",
    params: asset,
    answers: { 200: assetDetailShape },
    problems: ["episode-unknown"],
  },
  "POST /api/v1/episodes/:episode_id/assets/:asset_id/pick": {
    role: "decide",
    summary: "Select a candidate, as a person",
    params: asset,
    body: z.strictObject({
      version,
      candidateId: z.string().regex(/^[0-9a-f-]{36}$/, "is not a candidate id"),
      reason: reason.exactOptional(),
      by,
    }),
    answers: { 200: assetDetailShape },
    problems: ["episode-unknown", "candidate-unknown", "reason-missing", "asset-moved"],
  },
  "POST /api/v1/episodes/:episode_id/assets/:asset_id/adopt": {
    role: "decide",
    summary:
      "Take the selected text, edited or stale, as one's own; or put an own text in its place",
    params: asset,
    body: z.strictObject({
      ...{ version, reason, by },
      text: z.string().trim().min(1).max(100_000).exactOptional(),
    }),
    answers: { 200: assetDetailShape },
    problems: ["episode-unknown", "nothing-selected", "asset-moved"],
  },
  "POST /api/v1/episodes/:episode_id/assets/:asset_id/unlock": {
    role: "decide",
    summary: "Let the loop change a locked text, or continue after its decision",
    params: asset,
    body: z.strictObject({ version, reason, by }),
    answers: { 200: assetDetailShape },
    problems: ["episode-unknown", "not-locked", "run-held", "asset-moved"],
  },
  "POST /api/v1/episodes/:episode_id/draft": {
    role: "run",
    summary: "Write candidates",
    isCreate: true,
    params: episode,
    body: workShape.extend({
      candidates: z.int().min(1).max(8).exactOptional(),
      anew: z.boolean().exactOptional(),
    }),
    answers: { 202: startedShape },
    problems: ["episode-unknown", "nothing-to-do", "model-not-found", "idempotency-key-reused"],
  },
  "POST /api/v1/episodes/:episode_id/review": {
    role: "run",
    summary: "Write and review until both sides sign",
    isCreate: true,
    params: episode,
    body: workShape.extend({
      reviewerModel: z.string().max(200).exactOptional(),
      maxIterations: z.int().min(1).max(50).exactOptional(),
    }),
    answers: { 202: startedShape },
    problems: [
      "episode-unknown",
      "nothing-to-do",
      "model-not-found",
      "other-models",
      "run-held",
      "idempotency-key-reused",
    ],
  },
} as const satisfies RouteTable;
