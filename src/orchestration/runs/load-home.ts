import type { Instant } from "../../domain/values/instant.ts";
import { instant } from "../../domain/values/instant.ts";
import type { RunState } from "../../ports/run-store.ts";
import type { StageListing } from "../stages/list-stages.ts";
import { type InboxItem, loadInbox } from "./inbox.ts";
import type { RunOverview, RunSource } from "./list-runs.ts";
import { type Costs, loadCosts } from "./load-costs.ts";
import { searchRuns } from "./search-runs.ts";

/** What a person wants to know first, counted over the whole store. */
export interface Home {
  readonly waiting: { readonly count: number; readonly items: readonly InboxItem[] };
  readonly running: { readonly count: number; readonly runs: readonly RunOverview[] };
  /** Failed, stopped or left behind by a process that is gone. */
  readonly resumable: { readonly count: number; readonly runs: readonly RunOverview[] };
  readonly approved: readonly RunOverview[];
  /** Finished runs by kind: what this project has been used for. */
  readonly finished: readonly { readonly kind: string; readonly runs: number }[];
  readonly days: Costs["days"];
}

const shown = 6;
const mostCounted = 500;
const beginning = instant("1970-01-01T00:00:00.000Z");
const active: readonly RunState[] = ["running", "queued"];
const broken: readonly RunState[] = ["failed", "stopped"];

export async function loadHome(
  source: RunSource,
  now: Instant,
  stages: Pick<StageListing, "stages">,
): Promise<Home> {
  const waiting = await loadInbox(source, { limit: mostCounted }, stages);
  const counts = await source.store.read(({ stats }) => stats.runs(beginning));
  const inStates = (states: readonly RunState[]): number =>
    counts.reduce((sum, { state, runs }) => sum + (states.includes(state) ? runs : 0), 0);
  const current = await newestIn(source, active);
  const isLeft = ({ state }: RunOverview): boolean => state === "interrupted";
  const left = current.filter(isLeft);
  const resumable = [...left, ...(await newestIn(source, broken))].slice(0, shown);
  const outcomes = ["approved", "accepted"];
  const { runs: approved } = await searchRuns(source, {
    ...{ limit: shown, topOnly: true, state: "finished", outcomes },
  });
  const { days } = await loadCosts(source, now, 7);
  return {
    waiting: { count: waiting.length, items: waiting.slice(0, shown) },
    running: {
      count: inStates(active) - left.length,
      runs: current.filter((run) => !isLeft(run)).slice(0, shown),
    },
    resumable: { count: inStates(broken) + left.length, runs: resumable },
    approved,
    finished: finishedByKind(counts),
    days,
  };
}

async function newestIn(source: RunSource, states: readonly RunState[]) {
  const found: RunOverview[] = [];
  for (const state of states) {
    const { runs } = await searchRuns(source, { limit: 2 * shown, topOnly: true, state });
    found.push(...runs);
  }
  return found;
}

function finishedByKind(
  counts: readonly { readonly kind: string; readonly state: RunState; readonly runs: number }[],
): Home["finished"] {
  return counts
    .filter(({ state }) => state === "finished")
    .map(({ kind, runs }) => ({ kind, runs }));
}
