import { queryOptions } from "@tanstack/react-query";
import type { AnswerOf, CallOf } from "../../../src/contract/http/route.ts";
import type { Routes } from "../../../src/contract/http/routes.ts";
import { ask } from "../../api/client.ts";

export type StageLine = AnswerOf<Routes["GET /api/v1/stages"]>["stages"][number];
export type StageDetail = AnswerOf<Routes["GET /api/v1/stages/:stage_id"]>;
export type StepTaken = AnswerOf<Routes["POST /api/v1/stages/:stage_id/steps"]>;
export type Step = CallOf<Routes["POST /api/v1/stages/:stage_id/steps"]>["body"]["step"];
export type Stage = StageDetail["stage"];
export type Repair = StageDetail["repairs"][number];
export type Validation = Repair["validations"][number];
export type HistoryEntry = Stage["history"][number];

/** Steps that a terminal takes are seen by looking again, and sooner while a loop or a coder is at work. */
const refetchInterval = 10_000;
const soon = 2_000;

export const stages = queryOptions({
  queryKey: ["stages"],
  queryFn: () => ask("GET /api/v1/stages", {}),
  refetchInterval,
});

export function stageOf(stage: string) {
  return queryOptions({
    queryKey: ["stages", stage],
    queryFn: () => ask("GET /api/v1/stages/:stage_id", { params: { stage_id: stage } }),
    refetchInterval: ({ state: { data } }) =>
      data?.stage.is_at_work === true || data?.loop?.is_playing === true ? soon : refetchInterval,
  });
}

export function documentOf(stage: string, document: string) {
  return queryOptions({
    queryKey: ["stages", stage, "document", document],
    queryFn: () =>
      ask("GET /api/v1/stages/:stage_id/documents/:document_id", {
        params: { stage_id: stage, document_id: document },
      }),
  });
}
