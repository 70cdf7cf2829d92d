import { encodeDraftInput } from "../../contract/drafting/draft-input.ts";
import type { DraftInput } from "../../domain/drafting/draft-input.ts";
import { defined } from "../../domain/values/defined.ts";
import { runId } from "../../domain/values/ids.ts";
import type { JsonObject } from "../../domain/values/json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Engine } from "../../ports/engine.ts";
import type { Budget } from "../../ports/flow.ts";
import { type BegunRun, beginRun } from "../runs/begin-run.ts";

export interface StartDraft {
  readonly input: DraftInput;
  readonly newId: () => string;
  /** Does not continue an unfinished run of the same input. */
  readonly fresh?: boolean;
  readonly budget?: Budget;
  /** Settings that the run keeps, such as time-outs and addresses. */
  readonly settings?: JsonObject;
  /** Names the run and its job: the same name again is the same run, finished or not. */
  readonly run?: string;
}

/**
 * Starts a drafting run, or continues the unfinished one of the same input, so that repeating a command after a crash
 * asks nothing twice. A finished run is never reused.
 */
export async function startDraft(
  { engine, clock }: { readonly engine: Engine; readonly clock: Clock },
  start: StartDraft,
): Promise<BegunRun> {
  const input = encodeDraftInput(start.input);
  const { budget, settings = {} } = start;
  const isFresh = start.fresh === true;
  const name = start.run ?? start.newId();
  return beginRun(engine, {
    found: isFresh ? undefined : await engine.findUnfinished("draft", input),
    run: runId(name),
    unlessUnfinished: !isFresh,
    jobOf: () => ({
      id: `draft/${name}`,
      kind: "draft",
      input,
      settings,
      createdAt: clock.now(),
      ...defined({ budget }),
    }),
  });
}
