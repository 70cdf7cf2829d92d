import type { RunId } from "../../domain/values/ids.ts";
import { RunHeld } from "../../domain/values/workflow-error.ts";
import type { Engine } from "../../ports/engine.ts";
import { continueRun } from "./begin-run.ts";
import { listRuns, type RunSource } from "./list-runs.ts";

const most = 500;

/** Resumes runs whose process is gone or was stopped, except those that another process has taken meanwhile. */
export async function adoptRuns(source: RunSource, engine: Engine): Promise<readonly RunId[]> {
  const running = await listRuns(source, { limit: most, state: "running" });
  const stopped = await listRuns(source, { limit: most, state: "stopped" });
  const adopted: RunId[] = [];
  for (const { runId, state } of [...running, ...stopped]) {
    if (state === "running" || (state === "stopped" && !(await wasInterrupted(source, runId)))) {
      continue;
    }
    try {
      if ((await continueRun(engine, runId)) === "running") adopted.push(runId);
    } catch (error) {
      if (!(error instanceof RunHeld)) throw error;
    }
  }
  return adopted;
}

async function wasInterrupted({ store }: RunSource, run: RunId): Promise<boolean> {
  const ending = (await store.runs.load(run))?.ending;
  return ending?.kind === "stopped" && ending.reason === "interrupted";
}
