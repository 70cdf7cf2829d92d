import { fromWire } from "../../contract/documents/snake-case.ts";
import {
  packResultShape,
  type RunInput,
  readRunInput,
} from "../../contract/scenarios/run-inputs.ts";
import type { Pack } from "../../domain/scenarios/manifest.ts";
import { countSteps, selectSteps } from "../../domain/scenarios/select-steps.ts";
import { saidIn } from "../../domain/scenarios/simulated-user.ts";
import { defined } from "../../domain/values/defined.ts";
import { runId } from "../../domain/values/ids.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { findArtifact } from "./artifact-files.ts";
import { inspectFolder, type RunParts, unfinishedRun } from "./start-run.ts";

/** A part of a pack's questions; absent conditions ask for all. */
export interface QuestionChoice {
  readonly scenarios?: readonly string[];
  readonly tags?: readonly string[];
  /** Only what failed last time. */
  readonly failed?: boolean;
}

export interface ChosenQuestions {
  readonly pack: Pack;
  /** Absent where the whole pack is asked. */
  readonly selection?: NonNullable<RunInput<"pack">["selection"]>;
}

/** What of the pack is asked now. An unfinished selection is continued as it was. */
export async function chooseQuestions(
  parts: Pick<RunParts, "folders" | "load">,
  about: {
    readonly pack: Pack;
    readonly choice: QuestionChoice;
    /** Where the earlier run is. */
    readonly folder: string;
    readonly specHash: string;
  },
): Promise<ChosenQuestions> {
  const { pack, choice, folder, specHash } = about;
  const { scenarios, tags, failed } = choice;
  if (scenarios === undefined && tags === undefined && failed !== true) return { pack };
  refuseUnknown(pack, choice);
  const before = await earlierRun(parts, folder);
  const steps = failed === true ? await failedSteps(parts, before, pack) : undefined;
  const chosen = selectSteps(pack, defined({ scenarios, tags, steps }));
  if (chosen.scenarios.length === 0) {
    throw new ConfigurationError(
      failed === true ? "Nothing of this failed last time." : "No question fits.",
      { code: "nothing-selected", hint: "Leave out --failed, --tag or --scenario to ask more." },
    );
  }
  const counts = { questions: countSteps(chosen), ofQuestions: countSteps(pack) };
  return { pack: chosen, selection: { ofSpecHash: specHash, ...counts, ...defined({ before }) } };
}

function refuseUnknown(pack: Pack, { scenarios = [], tags = [] }: QuestionChoice): void {
  const ids = pack.scenarios.map(({ scenarioId }) => scenarioId);
  const known = new Set(
    pack.scenarios.flatMap(({ steps }) => steps.flatMap(({ semanticTags }) => semanticTags)),
  );
  const wrong = scenarios.find((id) => !ids.includes(id)) ?? tags.find((tag) => !known.has(tag));
  if (wrong === undefined) return;
  const isScenario = scenarios.includes(wrong);
  const offered = isScenario ? ids : [...known];
  throw new ConfigurationError(`The pack has no ${isScenario ? "scenario" : "tag"} ${wrong}.`, {
    code: "nothing-selected",
    hint: `It has ${offered.slice(0, 20).join(", ") || "none"}.`,
  });
}

/**
 * What the simulated users of the latest run in the folder asked. An unfinished run keeps to what it began with.
 */
export async function saidBefore(
  parts: Pick<RunParts, "folders" | "load">,
  folder: string,
): Promise<RunInput<"pack">["said"]> {
  const present = await inspectFolder(parts.folders, folder);
  const open = present && (await unfinishedRun(parts, present.runId));
  if (open?.job.kind === "pack") return readRunInput("pack", open.job.input).said;
  const latest = await earlierRun(parts, folder);
  const record = latest === undefined ? undefined : await parts.load(runId(latest));
  if (record?.job.kind !== "pack" || record.ending?.kind !== "finished") return undefined;
  const said = saidIn(fromWire(packResultShape, record.ending.result).scenarios);
  return Object.keys(said).length === 0 ? undefined : said;
}

/** The latest finished run of the folder: of a loop its latest iteration, of an unfinished selection the one before. */
async function earlierRun(
  parts: Pick<RunParts, "folders" | "load">,
  folder: string,
): Promise<string | undefined> {
  const present = await inspectFolder(parts.folders, folder);
  if (present === undefined) return undefined;
  if (present.kind === "pack-loop") {
    const loop = await findArtifact(parts.folders, folder, "loop_state.json");
    return loop?.iterations.at(-1)?.runId;
  }
  const open = await unfinishedRun(parts, present.runId);
  if (open?.job.kind !== "pack") return present.runId;
  return readRunInput("pack", open.job.input).selection?.before;
}

/** Of every question the latest result counts: a selection answers for its own questions only. */
async function failedSteps(
  { load }: Pick<RunParts, "load">,
  latest: string | undefined,
  pack: Pack,
): Promise<ReadonlySet<string>> {
  const hasFailed = new Map<string, boolean>();
  for (let id = latest; id !== undefined; ) {
    const record = await load(runId(id));
    if (record?.job.kind !== "pack" || record.ending?.kind !== "finished") break;
    for (const { scenarioId, steps } of fromWire(packResultShape, record.ending.result).scenarios) {
      for (const { stepId, status, criticality } of steps) {
        const at = `${scenarioId}/${stepId}`;
        if (!hasFailed.has(at)) hasFailed.set(at, status !== "accepted" && criticality !== "info");
      }
    }
    id = readRunInput("pack", record.job.input).selection?.before;
  }
  if (hasFailed.size === 0) {
    throw new ConfigurationError(`Pack ${pack.packId} has not been run here yet.`, {
      code: "nothing-selected",
      hint: "Run it once without --failed.",
    });
  }
  return new Set([...hasFailed].flatMap(([at, failed]) => (failed ? [at] : [])));
}
