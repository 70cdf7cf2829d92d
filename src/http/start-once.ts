import { type RunId, runId } from "../domain/values/ids.ts";
import type { Json } from "../domain/values/json.ts";
import { RunHeld, WorkflowError } from "../domain/values/workflow-error.ts";
import type { StudioParts } from "./studio-parts.ts";

/** What a run is started with, so that its idempotency key finds it again. */
export interface NamedStart {
  readonly run?: RunId;
  readonly settings?: Json;
}

/**
 * Starts work whose plan depends on the current state, so that the same request may plan something else later. The key
 * names the run, which stores the request; if the run exists, it is the answer and nothing is planned.
 */
export async function startOnce(
  { idOf, source }: Pick<StudioParts, "idOf" | "source">,
  { asked, idempotencyKey }: { readonly asked: Json; readonly idempotencyKey?: string },
  start: (named: NamedStart) => Promise<RunId>,
): Promise<RunId> {
  if (idempotencyKey === undefined) return start({});
  const run = idOf(idempotencyKey) as RunId;
  const settings = { asked };
  const known = await source.store.runs.load(run);
  if (known === undefined) {
    return startedOrHeld(
      () => start({ run, settings }),
      (held) => held === run,
    );
  }
  if (JSON.stringify(known.job.settings) !== JSON.stringify(settings)) throw keyReused(run);
  return run;
}

/**
 * A duplicate request, or one to another server of the project, finds its run held by another process. The run is
 * already running, which is what was requested.
 */
export async function startedOrHeld(
  start: () => Promise<RunId>,
  isOwn: (run: string) => boolean,
): Promise<RunId> {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof RunHeld)) throw error;
    const { run } = error.facts;
    if (typeof run === "string" && isOwn(run)) return runId(run);
    throw error;
  }
}

export function keyReused(run: RunId): WorkflowError {
  return new WorkflowError("This idempotency key was used for another request.", {
    code: "idempotency-key-reused",
    facts: { run },
    hint: "Use a new key for each new request.",
  });
}
