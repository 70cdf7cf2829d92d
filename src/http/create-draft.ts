import { defined } from "../domain/values/defined.ts";
import { type RunId, runId } from "../domain/values/ids.ts";
import { WorkflowError } from "../domain/values/workflow-error.ts";
import type { AskedDraft } from "../orchestration/drafting/plan-draft.ts";
import { startDraft } from "../orchestration/drafting/start-draft.ts";
import { keyReused, startedOrHeld } from "./start-once.ts";
import type { StudioParts } from "./studio-parts.ts";

/**
 * Starts a draft. An idempotency key names the job itself, so the same key is the same run after a restart too;
 * with another request it is refused instead of answered with a run about something else.
 */
export async function createDraft(
  parts: StudioParts,
  asked: AskedDraft,
  idempotencyKey?: string,
): Promise<RunId> {
  const { input, budget } = await parts.planDraft(asked);
  const own = idempotencyKey === undefined ? undefined : parts.idOf(idempotencyKey);
  const newId = own === undefined ? parts.newId : () => own;
  try {
    return await startedOrHeld(
      async () =>
        (await startDraft(parts, { input, newId, fresh: true, ...defined({ budget }) })).run,
      () => own !== undefined,
    );
  } catch (error) {
    const isTaken = error instanceof WorkflowError && error.code === "run-exists";
    throw isTaken && own !== undefined ? keyReused(runId(own)) : error;
  }
}
