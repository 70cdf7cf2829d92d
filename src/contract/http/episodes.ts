import { z } from "zod";
import type { EpisodeStatus } from "../../domain/episodes/episode-status.ts";
import type { Json } from "../../domain/values/json.ts";
import { toWire } from "../documents/snake-case.ts";

const freshness = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("fresh") }),
  z.object({ kind: z.literal("unknown") }),
  z.object({ kind: z.literal("stale"), because: z.string() }),
]);

const issue = z.object({
  severity: z.enum(["error", "warning"]),
  message: z.string(),
  code: z.string().exactOptional(),
  field: z.string().exactOptional(),
});

const outcome = z.enum(["converged", "needs_human", "in_progress", "not_started"]);

const assetStatus = z.object({
  assetId: z.string(),
  candidates: z.int(),
  iteration: z.int(),
  maxIterations: z.int().exactOptional(),
  verdict: z.enum(["ok", "changes_requested", "needs_human"]).exactOptional(),
  outcome,
  reason: z.string().exactOptional(),
  blockingIssues: z.int(),
  outstandingIssues: z.array(issue),
  selection: z
    .object({
      assetId: z.string(),
      path: z.string(),
      madeBy: z.enum(["person", "loop", "unknown"]),
      freshness,
      isUnlocked: z.boolean(),
    })
    .exactOptional(),
  isLocked: z.boolean(),
  isReopened: z.boolean(),
  isStale: z.boolean(),
  standIn: z.boolean(),
});

/** What `episode status --json` prints. */
export const episodeStatusShape = z.object({
  workspace: z.string(),
  episodeId: z.string().exactOptional(),
  problems: z.array(z.object({ file: z.string(), rule: z.string(), message: z.string() })),
  checklist: z.array(
    z.object({
      label: z.string(),
      state: z.enum(["ok", "missing", "incomplete", "stale", "optional", "blocked"]),
      detail: z.string().exactOptional(),
    }),
  ),
  assets: z.array(assetStatus),
  tracks: z.array(
    z.object({
      trackId: z.string(),
      path: z.string(),
      label: z.string().exactOptional(),
      role: z.string().exactOptional(),
    }),
  ),
  nextSteps: z.array(z.object({ command: z.string(), why: z.string() })),
  /** Programs under `agents` of `episode.yaml` that are not there; absent where nobody looked. */
  missingAgents: z.array(z.object({ role: z.string(), program: z.string() })),
});

/** How the loop of one asset stands after `episode review`. */
export interface ReviewedAssetView {
  readonly assetId: string;
  readonly outcome: "converged" | "needs_human" | "in_progress";
  readonly reason?: string;
  readonly iteration: number;
  readonly maxIterations: number;
  readonly verdict?: "ok" | "changes_requested" | "needs_human";
  readonly selected?: string;
  readonly isUnchanged: boolean;
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string };
}

/** What `episode review --json` prints. */
export const episodeReviewShape = z.object({
  workspace: z.string(),
  runId: z.string().exactOptional(),
  standIn: z.boolean(),
  assets: z.array(
    z.object({
      assetId: z.string(),
      outcome: z.enum(["converged", "needs_human", "in_progress"]),
      reason: z.string().exactOptional(),
      iteration: z.int(),
      maxIterations: z.int(),
      verdict: z.enum(["ok", "changes_requested", "needs_human"]).exactOptional(),
      selected: z.string().exactOptional(),
      isUnchanged: z.boolean(),
      error: z
        .object({ code: z.string(), message: z.string(), hint: z.string().exactOptional() })
        .exactOptional(),
    }),
  ),
});

export interface EpisodeReviewView {
  readonly workspace: string;
  readonly runId?: string;
  readonly standIn: boolean;
  readonly assets: readonly ReviewedAssetView[];
}

export function episodeStatusToJson(
  workspace: string,
  status: EpisodeStatus,
  looked: { readonly missingAgents: readonly { role: string; program: string }[] },
): Json {
  return toWire(episodeStatusShape, { workspace, ...status, ...looked }, { absent: "null" });
}

export function episodeReviewToJson(view: EpisodeReviewView): Json {
  return toWire(episodeReviewShape, view, { absent: "null" });
}
