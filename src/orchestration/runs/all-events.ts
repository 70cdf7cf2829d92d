import type { RunId } from "../../domain/values/ids.ts";
import type { StoredEvent } from "../../ports/journal.ts";
import type { RunStore } from "../../ports/run-store.ts";

const page = 500;

/** Reads all events of a run, page by page. */
export function allEvents(
  store: Pick<RunStore, "events">,
): (run: RunId) => Promise<readonly StoredEvent[]> {
  return async (run) => {
    const all: StoredEvent[] = [];
    for (;;) {
      const next = await store.events(run, all.at(-1)?.seq ?? 0, page);
      all.push(...next);
      if (next.length < page) return all;
    }
  };
}
