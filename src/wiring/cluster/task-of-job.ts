import type { Settings } from "../../domain/settings/settings.ts";
import { canonicalJson } from "../../domain/values/canonical-json.ts";
import { definitionVersion } from "../../domain/values/definition-version.ts";
import type { Json } from "../../domain/values/json.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { assistantUrlOf, placeOfJob } from "../../orchestration/runs/place-of-job.ts";
import type { Flow, Job, Place } from "../../ports/flow.ts";
import { sha256 } from "../project/sha256.ts";
import { checkRulesOf } from "../settings/scenario-settings.ts";

/** What workers that know this version of the flows take from the queue. */
export const currentTask = `execute-${definitionVersion}`;

/**
 * The task of what asks an assistant. Only workers whose own settings describe the same assistant at the same address
 * take it: how it is asked, what is hidden from the record and how answers are judged come from settings.
 */
export function assistantTask({ scenarios, ...settings }: Settings, baseUrl: string): string {
  const { assistant, mask } = scenarios;
  const { concurrency: _, ...described } = { ...assistant, baseUrl };
  const rules = checkRulesOf({ scenarios, ...settings });
  const facts = JSON.parse(JSON.stringify({ assistant: described, mask, rules })) as Json;
  return `ask-${sha256(canonicalJson(facts)).slice(0, 12)}-${definitionVersion}`;
}

export interface Tasks {
  /** Where jobs of each kind can be executed. */
  readonly places: ReadonlyMap<string, Place>;
  /** The task of what asks the assistant at this address; undefined if no worker may. */
  readonly assistantTask: (url: string) => string | undefined;
}

/** Undefined for a job that the process with the project's folder executes itself. */
export function taskOfJob(job: Job, { places, assistantTask: taskAt }: Tasks): string | undefined {
  if (placeOfJob(job, places.get(job.kind) ?? "home") === "home") return undefined;
  const assistant = assistantUrlOf(job.input);
  return assistant === undefined ? currentTask : taskAt(assistant);
}

/** The flows as a worker executes them: a job that belongs home is refused, whoever has queued it. */
export function flowsElsewhere(
  flows: ReadonlyMap<string, Flow>,
  tasks: Tasks,
): ReadonlyMap<string, Flow> {
  const guarded = (flow: Flow): Flow => {
    return async (ctx, input) => {
      if (taskOfJob(ctx.job, tasks) === undefined) throw belongsHome(ctx.job);
      return await flow(ctx, input);
    };
  };
  return new Map([...flows].map(([kind, flow]) => [kind, guarded(flow)]));
}

function belongsHome({ kind }: Job): ConfigurationError {
  return new ConfigurationError(`This worker may not execute this ${kind} job.`, {
    code: "not-on-workers",
    facts: { kind },
    hint: "It needs the project's folder, or an assistant that the worker's own signoff.yaml does not name. Repeat the command that started it in the project's folder.",
  });
}
