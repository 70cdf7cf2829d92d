import { averageDurationPerTurn, succeeded } from "../../domain/drafting/session.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import type { Instant } from "../../domain/values/instant.ts";
import type { RunCursor } from "../../ports/repos.ts";
import { loadSession } from "../drafting/load-session.ts";
import type { RunSource } from "./list-runs.ts";

/** Drafting runs of one recipe by one writer's model. */
export interface DraftStats {
  readonly recipe: string;
  readonly model: string;
  /** Runs that came to a decision; unfinished ones say nothing yet. */
  readonly runs: number;
  readonly approved: number;
  readonly approvalRate: number;
  readonly averageTurns: number;
  readonly secondsPerTurn: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Absent when the price of any call is unknown. */
  readonly microUsd?: number;
}

interface Sum {
  readonly recipe: string;
  readonly model: string;
  runs: number;
  approved: number;
  turns: number;
  seconds: number;
  inputTokens: number;
  outputTokens: number;
  microUsd: number | undefined;
}

const page = 200;

/** Average turns, seconds per turn and approval rate per recipe and model, of runs created at or after a time. */
export async function draftStats(
  source: RunSource,
  since: Instant,
): Promise<readonly DraftStats[]> {
  const sums = new Map<string, Sum>();
  let after: RunCursor | undefined;
  for (;;) {
    const runs = await source.store.read(({ runs: list }) =>
      list.list({ limit: page, kind: "draft", state: "finished", ...(after && { after }) }),
    );
    for (const { run, createdAt } of runs) {
      if (createdAt >= since) await add(sums, source, run);
    }
    const last = runs.at(-1);
    if (last === undefined || runs.length < page || last.createdAt < since) return statsOf(sums);
    after = { createdAt: last.createdAt, run: last.run };
  }
}

async function add(sums: Map<string, Sum>, { store }: RunSource, run: RunId): Promise<void> {
  const session = (await loadSession(store, run))?.session;
  if (session === undefined) return;
  const { recipe, modelName: model, turns, usage } = session;
  const key = JSON.stringify([recipe, model]);
  const sum = sums.get(key) ?? emptySum(recipe, model);
  sums.set(key, sum);
  sum.runs += 1;
  sum.approved += succeeded(session) ? 1 : 0;
  sum.turns += turns.length;
  sum.seconds += (averageDurationPerTurn(session) ?? 0) * turns.length;
  sum.inputTokens += usage.inputTokens;
  sum.outputTokens += usage.outputTokens;
  const isPriced = sum.microUsd !== undefined && usage.microUsd !== undefined;
  sum.microUsd = isPriced ? (sum.microUsd ?? 0) + (usage.microUsd ?? 0) : undefined;
}

function emptySum(recipe: string, model: string): Sum {
  const none = { runs: 0, approved: 0, turns: 0, seconds: 0, inputTokens: 0, outputTokens: 0 };
  return { recipe, model, ...none, microUsd: 0 };
}

function statsOf(sums: ReadonlyMap<string, Sum>): readonly DraftStats[] {
  return [...sums.values()]
    .map(({ turns, seconds, microUsd, ...sum }) => ({
      ...sum,
      approvalRate: sum.approved / sum.runs,
      averageTurns: turns / sum.runs,
      secondsPerTurn: turns === 0 ? 0 : seconds / turns,
      ...defined({ microUsd }),
    }))
    .sort((one, other) =>
      `${one.recipe} ${one.model}` < `${other.recipe} ${other.model}` ? -1 : 1,
    );
}
