import { z } from "zod";
import { verdicts } from "../../domain/drafting/review.ts";
import type { EpisodeStatus } from "../../domain/episodes/episode-status.ts";
import { type TextState, textStateWords } from "../../domain/episodes/text-standing.ts";
import type { Json } from "../../domain/values/json.ts";
import { jsonWriter } from "../documents/codec.ts";
import { objects, optionalObject } from "../documents/shapes.ts";
import { type Frozen, toWire } from "../documents/snake-case.ts";
import { raisedIssueShape, voteShape } from "../drafting/review.ts";
import { decidersShape } from "./standings.ts";

const freshness = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("fresh") }),
  z.object({ kind: z.literal("unknown") }),
  z.object({ kind: z.literal("stale"), because: z.string() }),
]);

/** The state of a text and what it rests on, in the words of every door. */
export const textStandingShape = {
  state: z.enum(Object.keys(textStateWords) as [TextState]),
  why: z.string(),
  /** Of an accepted text: derived from its evidence, or claimed by files alone. */
  support: z.enum(["proven", "attested"]).exactOptional(),
  /** How a panel voted on the last text. */
  vote: voteShape.exactOptional(),
  deciders: decidersShape,
  missing: objects({ text: z.string(), command: z.string().exactOptional() }),
};

const outcome = z.enum(["converged", "needs_human", "in_progress", "not_started"]);

const assetStatus = z.object({
  assetId: z.string(),
  ...textStandingShape,
  candidates: z.int(),
  iteration: z.int(),
  maxIterations: z.int().exactOptional(),
  verdict: z.enum(verdicts).exactOptional(),
  reviewer: optionalObject({ label: z.string(), model: z.string().exactOptional() }),
  outcome,
  reason: z.string().exactOptional(),
  blockingIssues: z.int(),
  outstandingIssues: z.array(raisedIssueShape),
  selection: optionalObject({
    assetId: z.string(),
    path: z.string(),
    madeBy: z.enum(["person", "loop", "unknown"]),
    freshness,
  }),
  isLocked: z.boolean(),
  isReopened: z.boolean(),
  isStale: z.boolean(),
  isDraftStale: z.boolean(),
  /** The newest candidate was written from the beginning of the transcript alone. */
  isWithoutSummary: z.boolean(),
  standIn: z.boolean(),
});

/** What `episode status --json` prints. */
export const episodeStatusShape = z.object({
  workspace: z.string(),
  episodeId: z.string().exactOptional(),
  problems: objects({ file: z.string(), rule: z.string(), message: z.string() }),
  checklist: objects({
    label: z.string(),
    state: z.enum(["ok", "missing", "incomplete", "stale", "optional", "blocked"]),
    detail: z.string().exactOptional(),
  }),
  assets: z.array(assetStatus),
  tracks: objects({
    trackId: z.string(),
    path: z.string(),
    label: z.string().exactOptional(),
    role: z.string().exactOptional(),
  }),
  nextSteps: objects({ command: z.string(), why: z.string() }),
  /** Present when no step is left. */
  conclusion: optionalObject({ text: z.string(), command: z.string().exactOptional() }),
  /** Programs under `agents` of `episode.yaml` that are not installed; absent where this was not checked. */
  missingAgents: objects({ role: z.string(), program: z.string() }),
});

/** What `episode review --json` prints. */
export const episodeReviewShape = z.object({
  workspace: z.string(),
  runId: z.string().exactOptional(),
  standIn: z.boolean(),
  assets: objects({
    assetId: z.string(),
    ...textStandingShape,
    outcome: z.enum(["converged", "needs_human", "in_progress"]),
    reason: z.string().exactOptional(),
    iteration: z.int(),
    maxIterations: z.int(),
    verdict: z.enum(verdicts).exactOptional(),
    reviewer: optionalObject({ label: z.string(), model: z.string().exactOptional() }),
    outstandingIssues: z.array(raisedIssueShape),
    selected: z.string().exactOptional(),
    isUnchanged: z.boolean(),
    error: optionalObject({
      code: z.string(),
      message: z.string(),
      hint: z.string().exactOptional(),
    }),
  }),
});

export type EpisodeReviewView = Frozen<z.output<typeof episodeReviewShape>>;
/** The loop of one asset after `episode review`. */
export type ReviewedAssetView = EpisodeReviewView["assets"][number];

export function episodeStatusToJson(
  workspace: string,
  status: EpisodeStatus,
  looked: { readonly missingAgents: readonly { role: string; program: string }[] },
): Json {
  return toWire(episodeStatusShape, { workspace, ...status, ...looked }, { absent: "null" });
}

export const episodeReviewToJson = jsonWriter(episodeReviewShape, "null");
