import { queryOptions } from "@tanstack/react-query";
import type { AnswerOf } from "../../../src/contract/http/route.ts";
import type { Routes } from "../../../src/contract/http/routes.ts";
import { defined } from "../../../src/domain/values/defined.ts";
import { ask } from "../../api/client.ts";

export type Pair = AnswerOf<Routes["GET /api/v1/notes/pair"]>;
export type Finding = NonNullable<Pair["review"]>["findings"][number];
export type Plan = AnswerOf<Routes["POST /api/v1/notes/plan"]>;

export interface PairPlace {
  readonly noteId: string;
  readonly gate: string;
  readonly model?: string;
}

export function matrixOf(model: string | undefined) {
  return queryOptions({
    queryKey: ["notes", "matrix", model],
    queryFn: () => ask("GET /api/v1/notes/matrix", { query: model === undefined ? {} : { model } }),
    staleTime: 30_000,
  });
}

export function stalenessOf(model: string | undefined) {
  return queryOptions({
    queryKey: ["notes", "matrix", model, "staleness"],
    queryFn: () => ask("GET /api/v1/notes/staleness", { query: defined({ model }) }),
    staleTime: 30_000,
  });
}

export function pairOf({ noteId, gate, model }: PairPlace) {
  return queryOptions({
    queryKey: ["notes", "pair", noteId, gate, model],
    queryFn: () =>
      ask("GET /api/v1/notes/pair", {
        query: { note_id: noteId, gate, ...defined({ model }) },
      }),
  });
}

export const work = queryOptions({
  queryKey: ["notes", "work"],
  queryFn: () => ask("GET /api/v1/notes/work", { query: {} }),
});

/** Polled while a review is running. */
export const reviewProgress = queryOptions({
  queryKey: ["notes", "review"],
  queryFn: () => ask("GET /api/v1/notes/review", {}),
  refetchInterval: ({ state }) => (state.data?.state === "running" ? 500 : false),
});
