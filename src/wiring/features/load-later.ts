import type { Flow } from "../../ports/flow.ts";
import type { Projector } from "../../ports/projector.ts";

/** A flow that is loaded by its first run, because most commands need none or one. */
export function laterFlow(load: () => Promise<Flow>): Flow {
  let loaded: Promise<Flow> | undefined;
  return async (ctx, input) => {
    loaded ??= load();
    return (await loaded)(ctx, input);
  };
}

/** A projector that is loaded by its first event; the events it handles are known before. */
export function laterProjector(
  listens: Pick<Projector, "jobs" | "kinds" | "writes">,
  load: () => Promise<Projector>,
): Projector {
  let loaded: Promise<Projector> | undefined;
  return {
    ...listens,
    async apply(events) {
      loaded ??= load();
      await (await loaded).apply(events);
    },
  };
}
