import { createHash } from "node:crypto";
import { canonicalJson } from "../domain/values/canonical-json.ts";
import type { RunId } from "../domain/values/ids.ts";
import type { Json, JsonObject } from "../domain/values/json.ts";
import { WorkflowError } from "../domain/values/workflow-error.ts";
import type { StudioParts } from "./studio-parts.ts";

/** What a run is started with, so that its idempotency key finds it again. */
export interface NamedStart {
  readonly run?: RunId;
  readonly settings?: JsonObject;
}

/**
 * Starts work once for each idempotency key. The key names the run, which keeps the digest of the request; if the run
 * exists, it is the answer and nothing is planned, because the same request may mean something else by now.
 */
export async function startOnce(
  { idOf, source }: Pick<StudioParts, "idOf" | "source">,
  { asked, idempotencyKey }: { readonly asked: Json; readonly idempotencyKey?: string },
  start: (named: NamedStart) => Promise<RunId>,
): Promise<RunId> {
  if (idempotencyKey === undefined) return start({});
  const run = idOf(idempotencyKey) as RunId;
  const settings = { asked: createHash("sha256").update(canonicalJson(asked)).digest("hex") };
  const find = async (): Promise<RunId | undefined> => {
    const known = await source.store.runs.load(run);
    if (known === undefined) return undefined;
    // Resuming may have added settings of its own.
    const before = known.job.settings as { readonly asked?: Json };
    if (before.asked !== settings.asked) throw keyReused(run);
    return run;
  };
  const found = await find();
  if (found !== undefined) return found;
  try {
    return await start({ run, settings });
  } catch (error) {
    // A duplicate that arrived at the same moment, here or at another server of the project, may have started it.
    const started = await find();
    if (started === undefined) throw error;
    return started;
  }
}

function keyReused(run: RunId): WorkflowError {
  return new WorkflowError("This idempotency key was used for another request.", {
    code: "idempotency-key-reused",
    facts: { run },
    hint: "Use a new key for each new request.",
  });
}
