import { type Instant, instant, instantFromMillis, millisOf } from "../../domain/values/instant.ts";
import type { LedgerTotals } from "../../ports/repos.ts";
import type { RunSource } from "./list-runs.ts";

export interface Spending {
  readonly calls: number;
  readonly failed: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  readonly microUsd: number;
  readonly unpriced: number;
  readonly seconds: number;
}

export interface Costs {
  /** Oldest first; a run belongs to the day it was created on, in UTC. */
  readonly days: readonly (Spending & { readonly day: string; readonly runs: number })[];
  readonly models: readonly (Spending & { readonly model: string })[];
}

const dayMillis = 86_400_000;

/** What the runs of the last days have spent. The store adds up from a moment on; days are the differences. */
export async function loadCosts(source: RunSource, now: Instant, days: number): Promise<Costs> {
  const today = millisOf(instant(`${now.slice(0, 10)}T00:00:00.000Z`));
  const starts = Array.from({ length: days }, (_, at) => today - (days - 1 - at) * dayMillis);
  return source.store.read(async ({ stats }) => {
    const since = await Promise.all(
      starts.map(async (start) => {
        const from = instantFromMillis(start);
        const counts = await stats.runs(from);
        const costs = await stats.costs(from);
        return { runs: counts.reduce((sum, { runs }) => sum + runs, 0), costs };
      }),
    );
    return {
      days: starts.map((start, at) => {
        const later = since[at + 1];
        const until = spendingOf(later?.costs ?? []);
        const from = spendingOf(since[at]?.costs ?? []);
        return {
          day: instantFromMillis(start).slice(0, 10),
          runs: (since[at]?.runs ?? 0) - (later?.runs ?? 0),
          ...minus(from, until),
        };
      }),
      models: byModel(since[0]?.costs ?? []),
    };
  });
}

function byModel(costs: readonly LedgerTotals[]): Costs["models"] {
  const models = [...new Set(costs.map(({ model }) => model))].sort();
  return models.map((model) => ({
    model,
    ...spendingOf(costs.filter((one) => one.model === model)),
  }));
}

function spendingOf(costs: readonly LedgerTotals[]): Spending {
  const sum = (of: (one: LedgerTotals) => number) => costs.reduce((all, one) => all + of(one), 0);
  return {
    calls: sum(({ attempts }) => attempts),
    failed: sum(({ failed, lost }) => failed + lost),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    cachedInputTokens: sum(({ cachedInputTokens }) => cachedInputTokens),
    microUsd: sum(({ microUsd }) => microUsd),
    unpriced: sum(({ unpriced }) => unpriced),
    seconds: sum(({ seconds }) => seconds),
  };
}

function minus(a: Spending, b: Spending): Spending {
  return {
    calls: a.calls - b.calls,
    failed: a.failed - b.failed,
    inputTokens: a.inputTokens - b.inputTokens,
    outputTokens: a.outputTokens - b.outputTokens,
    cachedInputTokens: a.cachedInputTokens - b.cachedInputTokens,
    microUsd: a.microUsd - b.microUsd,
    unpriced: a.unpriced - b.unpriced,
    seconds: Math.max(0, a.seconds - b.seconds),
  };
}
