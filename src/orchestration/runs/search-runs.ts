import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import type { Instant } from "../../domain/values/instant.ts";
import type { RunCursor, RunPage } from "../../ports/repos.ts";
import { lineOfRun, listRuns, type RunOverview, type RunSource } from "./list-runs.ts";

export interface RunSearch extends Omit<RunPage, "words"> {
  /** Every word has to occur in the title, the kind or the id. */
  readonly text?: string;
  /** Of the creation, itself left out. */
  readonly until?: Instant;
  /** So many lines are read at most for words or a cost; then the page ends, however few runs it has. */
  readonly mostLines?: number;
}

export interface FoundRuns {
  readonly runs: readonly RunOverview[];
  /** Where the next page begins, if older runs are left to look at. */
  readonly next?: RunCursor;
}

/** Newest first, through all runs of the store. */
export async function searchRuns(
  source: RunSource,
  search: RunSearch,
  isEnough?: () => boolean,
): Promise<FoundRuns> {
  const { limit, until, mostLines, text = "", ...page } = search;
  const words = text.split(/\s+/u).filter((word) => word !== "");
  const { minMicroUsd = 0, outcome } = page;
  const isSearch = words.length > 0 || minMicroUsd > 0 || outcome !== undefined;
  if (isSearch && page.after === undefined) await updateRunLines(source, isEnough);
  const after = laterOf(page.after, until);
  const readsLines = words.length > 0 || minMicroUsd > 0;
  const reach =
    readsLines && mostLines !== undefined ? await reachOf(source, after, mostLines) : undefined;
  const isCut = reach !== undefined && (page.since === undefined || page.since < reach);
  const since = isCut ? reach : page.since;
  const filter = { ...page, words, limit: limit + 1, ...defined({ after, since }) };
  const found = await listRuns(source, filter);
  const runs = found.slice(0, limit);
  const last = runs.at(-1);
  if (found.length > limit && last !== undefined) {
    return { runs, next: { createdAt: last.createdAt, run: last.runId } };
  }
  return { runs, ...(isCut ? { next: beginningOf(reach) } : {}) };
}

/** When the last of so many lines was created; undefined if the lines end before. */
function reachOf({ store }: RunSource, after: RunCursor | undefined, lines: number) {
  return store.read(({ runs }) => runs.lineAfter(after, lines));
}

/** Runs whose lines are written in one transaction: other writers wait no longer than for these. */
const atOnce = 200;

/**
 * Lines of runs that changed since the last search; their titles and results are what a search looks at. Until
 * `isEnough`, asked after each transaction.
 */
export async function updateRunLines(
  { store }: Pick<RunSource, "store">,
  isEnough: () => boolean = () => false,
): Promise<void> {
  for (;;) {
    const updated = await store.transaction(({ runs }) => runs.updateLines(atOnce, lineOfRun));
    if (updated < atOnce || isEnough()) return;
  }
}

/** A page after the cursor is never newer than it. */
function laterOf(after: RunCursor | undefined, until: Instant | undefined): RunCursor | undefined {
  if (until === undefined || (after !== undefined && after.createdAt < until)) return after;
  return beginningOf(until);
}

/** Everything older follows it. */
function beginningOf(createdAt: Instant): RunCursor {
  return { createdAt, run: "" as RunId };
}
