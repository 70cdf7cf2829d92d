import { encodeDraftInput } from "../../contract/drafting/draft-input.ts";
import type { DraftInput } from "../../domain/drafting/draft-input.ts";
import { defined } from "../../domain/values/defined.ts";
import { type RunId, runId } from "../../domain/values/ids.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Engine } from "../../ports/engine.ts";
import type { Budget } from "../../ports/flow.ts";
import { continueRun } from "../runs/continue-run.ts";

export interface StartDraft {
  readonly input: DraftInput;
  readonly newId: () => string;
  /** Do not go on with an unfinished run of the same input. */
  readonly fresh?: boolean;
  readonly budget?: Budget;
  /** Physical attempts per call. */
  readonly attempts?: number;
  /** Names the run and its job: the same name again is the same run, finished or not. */
  readonly run?: string;
}

export interface StartedDraft {
  readonly run: RunId;
  /** An unfinished run was found and goes on. */
  readonly continued: boolean;
}

/**
 * Starts a drafting run, or goes on with the unfinished one of the same input: typing a command again after a
 * crash asks nothing twice. A finished run is never taken for a new question.
 */
export async function startDraft(
  { engine, clock }: { readonly engine: Engine; readonly clock: Clock },
  start: StartDraft,
): Promise<StartedDraft> {
  const input = encodeDraftInput(start.input);
  const { budget, attempts } = start;
  const found = start.fresh === true ? undefined : await engine.findUnfinished("draft", input);
  if (found !== undefined && (await continueRun(engine, found, budget)) !== "gone") {
    return { run: found, continued: true };
  }
  const job = {
    id: `draft/${start.run ?? start.newId()}`,
    kind: "draft",
    input,
    settings: attempts === undefined ? {} : { attempts },
    createdAt: clock.now(),
    ...defined({ budget }),
  };
  const run = await engine.submit(job, {
    ...(start.run === undefined ? {} : { run: runId(start.run) }),
    ...(start.fresh === true ? {} : { unlessUnfinished: true }),
  });
  return { run, continued: false };
}
