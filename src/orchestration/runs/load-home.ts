import type { RunState } from "../../ports/run-store.ts";
import type { StageListing } from "../stages/list-stages.ts";
import { countWaiting, type InboxItem, loadInbox } from "./inbox.ts";
import type { RunOverview, RunSource } from "./list-runs.ts";
import type { Costs } from "./load-costs.ts";
import { searchRuns } from "./search-runs.ts";

/** What a person wants to know first, counted over the whole store. */
export interface HomeSummary {
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
const active: readonly RunState[] = ["running", "queued"];
const broken: readonly RunState[] = ["failed", "stopped"];

export async function loadHome(
  source: RunSource,
  { stages, days, finished }: Pick<StageListing, "stages"> & Pick<HomeSummary, "days" | "finished">,
): Promise<HomeSummary> {
  const counts = await source.store.read(async ({ stats }) => ({
    active: await stats.runsIn(active),
    broken: await stats.runsIn(broken),
  }));
  const current = await newestIn(source, active);
  const isLeft = ({ state }: RunOverview): boolean => state === "interrupted";
  const left = current.filter(isLeft);
  const resumable = [...left, ...(await newestIn(source, broken))].slice(0, shown);
  return {
    waiting: await waitingFor(source, { stages }),
    running: {
      count: counts.active - left.length,
      runs: current.filter((run) => !isLeft(run)).slice(0, shown),
    },
    resumable: { count: counts.broken + left.length, runs: resumable },
    approved: await newestApproved(source),
    ...{ finished, days },
  };
}

/** The oldest items are read; of the rest it is enough to know how many there are. */
async function waitingFor(source: RunSource, stages: Pick<StageListing, "stages">) {
  const items = await loadInbox(source, { limit: shown + 1 }, stages);
  if (items.length <= shown) return { count: items.length, items };
  return { count: await countWaiting(source, stages), items: items.slice(0, shown) };
}

/** The first page anyone opens does not wait until a store with many runs is ready to be searched. */
async function newestApproved(source: RunSource): Promise<readonly RunOverview[]> {
  const page = { limit: shown, topOnly: true, state: "finished" } as const;
  const drafts = await searchRuns(source, { ...page, outcome: "approved" }, () => true);
  const packs = await searchRuns(source, { ...page, outcome: "accepted" }, () => true);
  return [...drafts.runs, ...packs.runs]
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
    .slice(0, shown);
}

async function newestIn(source: RunSource, states: readonly RunState[]) {
  const found: RunOverview[] = [];
  for (const state of states) {
    const { runs } = await searchRuns(source, { limit: 2 * shown, topOnly: true, state });
    found.push(...runs);
  }
  return found;
}

/** Finished runs by kind: what a project has been used for. */
export async function finishedByKind({ store }: RunSource): Promise<HomeSummary["finished"]> {
  const counts = await store.read(({ stats }) => stats.runs());
  return counts
    .filter(({ state }) => state === "finished")
    .map(({ kind, runs }) => ({ kind, runs }));
}
