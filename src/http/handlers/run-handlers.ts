import { defined } from "../../domain/values/defined.ts";
import { type RunId, runId } from "../../domain/values/ids.ts";
import { type Instant, instant, instantFromMillis } from "../../domain/values/instant.ts";
import type { Json } from "../../domain/values/json.ts";
import { successorOf } from "../../orchestration/drafting/rule-on-draft.ts";
import { cancelRun } from "../../orchestration/runs/cancel-run.ts";
import { listParts, loadOverview, unknownRun } from "../../orchestration/runs/list-runs.ts";
import { loadCosts } from "../../orchestration/runs/load-costs.ts";
import { loadExchange } from "../../orchestration/runs/load-exchange.ts";
import { finishedByKind, loadHome } from "../../orchestration/runs/load-home.ts";
import { searchRuns } from "../../orchestration/runs/search-runs.ts";
import type { Ending } from "../../ports/flow.ts";
import type { LedgerLine, RunState } from "../../ports/run-store.ts";
import { currentStages } from "../current-stages.ts";
import { pageOf, readCursor, writeCursor } from "../cursor.ts";
import { streamAll, streamRun } from "../event-streams.ts";
import { type HandlersFor, ok } from "../handler.ts";
import { rememberBriefly } from "../remember-briefly.ts";
import type { StudioParts } from "../studio-parts.ts";

export const usualPage = 50;
const usualDays = 7;
/** Lines that a search reads for the first page, which is then as fast with 100,000 runs as with 100, and for others. */
const mostLines = { first: 4_000, later: 40_000 };

type RunRoutes =
  | "GET /api/v1/home"
  | "GET /api/v1/costs"
  | "GET /api/v1/events"
  | "GET /api/v1/runs"
  | `${"GET" | "POST"} /api/v1/runs/:run_id${string}`;

export function runHandlers(parts: StudioParts): HandlersFor<RunRoutes> {
  const { source, engine, clock } = parts;
  const costsOf = rememberBriefly(clock, (days: number) => loadCosts(source, clock.now(), days));
  const finishedOf = rememberBriefly(clock, () => finishedByKind(source));
  return {
    "GET /api/v1/home": async () =>
      ok(
        await loadHome(source, {
          stages: (await currentStages(parts)).stages,
          days: (await costsOf(usualDays)).days,
          finished: await finishedOf(undefined),
        }),
      ),
    "GET /api/v1/costs": async ({ query }) => ok(await costsOf(query.days ?? usualDays)),
    "GET /api/v1/events": async (request) => streamAll(parts, request),
    "GET /api/v1/runs": async ({ query }) => ok(await pageOfRuns(parts, query)),
    "GET /api/v1/runs/:run_id": async ({ params }) =>
      ok(await loadDetail(parts, runId(params.runId))),
    "GET /api/v1/runs/:run_id/parts": async ({ params }) => {
      const run = runId(params.runId);
      await requireRun(parts, run);
      return ok({ runs: await listParts(source, run) });
    },
    "GET /api/v1/runs/:run_id/events": async (request) => {
      const run = runId(request.params.runId);
      await requireRun(parts, run);
      return streamRun(parts, run, request);
    },
    "GET /api/v1/runs/:run_id/calls": async ({ params, query }) => {
      const run = runId(params.runId);
      await requireRun(parts, run);
      return ok(await pageOfCalls(parts, run, query));
    },
    "GET /api/v1/runs/:run_id/call": async ({ params, query }) =>
      ok(await loadExchange(source.store.runs, runId(params.runId), query.key)),
    "POST /api/v1/runs/:run_id/cancel": async ({ params, body }) =>
      ok(await cancelAndLoad(parts, runId(params.runId), body.reason)),
    "POST /api/v1/runs/:run_id/resume": async ({ params, body }) => {
      await engine.resume(runId(params.runId), body);
      return started(params.runId);
    },
  };
}

/** The answer to requests that start work: where to follow it. */
export function started(run: string) {
  const location = `/api/v1/runs/${run}`;
  return {
    status: 202 as const,
    headers: { location },
    value: { runId: run, events: `${location}/events` },
  };
}

interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

interface RunsQuery extends PageQuery {
  readonly state?: RunState;
  readonly kind?: string;
  readonly text?: string;
  readonly since?: string;
  readonly until?: string;
  readonly minMicroUsd?: number;
  readonly outcome?: string;
  readonly parts?: "shown" | "hidden";
}

export async function pageOfRuns(
  { source }: StudioParts,
  { limit = usualPage, cursor, since, until, parts, ...filter }: RunsQuery,
) {
  const { runs, next } = await searchRuns(source, {
    ...filter,
    ...{ limit, topOnly: parts === "hidden" },
    mostLines: cursor === undefined ? mostLines.first : mostLines.later,
    ...(since === undefined ? {} : { since: startOf(since) }),
    ...(until === undefined ? {} : { until: startOf(until, 1) }),
    ...(cursor === undefined ? {} : { after: runCursor(cursor) }),
  });
  return { runs, ...(next && { nextCursor: writeCursor([next.createdAt, next.run]) }) };
}

/** Of a day in UTC, or of one a few days later. */
function startOf(day: string, daysLater = 0): Instant {
  return instantFromMillis(Date.parse(`${day}T00:00:00.000Z`) + daysLater * 86_400_000);
}

async function loadDetail(parts: StudioParts, run: RunId) {
  const { source, files } = parts;
  const found = await loadOverview(source, run);
  if (found === undefined) throw unknownRun(run);
  const { overview, record } = found;
  const rulings = await source.store.read((repos) => repos.rulings.of(run));
  const followedBy = await successorOf({ ...parts, store: source.store }, rulings);
  const { follows } = (record.job.input ?? {}) as { readonly follows?: Json };
  const isMoving = overview.state === "running" || overview.state === "queued";
  return {
    ...overview,
    ...(record.ending === undefined || isMoving ? {} : { ending: endingOf(record.ending) }),
    ...(typeof follows === "string" ? { follows } : {}),
    ...defined({ followedBy, heldSince: record.holder?.since }),
    record: files.location(run),
    version: rulings.length,
  };
}

export async function cancelAndLoad(parts: StudioParts, run: RunId, reason: string) {
  await requireRun(parts, run);
  await cancelRun({ store: parts.source.store, engine: parts.engine }, run, reason);
  return loadDetail(parts, run);
}

async function requireRun({ source }: StudioParts, run: RunId): Promise<void> {
  if ((await source.store.runs.load(run)) === undefined) throw unknownRun(run);
}

function runCursor(text: string) {
  const [createdAt, run] = readCursor(text, ["string", "string"]);
  return { createdAt: instant(String(createdAt)), run: runId(String(run)) };
}

async function pageOfCalls(
  { source }: StudioParts,
  run: RunId,
  { limit = usualPage, cursor }: PageQuery,
) {
  const after = cursor === undefined ? undefined : callCursor(cursor);
  const found = await source.store.read((repos) =>
    repos.ledger.lines(run, { limit: limit + 1, ...defined({ after }) }),
  );
  const { items, next } = pageOf(found, limit, ({ run, key, attempt }) => [run, key, attempt]);
  return { calls: items.map(callOf), ...next };
}

function callCursor(text: string) {
  const [run, key, attempt] = readCursor(text, ["string", "string", "number"]);
  return { run: runId(String(run)), key: String(key), attempt: Number(attempt) };
}

function callOf({ run, error, ...line }: LedgerLine) {
  const { code, message } = (error ?? {}) as { readonly code?: Json; readonly message?: Json };
  return {
    runId: run,
    ...line,
    ...(error === undefined ? {} : { error: { code: String(code), message: String(message) } }),
  };
}

function endingOf(ending: Ending) {
  const { kind } = ending;
  switch (ending.kind) {
    case "failed":
      return { kind, code: ending.error.code, message: ending.error.message };
    case "stopped":
      return { kind, code: ending.reason };
    case "cancelled":
      return { kind, message: ending.reason };
    case "finished":
    case "waiting":
      return { kind };
  }
}
