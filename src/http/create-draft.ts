import { encodeDraftInput } from "../contract/drafting/draft-input.ts";
import { defined } from "../domain/values/defined.ts";
import type { RunId } from "../domain/values/ids.ts";
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
  const newId = idempotencyKey === undefined ? parts.newId : () => parts.idOf(idempotencyKey);
  const run = await startedOrHeld(
    async () =>
      (await startDraft(parts, { input, newId, fresh: true, ...defined({ budget }) })).run,
    () => idempotencyKey !== undefined,
  );
  const record = await parts.source.store.runs.load(run);
  if (JSON.stringify(record?.job.input) !== JSON.stringify(encodeDraftInput(input))) {
    throw keyReused(run);
  }
  return run;
}
