import { needsProjectFolder, parseModelName } from "../../domain/models/model-name.ts";
import { isObject, type Json } from "../../domain/values/json.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { RunnerFor } from "../../ports/runner.ts";
import { type ProjectAccess, runnersOf } from "../models/runners.ts";

/** The worker's own runners. A job names a model; it never names an address, a program or a file of this machine. */
export function workerRunners(worker: ProjectAccess): RunnerFor {
  const runnerFor = runnersOf(worker);
  return async (model, frozen = {}) => {
    if (needsProjectFolder(parseModelName(model))) {
      throw new ConfigurationError(`${model} runs only where the project's folder is.`, {
        code: "not-on-workers",
        facts: { model },
        hint: "Repeat the command that started the run in the project's folder.",
      });
    }
    return runnerFor(model, withoutAddress(frozen));
  };
}

function withoutAddress(frozen: Json): Json {
  if (!isObject(frozen)) return {};
  const { base_url: _, ...rest } = frozen;
  return rest;
}
