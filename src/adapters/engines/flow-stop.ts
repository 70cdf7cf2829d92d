import type { Json } from "../../domain/values/json.ts";
import type { Ending, RunStopReason } from "../../ports/flow.ts";

/**
 * Carries an ending out of a flow that must stop. Not a `WorkflowError`: flows catch only typed errors, so it passes
 * through them.
 */
export class FlowStop extends Error {
  override readonly name = "FlowStop";
  readonly ending: Exclude<Ending, { kind: "finished" }>;

  constructor(ending: Exclude<Ending, { kind: "finished" }>) {
    super(`the flow ends as ${ending.kind}`);
    this.ending = ending;
  }
}

export function stopped(reason: RunStopReason, facts: Json): FlowStop {
  return new FlowStop({ kind: "stopped", reason, facts });
}
