import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import { type Run, type RunsQuery, readRuns } from "./queries.ts";

interface RunsPage {
  readonly runs: readonly Run[];
  readonly next_cursor?: string | null | undefined;
}

/**
 * Refreshes the lists of runs that are on the screen with one request each, however far a person has scrolled; others
 * are read again when they are shown.
 */
export function refreshRuns(client: QueryClient, changed: ReadonlySet<string>): void {
  void client.invalidateQueries({ queryKey: ["runs"], refetchType: "none" });
  for (const { queryKey, state } of client
    .getQueryCache()
    .findAll({ queryKey: ["runs"], type: "active" })) {
    const known = state.data as InfiniteData<RunsPage, string> | undefined;
    if (known === undefined || known.pages.length < 2) {
      void client.refetchQueries({ queryKey, exact: true });
      continue;
    }
    const query = queryKey[1] as RunsQuery;
    void readRuns({ limit: 100, ...query }).then(
      (first) => {
        const merged = withFirstPage(known.pages, first, changed);
        if (merged === undefined) void client.refetchQueries({ queryKey, exact: true });
        else client.setQueryData(queryKey, { pages: merged, pageParams: [""] });
      },
      () => undefined,
    );
  }
}

/**
 * The pages with a new first one, as a single page that ends where the last one did. Undefined if a run changed that
 * only a later page shows.
 */
export function withFirstPage(
  pages: readonly RunsPage[],
  first: RunsPage,
  changed: ReadonlySet<string>,
): readonly RunsPage[] | undefined {
  const newest = new Set(first.runs.map(({ run_id }) => run_id));
  const last = first.runs.at(-1);
  if (last === undefined) return [first];
  const older = pages
    .flatMap(({ runs }) => runs)
    .filter((run) => !newest.has(run.run_id) && run.created_at <= last.created_at);
  if (older.some(({ run_id }) => changed.has(run_id))) return undefined;
  return [{ runs: [...first.runs, ...older], next_cursor: pages.at(-1)?.next_cursor ?? null }];
}
