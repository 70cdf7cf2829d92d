import type { Json } from "../values/json.ts";
import { WorkflowError } from "../values/workflow-error.ts";

/** A broken invariant of the episode model. `rule` is stable; the reader of a file adds its name. */
export class InvalidEpisode extends WorkflowError {
  override readonly name = "InvalidEpisode";
  readonly rule: string;

  constructor(rule: string, message: string, facts: { readonly [name: string]: Json } = {}) {
    super(message, { code: "episode-invalid", facts: { rule, ...facts } });
    this.rule = rule;
  }
}
