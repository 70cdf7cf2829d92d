import { z } from "zod";
import { callsShape, costsShape, exchangeShape } from "./calls.ts";
import { sessionShapes } from "./draft-session.ts";
import { newDraftShape, newRulingShape, ruledShape, turnsShape } from "./drafts.ts";
import { episodeRoutes } from "./episode-routes.ts";
import { homeShape } from "./home.ts";
import { inboxShape } from "./inbox.ts";
import { noteRoutes } from "./note-routes.ts";
import { packRoutes } from "./packs.ts";
import { by, itemIdShape, pageQuery, reason, runIdShape, startedShape } from "./parts.ts";
import { attentionShape, sessionInfoShape } from "./people.ts";
import type { RouteTable } from "./route.ts";
import { rulingsShape } from "./rulings.ts";
import { runDetailShape, runsShape } from "./runs.ts";
import { sloganAnswerShape, sloganRequestShape } from "./slogans.ts";
import { stageRoutes } from "./stages.ts";
import { healthShape, modelsShape, recipesShape, settingsShape } from "./surroundings.ts";

const run = z.object({ runId: runIdShape });
const state = z
  .enum(["queued", "running", "waiting", "finished", "stopped", "failed", "cancelled"])
  .exactOptional();
const day = z.iso.date().exactOptional();
const cancelling = {
  params: run,
  body: z.strictObject({ reason }),
  answers: { 200: runDetailShape },
  problems: ["run-unknown", "run-over"],
} as const;
const resuming = {
  params: run,
  body: z.strictObject({ acceptChanges: z.boolean().exactOptional() }),
  answers: { 202: startedShape },
  problems: ["run-unknown", "run-over", "run-held"],
} as const;

/**
 * Every request the server understands: it registers from this table, the studio's client is typed by it, and
 * the OpenAPI document is written from it. A line that is not here does not exist.
 */
