import type { RunId } from "../../domain/values/ids.ts";
import { isOver } from "../../domain/values/is-over.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { Engine } from "../../ports/engine.ts";
import type { RunState, RunStore } from "../../ports/run-store.ts";

/** Asks a run to stop for good; returns its state afterwards. A run that is over keeps its ending. */
export async function cancelRun(
  { store, engine }: { readonly store: { readonly runs: RunStore }; readonly engine: Engine },
  run: RunId,
  reason: string,
): Promise<RunState> {
  const before = await store.runs.load(run);
  if (before !== undefined && isOver(before)) throw alreadyOver(run, before.state);
  await engine.cancel(run, reason);
  const after = (await store.runs.load(run))?.state ?? "cancelled";
  if (after === "finished") throw alreadyOver(run, after);
  return after;
}

function alreadyOver(run: RunId, state: RunState): WorkflowError {
  return new WorkflowError(`Run ${run} is ${state}; there is nothing to cancel.`, {
    code: "run-over",
    facts: { run, state },
  });
}
