import { isObject } from "../../domain/values/json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Projector } from "../../ports/projector.ts";
import type { Repos } from "../../ports/repos.ts";
import type { RunStore } from "../../ports/run-store.ts";
import type { Store } from "../../ports/store.ts";
import { readDraftEvent } from "./draft-record.ts";

/**
 * Puts drafts that end without approval into the inbox. People wait by their own clock, not by a script's. Whoever asked
 * for a review alone has its answer and is not asked for more.
 */
export function createUnsignedLoops(
  store: Store<Repos> & { readonly runs: RunStore },
  clock: Clock,
): Projector {
  return {
    jobs: ["draft"],
    kinds: ["loop-decided"],
    writes: "rows",
    async apply(events) {
      for (const stored of events) {
        const event = readDraftEvent(stored);
        if (event?.kind !== "loop-decided" || event.decision.outcome !== "needs_human") continue;
        const input = (await store.runs.load(stored.run))?.job.input;
        if (isObject(input) && input.review_only === true) continue;
        const loop = { run: stored.run, since: clock.now() };
        await store.transaction(({ inbox }) => inbox.keepUnsigned(loop));
      }
    },
  };
}
