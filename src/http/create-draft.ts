import { defined } from "../domain/values/defined.ts";
import type { RunId } from "../domain/values/ids.ts";
import type { Json } from "../domain/values/json.ts";
import type { AskedDraft } from "../orchestration/drafting/plan-draft.ts";
import { startDraft } from "../orchestration/drafting/start-draft.ts";
import { startOnce } from "./start-once.ts";
import type { StudioParts } from "./studio-parts.ts";

/** Starts a draft of its own, even if an unfinished one has the same input. */
export function createDraft(
  parts: StudioParts,
  asked: AskedDraft,
  idempotencyKey?: string,
): Promise<RunId> {
  const request = { asked: asked as unknown as Json, ...defined({ idempotencyKey }) };
  return startOnce(parts, request, async ({ run, settings }) => {
    const { input, budget } = await parts.planDraft(asked);
    const { newId } = parts;
    const start = { input, newId, fresh: true, ...defined({ run, settings, budget }) };
    return (await startDraft(parts, start)).run;
  });
}