export const routes = {
  "GET /api/v1/session": {
    summary: "Who is signed in, and who may do what",
    answers: { 200: sessionInfoShape },
  },
  "POST /api/v1/session": {
    role: "look",
    summary: "Exchange a token for a cookie: the printed address's, or a person's own",
    isPublic: true,
    body: z.strictObject({ token: z.string().max(200) }),
    answers: { 204: "none" },
    problems: ["token-wrong"],
  },
  "DELETE /api/v1/session": {
    role: "look",
    summary: "End the session of this browser",
    answers: { 204: "none" },
  },
  "GET /api/v1/health": {
    summary: "Whether store and models answer",
    answers: { 200: healthShape, 503: healthShape },
  },
  "GET /api/v1/models": {
    summary: "Models that can be named in a draft",
    answers: { 200: modelsShape },
  },
  "GET /api/v1/recipes": {
    summary: "Kinds of text that can be written",
    answers: { 200: recipesShape },
  },
  "GET /api/v1/settings": {
    summary: "Every setting with its source, without secrets",
    answers: { 200: settingsShape },
  },
  "GET /api/v1/home": {
    summary: "What waits, runs and was approved lately, with counts over the whole store",
    answers: { 200: homeShape },
  },
  "GET /api/v1/costs": {
    summary: "What the runs of the last days have spent",
    query: z.object({ days: z.coerce.number().int().min(1).max(31).exactOptional() }),
    answers: { 200: costsShape },
  },
  "GET /api/v1/events": {
    summary:
      "What happens in all runs, live; `reset` asks to read everything again, `waiting` counts the items of the inbox",
    answers: { 200: "events" },
  },
  "GET /api/v1/runs": {
    summary:
      "Runs, newest first. A search for words or a cost reads some thousand runs for each page, which may be short or empty: go on as long as there is a `next_cursor`",
    query: z.object({
      ...{ ...pageQuery, state },
      kind: z.string().max(40).exactOptional(),
      text: z.string().max(200).exactOptional(),
      since: day,
      until: day,
      minMicroUsd: z.coerce.number().int().min(0).exactOptional(),
      outcome: z.string().max(40).exactOptional(),
      /** Whether scenarios of packs, texts of episodes and calls of reviews are listed by themselves. */
      parts: z.enum(["shown", "hidden"]).exactOptional(),
    }),
    answers: { 200: runsShape },
    problems: ["cursor-invalid"],
  },
  "GET /api/v1/runs/:run_id": {
    summary: "One run",
    params: run,
    answers: { 200: runDetailShape },
    problems: ["run-unknown"],
  },
  "GET /api/v1/runs/:run_id/parts": {
    summary: "The runs that are parts of a run, in the order they were started",
    params: run,
    answers: { 200: runsShape },
    problems: ["run-unknown"],
  },
  "GET /api/v1/runs/:run_id/events": {
    summary: "The run's events from the first or from `Last-Event-ID` on, then live until it stops",
    params: run,
    answers: { 200: "events" },
    problems: ["run-unknown"],
  },
  "GET /api/v1/runs/:run_id/calls": {
    summary: "The cost ledger of a run: every physical attempt",
    params: run,
    query: z.object(pageQuery),
    answers: { 200: callsShape },
    problems: ["run-unknown", "cursor-invalid"],
  },
  "GET /api/v1/runs/:run_id/call": {
    summary: "Prompt and raw reply of one recorded call",
    params: run,
    query: z.object({ key: z.string().min(1).max(300) }),
    answers: { 200: exchangeShape },
    problems: ["run-unknown", "call-unknown"],
  },
  "POST /api/v1/runs/:run_id/cancel": {
    role: "run",
    summary: "End a run for good",
    ...cancelling,
  },
  "POST /api/v1/runs/:run_id/resume": {
    role: "run",
    summary: "Resume a run that was interrupted, stopped or failed; nothing is asked twice",
    ...resuming,
  },
  "GET /api/v1/drafts": {
    summary: "Drafting runs, newest first",
    query: z.object({ ...pageQuery, state }),
    answers: { 200: runsShape },
    problems: ["cursor-invalid"],
  },
  "POST /api/v1/drafts": {
    role: "run",
    summary: "Start a draft",
    isCreate: true,
    body: newDraftShape,
    mostBytes: 16 * 1024 * 1024,
    answers: { 202: startedShape },
    problems: ["request-invalid", "recipe-unknown", "model-not-found", "idempotency-key-reused"],
  },
  "GET /api/v1/drafts/:run_id": {
    summary: "The session, as `signoff runs show --json` prints it",
    params: run,
    answers: { 200: sessionShapes().answer },
    problems: ["run-unknown"],
  },
  "GET /api/v1/drafts/:run_id/turns": {
    summary: "Every turn with its issues, and the state of the loop",
    params: run,
    answers: { 200: turnsShape },
    problems: ["run-unknown"],
  },
  "POST /api/v1/drafts/:run_id/cancel": {
    role: "run",
    summary: "End a draft for good",
    ...cancelling,
  },
  "POST /api/v1/drafts/:run_id/resume": {
    role: "run",
    summary: "Resume a draft",
    ...resuming,
  },
  "GET /api/v1/drafts/:run_id/rulings": {
    summary: "What people decided about a draft",
    params: run,
    answers: { 200: rulingsShape },
    problems: ["run-unknown"],
  },
  "POST /api/v1/drafts/:run_id/rulings": {
    role: "decide",
    summary: "Approve, request changes or edit, as a person",
    params: run,
    body: newRulingShape,
    answers: { 201: ruledShape },
    problems: [
      "run-unknown",
      "run-undecided",
      "run-not-a-draft",
      "already-decided",
      "turn-unknown",
    ],
  },
  "GET /api/v1/attention": {
    summary: "What other people have open to decide on it",
    answers: { 200: attentionShape },
  },
  "POST /api/v1/attention": {
    role: "decide",
    summary: "Show others that this is being worked on; ends after a minute unless repeated",
    body: z.strictObject({ item: itemIdShape, isOver: z.boolean().exactOptional() }),
    answers: { 204: "none" },
  },
  "GET /api/v1/inbox": {
    summary: "What waits for a person, oldest first",
    query: z.object(pageQuery),
    answers: { 200: inboxShape },
    problems: ["cursor-invalid"],
  },
  "POST /api/v1/inbox/:item_id/decide": {
    role: "decide",
    summary: "Answer a question; the run that waits for it continues",
    params: z.object({ itemId: itemIdShape }),
    body: z.strictObject({
      version: z.int().min(0),
      choice: z.string().max(200),
      comment: z.string().max(2_000).exactOptional(),
      text: z.string().max(100_000).exactOptional(),
      by,
    }),
    answers: { 202: startedShape },
    problems: ["decision-unknown", "already-decided", "choice-unknown"],
  },
  ...episodeRoutes,
  ...noteRoutes,
  ...packRoutes,
  ...stageRoutes,
  "POST /api/v1/slogans/generate": {
    role: "run",
    summary: "Write a slogan and wait for it, as the original service did",
    isCreate: true,
    body: sloganRequestShape,
    answers: { 200: sloganAnswerShape },
    problems: ["model-not-found", "too-many-runs", "service-unavailable", "generation-timeout"],
  },
  "GET /metrics": {
    summary: "Figures for Prometheus",
    answers: { 200: "text" },
  },
} as const satisfies RouteTable;

export type Routes = typeof routes;
export type RouteName = keyof Routes;
