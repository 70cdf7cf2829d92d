import type { Flow } from "../../ports/flow.ts";
import type { Projector } from "../../ports/projector.ts";

/** A flow that is loaded by its first run, because most commands need none or one. */
export function laterFlow<Name extends string>(
  load: () => Promise<{ readonly [name in Name]: Flow }>,
  name: Name,
): Flow {
  return async (ctx, input) => (await load())[name](ctx, input);
}

/** A projector that is loaded by its first event; the events it handles are known before. */
export function laterProjector<Name extends string>(
  load: () => Promise<{ readonly [name in Name]: Projector }>,
  name: Name,
  listens: Pick<Projector, "jobs" | "kinds" | "writes">,
): Projector {
  return { ...listens, apply: async (events) => (await load())[name].apply(events) };
}
