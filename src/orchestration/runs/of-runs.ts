import type { Projector } from "../../ports/projector.ts";
import type { RunStore } from "../../ports/run-store.ts";

/** The projector for runs of one kind alone: loops of different features emit the same events. */
export function ofRuns(
  kind: string,
  store: Pick<RunStore, "load">,
  projector: Projector,
): Projector {
  return {
    kinds: projector.kinds,
    async apply(event) {
      const record = await store.load(event.run);
      if (record?.job.kind === kind) await projector.apply(event);
    },
  };
}
