import { readRunInput, writeRunInput } from "../../contract/scenarios/run-inputs.ts";
import { canonicalJson } from "../../domain/values/canonical-json.ts";
import { defined } from "../../domain/values/defined.ts";
import { type RunId, runId } from "../../domain/values/ids.ts";
import type { Json, JsonObject } from "../../domain/values/json.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { Budget } from "../../ports/flow.ts";
import type { RunRecord } from "../../ports/run-store.ts";
import type { PackParts } from "./run-pack.ts";
import { type StartedRun, startRun } from "./start-run.ts";

export interface RepeatRequest {
  /** The recorded run. */
  readonly of: string;
  /** Only these scenarios; they are filed beside the whole pack. */
  readonly scenarios?: readonly string[];
  /** The id of the new run. */
  readonly run?: string;
  /** Kept with the new run. */
  readonly settings?: JsonObject;
  readonly budget?: Budget;
}

/** Asks the questions of a recorded run once more, of the same assistant. */
export async function repeatRun(parts: PackParts, request: RepeatRequest): Promise<StartedRun> {
  const { of, budget, run, settings } = request;
  const record = await parts.load(runId(of));
  if (record === undefined) throw notRepeatable(of, "this project has no record of it");
  if (record.parent !== undefined) throw notRepeatable(record.run, "it is a part of another run");
  const { kind } = record.job;
  if (kind !== "pack" && kind !== "scenario") {
    throw notRepeatable(record.run, "it asked no questions");
  }
  const input = kind === "pack" ? packInput(parts, record, request.scenarios) : record.job.input;
  const { folder } = input as unknown as { readonly folder: string };
  return startRun(parts, { kind, folder, input, ...defined({ budget, run, settings }) });
}

function packInput(
  { digest }: Pick<PackParts, "digest">,
  { run, job }: RunRecord,
  scenarios: readonly string[] | undefined,
): Json {
  if (scenarios === undefined) return job.input;
  const input = readRunInput("pack", job.input);
  const pack = input.pack as { readonly scenarios: readonly { readonly scenario_id: string }[] };
  const chosen = pack.scenarios.filter(({ scenario_id }) => scenarios.includes(scenario_id));
  if (chosen.length < scenarios.length || chosen.length === 0) {
    throw notRepeatable(run, "it has no such scenario");
  }
  const part = { ...pack, scenarios: chosen } as unknown as Json;
  const folder = `${input.folder.replace(/_selected$/u, "")}_selected`;
  const specHash = digest(canonicalJson(part));
  return writeRunInput("pack", { ...input, folder, pack: part, specHash });
}

function notRepeatable(run: RunId | string, why: string): WorkflowError {
  return new WorkflowError(`Run ${run} cannot be repeated: ${why}.`, {
    code: "not-repeatable",
    facts: { run },
    hint: "`signoff pack run` asks a pack's questions; `signoff stage run` those of a stage.",
  });
}
