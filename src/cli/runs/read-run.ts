import type { RunId } from "../../domain/values/ids.ts";
import { findRun, type RunSource, unknownRun } from "../../orchestration/runs/list-runs.ts";
import { readRuns } from "../../wiring/project/run-source.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { projectPlaceOf } from "../shell/print.ts";

/** Reads the run that a command names by its id, or by the start of it. */
export function readRun<T>(
  cli: CliContext,
  prefix: string,
  work: (source: RunSource, run: RunId) => Promise<T>,
): Promise<T> {
  return readRuns(projectPlaceOf(cli), async (source) => {
    if (source === undefined) throw unknownRun(prefix);
    return work(source, await findRun(source, prefix));
  });
}
