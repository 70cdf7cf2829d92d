import { atLeast } from "../../domain/models/known-amounts.ts";
import { defined } from "../../domain/values/defined.ts";
import { type Instant, instant, instantFromMillis, millisOf } from "../../domain/values/instant.ts";
import type { LedgerTotals } from "../../ports/repos.ts";
import { addUp, spentOf } from "./add-up.ts";
import type { RunSource } from "./list-runs.ts";

export type Spending = ReturnType<typeof spendingOf>;

export interface Costs {
  /** Oldest first; a run belongs to the day it was created on, in UTC. */
  readonly days: readonly (Spending & { readonly day: string; readonly runs: number })[];
  readonly models: readonly (Spending & { readonly model: string })[];
  /** Each model on each day on which it was asked. */
  readonly cells: readonly (Spending & { readonly day: string; readonly model: string })[];
  readonly kinds: readonly (Spending & { readonly kind: string })[];
}

const dayMillis = 86_400_000;

/** What the runs of the last days have spent. */
export async function loadCosts(source: RunSource, now: Instant, days: number): Promise<Costs> {
  const today = millisOf(instant(`${now.slice(0, 10)}T00:00:00.000Z`));
  const starts = Array.from({ length: days }, (_, at) =>
    instantFromMillis(today - (days - 1 - at) * dayMillis),
  );
  const since = starts[0] ?? now;
  return source.store.read(async ({ stats }) => {
    const counts = new Map((await stats.runsByDay(since)).map(({ day, runs }) => [day, runs]));
    const costs = await stats.costsByDay(since);
    return {
      days: starts.map((start) => {
        const day = start.slice(0, 10);
        const ofDay = costs.filter((one) => one.day === day);
        return { day, runs: counts.get(day) ?? 0, ...spendingOf(ofDay) };
      }),
      models: byModel(costs),
      cells: costs.map(({ day, model, ...totals }) => ({
        ...{ day, model, ...spendingOf([{ ...totals, model }]) },
      })),
      kinds: byKind(await stats.costs(since)),
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

function byKind(costs: readonly (LedgerTotals & { readonly kind: string })[]): Costs["kinds"] {
  const kinds = [...new Set(costs.map(({ kind }) => kind))].sort();
  return kinds.map((kind) => ({
    kind,
    ...spendingOf(costs.filter((one) => one.kind === kind)),
  }));
}

function spendingOf(costs: readonly LedgerTotals[]) {
  const sums = addUp(costs);
  const { attempts, failed, lost, cachedInputTokens, uncounted } = sums;
  return {
    ...{ calls: attempts, failed: failed + lost, cachedInputTokens, ...spentOf(costs) },
    ...defined({
      inputTokens: atLeast(sums.inputTokens, uncounted),
      outputTokens: atLeast(sums.outputTokens, uncounted),
    }),
  };
}
