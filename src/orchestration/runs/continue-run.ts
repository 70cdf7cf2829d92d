import type { RunId } from "../../domain/values/ids.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { Engine } from "../../ports/engine.ts";
import type { Budget } from "../../ports/flow.ts";

/**
 * Goes on with a run that was found unfinished. Another process may have brought it to its `over` since, and then
 * its result is what was asked for; one that is `gone` was removed.
 */
export async function continueRun(
  engine: Pick<Engine, "resume">,
  run: RunId,
  budget?: Budget,
): Promise<"at work" | "over" | "gone"> {
  try {
    await engine.resume(run, budget === undefined ? {} : { budget });
    return "at work";
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error;
    if (error.code === "run-over") return "over";
    if (error.code === "run-unknown") return "gone";
    throw error;
  }
}
