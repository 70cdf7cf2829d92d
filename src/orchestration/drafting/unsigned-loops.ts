import type { Clock } from "../../ports/clock.ts";
import type { Projector } from "../../ports/projector.ts";
import type { Repos } from "../../ports/repos.ts";
import type { Store } from "../../ports/store.ts";
import { readDraftEvent } from "./draft-record.ts";

/** Puts drafts that end without approval into the inbox. People wait by their own clock, not by a script's. */
export function createUnsignedLoops(store: Store<Repos>, clock: Clock): Projector {
  return {
    jobs: ["draft"],
    kinds: ["loop-decided"],
    writes: "rows",
    async apply(events) {
      for (const stored of events) {
        const event = readDraftEvent(stored);
        if (event?.kind !== "loop-decided" || event.decision.outcome !== "needs_human") continue;
        const loop = { run: stored.run, since: clock.now() };
        await store.transaction(({ inbox }) => inbox.keepUnsigned(loop));
      }
    },
  };
}
