import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import type { Instant } from "../../domain/values/instant.ts";
import type { RunCursor, RunPage } from "../../ports/repos.ts";
import { loadOverview, type RunOverview, type RunSource } from "./list-runs.ts";

export interface RunSearch extends RunPage {
  /** Every word has to occur in the title, the kind or the id. */
  readonly text?: string;
  /** Of the creation; `until` itself is left out. */
  readonly since?: Instant;
  readonly until?: Instant;
  readonly minMicroUsd?: number;
  readonly outcomes?: readonly string[];
}

export interface FoundRuns {
  readonly runs: readonly RunOverview[];
  /** Where the next page begins. */
  readonly next?: RunCursor;
}

const batch = 100;
/** The search stops here and continues on the next page, so that no request takes long. */
const mostRead = 1_000;

/** Newest first. Titles and costs are not indexed: a search for them reads runs until the page is full. */
export async function searchRuns(source: RunSource, search: RunSearch): Promise<FoundRuns> {
  const { limit, since, until, text, minMicroUsd, outcomes, ...page } = search;
  const fits = matcherOf(search);
  const runs: RunOverview[] = [];
  let after = laterOf(page.after, until);
  for (let read = 0; read < mostRead; read += batch) {
    const filter = { ...page, limit: batch, ...defined({ after }) };
    const found = await source.store.read((repos) => repos.runs.list(filter));
    for (const { run, createdAt } of found) {
      if (since !== undefined && createdAt < since) return { runs };
      if (runs.length === limit) return { runs, ...defined({ next: after }) };
      runs.push(...(await fitting(source, run, fits)));
      after = { createdAt, run };
    }
    if (found.length < batch) return { runs };
  }
  return { runs, ...defined({ next: after }) };
}

async function fitting(source: RunSource, run: RunId, fits: (run: RunOverview) => boolean) {
  const overview = (await loadOverview(source, run))?.overview;
  return overview !== undefined && fits(overview) ? [overview] : [];
}

function matcherOf({ text = "", minMicroUsd = 0, outcomes }: RunSearch) {
  const words = text.toLowerCase().split(/\s+/u);
  return ({ title, kind, runId, outcome, spent }: RunOverview): boolean =>
    (outcomes === undefined || (outcome !== undefined && outcomes.includes(outcome))) &&
    (spent.microUsd ?? 0) >= minMicroUsd &&
    words.every((word) => `${title} ${kind} ${runId}`.toLowerCase().includes(word));
}

/** A page after the cursor is never newer than it. */
function laterOf(after: RunCursor | undefined, until: Instant | undefined): RunCursor | undefined {
  if (until === undefined || (after !== undefined && after.createdAt < until)) return after;
  return { createdAt: until, run: "" as RunId };
}
