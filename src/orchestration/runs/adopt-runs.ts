import type { RunId } from "../../domain/values/ids.ts";
import { RunHeld, WorkflowError } from "../../domain/values/workflow-error.ts";
import type { Engine } from "../../ports/engine.ts";
import { listRuns, type RunSource } from "./list-runs.ts";

const most = 500;

/** Goes on with runs whose process is gone or was stopped; one that somebody else sees to meanwhile is left to them. */
export async function adoptRuns(source: RunSource, engine: Engine): Promise<readonly RunId[]> {
  const running = await listRuns(source, { limit: most, state: "running" });
  const stopped = await listRuns(source, { limit: most, state: "stopped" });
  const adopted: RunId[] = [];
  for (const { runId, state } of [...running, ...stopped]) {
    if (state === "running" || (state === "stopped" && !(await wasInterrupted(source, runId)))) {
      continue;
    }
    try {
      await engine.resume(runId, {});
      adopted.push(runId);
    } catch (error) {
      if (!isSeenTo(error)) throw error;
    }
  }
  return adopted;
}

/** Another process works on it, has brought it to its end, or has removed it. */
function isSeenTo(error: unknown): boolean {
  if (error instanceof RunHeld) return true;
  return error instanceof WorkflowError && ["run-over", "run-unknown"].includes(error.code);
}

async function wasInterrupted({ store }: RunSource, run: RunId): Promise<boolean> {
  const ending = (await store.runs.load(run))?.ending;
  return ending?.kind === "stopped" && ending.reason === "interrupted";
}
