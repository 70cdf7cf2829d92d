import { infiniteQueryOptions, queryOptions, skipToken } from "@tanstack/react-query";
import type { AnswerOf, CallOf } from "../../src/contract/http/route.ts";
import type { Routes } from "../../src/contract/http/routes.ts";
import { ask } from "./client.ts";

export type Run = AnswerOf<Routes["GET /api/v1/runs"]>["runs"][number];
export type RunDetail = AnswerOf<Routes["GET /api/v1/runs/:run_id"]>;
export type Session = AnswerOf<Routes["GET /api/v1/drafts/:run_id"]>;
export type Turns = AnswerOf<Routes["GET /api/v1/drafts/:run_id/turns"]>;
export type Iteration = Turns["turns"][number];
export type LedgerEntry = Iteration["ledger"][number];
export type Ruling = AnswerOf<Routes["GET /api/v1/drafts/:run_id/rulings"]>["rulings"][number];
export type InboxItem = AnswerOf<Routes["GET /api/v1/inbox"]>["items"][number];
export type Costs = AnswerOf<Routes["GET /api/v1/costs"]>;
export type Call = AnswerOf<Routes["GET /api/v1/runs/:run_id/calls"]>["calls"][number];

export type RunsQuery = NonNullable<CallOf<Routes["GET /api/v1/runs"]>["query"]>;
export type Home = AnswerOf<Routes["GET /api/v1/home"]>;

const pageSize = 100;

type RunsPage = AnswerOf<Routes["GET /api/v1/runs"]>;

/** A page of runs. A search that found none among those the server read goes on with older ones. */
export async function readRuns(query: RunsQuery): Promise<RunsPage> {
  let page = await ask("GET /api/v1/runs", { query });
  while (page.runs.length === 0 && page.next_cursor !== null) {
    page = await ask("GET /api/v1/runs", { query: { ...query, cursor: page.next_cursor } });
  }
  return page;
}

export function runsPages(filter: Omit<RunsQuery, "cursor" | "limit">) {
  return infiniteQueryOptions({
    queryKey: ["runs", filter],
    queryFn: ({ pageParam }) =>
      readRuns({ limit: pageSize, ...filter, ...(pageParam === "" ? {} : { cursor: pageParam }) }),
    initialPageParam: "",
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });
}

/** Decisions by other programs are seen by looking again. */
export const home = queryOptions({
  queryKey: ["home"],
  queryFn: () => ask("GET /api/v1/home", {}),
  refetchInterval: 15_000,
});

/** How many items need a person: the stream of events says it. */
export const waiting = queryOptions<number>({ queryKey: ["waiting"], queryFn: skipToken });

export function partsOf(run: string) {
  return queryOptions({
    queryKey: ["run", run, "parts"],
    queryFn: () => ask("GET /api/v1/runs/:run_id/parts", { params: { run_id: run } }),
  });
}

export function runOf(run: string) {
  return queryOptions({
    queryKey: ["run", run],
    queryFn: () => ask("GET /api/v1/runs/:run_id", { params: { run_id: run } }),
  });
}

export function sessionOf(run: string) {
  return queryOptions({
    queryKey: ["run", run, "session"],
    queryFn: () => ask("GET /api/v1/drafts/:run_id", { params: { run_id: run } }),
  });
}

export function turnsOf(run: string) {
  return queryOptions({
    queryKey: ["run", run, "turns"],
    queryFn: () => ask("GET /api/v1/drafts/:run_id/turns", { params: { run_id: run } }),
  });
}

export function rulingsOf(run: string) {
  return queryOptions({
    queryKey: ["run", run, "rulings"],
    queryFn: () => ask("GET /api/v1/drafts/:run_id/rulings", { params: { run_id: run } }),
  });
}

export function callsOf(run: string) {
  return queryOptions({
    queryKey: ["run", run, "calls"],
    queryFn: () =>
      ask("GET /api/v1/runs/:run_id/calls", { params: { run_id: run }, query: { limit: 200 } }),
  });
}

/** Recorded calls never change. */
export function exchangeOf(run: string, key: string) {
  return queryOptions({
    queryKey: ["exchange", run, key],
    queryFn: () =>
      ask("GET /api/v1/runs/:run_id/call", { params: { run_id: run }, query: { key } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Decisions by other programs are seen by looking again; what does not fit comes up as the oldest are decided. */
export const inbox = queryOptions({
  queryKey: ["inbox"],
  queryFn: () => ask("GET /api/v1/inbox", { query: { limit: 200 } }),
  refetchInterval: 10_000,
});

export function costsOf(days: number) {
  return queryOptions({
    queryKey: ["costs", days],
    queryFn: () => ask("GET /api/v1/costs", { query: { days } }),
  });
}

export const recipes = queryOptions({
  queryKey: ["recipes"],
  queryFn: () => ask("GET /api/v1/recipes", {}),
});

export const models = queryOptions({
  queryKey: ["models"],
  queryFn: () => ask("GET /api/v1/models", {}),
});

export const sessionInfo = queryOptions({
  queryKey: ["session"],
  queryFn: () => ask("GET /api/v1/session", {}),
  staleTime: 60_000,
});

export const attention = queryOptions({
  queryKey: ["attention"],
  queryFn: () => ask("GET /api/v1/attention", {}),
  refetchInterval: 30_000,
});
