import { writeCoderRecord } from "../../contract/scenarios/coder-record.ts";
import { readRepairJob } from "../../contract/stages/repair-job.ts";
import type { StageProcess } from "../../domain/stages/stage-history.ts";
import { key } from "../../domain/values/ids.ts";
import type { Flow } from "../../ports/flow.ts";
import { type CoderTools, runCoderOnce } from "../scenarios/run-coder-once.ts";

/**
 * A stage's repair. The stage records its start and its end; an execution by any process but the one that did, a
 * resumed run for instance, only finds out that the coder was interrupted.
 */
export function createRepairFlow(tools: CoderTools & { readonly self: StageProcess }): Flow {
  return async (ctx, json) => {
    const { command, globs, orderedBy } = readRepairJob(json);
    const mayStart = isSame(orderedBy, tools.self);
    return writeCoderRecord(
      await runCoderOnce(ctx, tools, { at: key("coder"), command, globs, mayStart }),
    );
  };
}

function isSame(a: StageProcess, b: StageProcess): boolean {
  return a.host === b.host && a.pid === b.pid && a.processStart === b.processStart;
}
