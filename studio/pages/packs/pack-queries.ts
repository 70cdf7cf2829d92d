import { queryOptions } from "@tanstack/react-query";
import type { AnswerOf } from "../../../src/contract/http/route.ts";
import type { Routes } from "../../../src/contract/http/routes.ts";
import { ask } from "../../api/client.ts";

export type Pack = AnswerOf<Routes["GET /api/v1/packs"]>["packs"][number];
export type PackRun = Pack["recent"][number];
export type Report = AnswerOf<Routes["GET /api/v1/pack-runs/:run_id"]>;
export type Scenario = Report["scenarios"][number];
export type Step = Scenario["steps"][number];
export type Verdict = AnswerOf<Routes["GET /api/v1/pack-runs/:run_id/verdict"]>;
export type PackSteps = AnswerOf<Routes["GET /api/v1/packs/:pack_id/steps"]>;
export type Comparison = AnswerOf<Routes["GET /api/v1/pack-comparison"]>;

/** Runs that a terminal plays are seen by looking again. */
const refetchInterval = 10_000;

export const packs = queryOptions({
  queryKey: ["packs"],
  queryFn: () => ask("GET /api/v1/packs", {}),
  refetchInterval,
});

export function packOf(pack: string) {
  return queryOptions({
    queryKey: ["packs", pack],
    queryFn: () => ask("GET /api/v1/packs/:pack_id", { params: { pack_id: pack } }),
    refetchInterval,
  });
}

export function packStepsOf(pack: string) {
  return queryOptions({
    queryKey: ["packs", pack, "steps"],
    queryFn: () => ask("GET /api/v1/packs/:pack_id/steps", { params: { pack_id: pack } }),
  });
}

export function reportOf(run: string) {
  return queryOptions({
    queryKey: ["packs", "run", run],
    queryFn: () => ask("GET /api/v1/pack-runs/:run_id", { params: { run_id: run } }),
    enabled: run !== "",
  });
}

export function verdictOf(run: string) {
  return queryOptions({
    queryKey: ["packs", "run", run, "verdict"],
    queryFn: () => ask("GET /api/v1/pack-runs/:run_id/verdict", { params: { run_id: run } }),
  });
}

/** What an assistant sent never changes. */
export function payloadOf(run: string, scenario: string, step: string) {
  return queryOptions({
    queryKey: ["payload", run, scenario, step],
    queryFn: () =>
      ask("GET /api/v1/pack-runs/:run_id/scenarios/:scenario_id/steps/:step_id", {
        params: { run_id: run, scenario_id: scenario, step_id: step },
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function comparisonOf(before: string, after: string) {
  return queryOptions({
    queryKey: ["packs", "comparison", before, after],
    queryFn: () => ask("GET /api/v1/pack-comparison", { query: { before, after } }),
    enabled: before !== "" && after !== "",
  });
}
