import { encodeDraftInput } from "../contract/drafting/draft-input.ts";
import type { RunId } from "../domain/values/ids.ts";
import { startDraft } from "../orchestration/drafting/start-draft.ts";
import type { Budget } from "../ports/flow.ts";
import { keyReused, orAtWork } from "./start-once.ts";
import type { DraftWish, StudioParts } from "./studio-parts.ts";

/**
 * Starts a draft. An idempotency key names the job itself, so the same key is the same run after a restart too;
 * with another wish it is refused instead of answered with a run about something else.
 */
export async function createDraft(
  parts: StudioParts,
  asked: {
    readonly wish: DraftWish;
    readonly budget?: Budget;
    readonly idempotencyKey?: string;
  },
): Promise<RunId> {
  const { wish, idempotencyKey } = asked;
  const { input, budget } = await parts.planDraft(wish, asked.budget);
  const newId = idempotencyKey === undefined ? parts.newId : () => parts.idOf(idempotencyKey);
  const bound = Object.keys(budget).length === 0 ? {} : { budget };
  const run = await orAtWork(
    async () => (await startDraft(parts, { input, newId, fresh: true, ...bound })).run,
    () => idempotencyKey !== undefined,
  );
  const record = await parts.source.store.runs.load(run);
  if (JSON.stringify(record?.job.input) !== JSON.stringify(encodeDraftInput(input))) {
    throw keyReused(run);
  }
  return run;
}
