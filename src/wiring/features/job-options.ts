import { z } from "zod";
import { explainShape } from "../../contract/documents/explain-shape.ts";
import { messageWithHint } from "../../contract/documents/file-problem.ts";
import { renderPath } from "../../contract/documents/read-document.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { Budget } from "../../ports/flow.ts";
import type { ModelChoice } from "../models/own-models.ts";
import type { JobPlace } from "./job-place.ts";

/** Every option of a job, each with its form. */
export type OptionShapes<Options> = { readonly [Name in keyof Options]-?: z.ZodType };

export const textOption = z.string();
const textsOption = z.array(z.string());
export const numberOption = z.number();
export const flagOption = z.boolean();
/** Checked further by whoever uses it. */
export const objectOption = z.custom<object>(
  (value) => typeof value === "object" && value !== null,
  "must be an object",
);
export const modelOption = z.custom<ModelChoice>(
  (value) => ["string", "function", "object"].includes(typeof value) && value !== null,
  "must be a model: a name, a function, a model of the AI SDK or a runner",
);
export const budgetOption = z
  .strictObject({ microUsd: z.number(), tokens: z.number(), seconds: z.number() })
  .partial();

export const placeOptions: OptionShapes<JobPlace> = {
  directory: textOption,
  trust: flagOption,
  store: objectOption,
  signal: objectOption,
};

/** Types hold for TypeScript alone: in JavaScript an option that is mistyped would be left out without a word. */
export function requireOptions<Options>(
  job: string,
  shapes: OptionShapes<Options>,
  options: Options | undefined,
  needed?: keyof Options & string,
): void {
  const forms = Object.entries<z.ZodType>(shapes).map(([name, form]) => [
    name,
    name === needed ? form : form.optional(),
  ]);
  const read = explainShape(z.strictObject(Object.fromEntries(forms)), options ?? {});
  if (read.kind === "fits") return;
  const problems = read.faults.map(({ path, ...fault }) =>
    `${renderPath(path)} ${messageWithHint(fault)}`.trim(),
  );
  throw new ConfigurationError(`The options of ${job} cannot be used: ${problems.join("; ")}.`, {
    code: "request-invalid",
    facts: { problems },
  });
}

export interface EpisodeOptions extends JobPlace {
  /** The folder of the episode. Default: the nearest one upward. */
  readonly workspace?: string;
  /** Default: every text that no person has picked. */
  readonly assetIds?: readonly string[];
  /** Who writes, and who reviews unless another is named. */
  readonly model?: ModelChoice;
  readonly reviewerModel?: ModelChoice;
}

export const episodeOptions: OptionShapes<EpisodeOptions> = {
  ...placeOptions,
  workspace: textOption,
  assetIds: textsOption,
  model: modelOption,
  reviewerModel: modelOption,
};

export interface NotesOptions extends JobPlace {
  /** Notes or folders, relative to the project; default: all. */
  readonly paths?: readonly string[];
  readonly gates?: readonly string[];
  readonly changedSince?: string;
  /** Default: those of the settings. A function is known by its name, so that its verdicts are found again. */
  readonly models?: readonly ModelChoice[];
}

export const notesOptions: OptionShapes<NotesOptions> = {
  ...placeOptions,
  paths: textsOption,
  gates: textsOption,
  changedSince: textOption,
  models: z.array(modelOption),
};

export interface ReviewNotesOptions extends NotesOptions {
  readonly budget?: Budget;
  /** Who acknowledges trivial changes. */
  readonly by?: string;
  /** Calls at a time. Default: 4. */
  readonly maxWorkers?: number;
}

export const reviewNotesOptions: OptionShapes<ReviewNotesOptions> = {
  ...notesOptions,
  budget: budgetOption,
  by: textOption,
  maxWorkers: numberOption,
};

export interface AskingOptions extends JobPlace {
  readonly assistantUrl?: string;
  /** The model that plays the simulated users of open dialogues. Default: that of the settings. */
  readonly user?: ModelChoice;
}

export interface PackOptions extends AskingOptions {
  /** Path of the pack's manifest. */
  readonly manifest: string;
  /** The model that judges the run after the checks. Default: the checks alone decide. */
  readonly analyst?: ModelChoice;
  /** The analyst's lowest score that is accepted, of 100. Default: 80. */
  readonly targetScore?: number;
  /** How often the analyst may judge runs of this folder, all calls together. Default: 6. */
  readonly maxIterations?: number;
  /** Folder of the run's files, relative to the project. Default: that of the settings. */
  readonly outputDir?: string;
  /** How often the pack is asked. Default: 1. */
  readonly repeat?: number;
  readonly budget?: Budget;
  readonly fresh?: boolean;
}

export interface StageOptions extends AskingOptions {
  /** Path of the stage's manifest. */
  readonly manifest: string;
  /** The model that judges the runs. Default: that of the manifest, else of the settings. */
  readonly analyst?: ModelChoice;
  /** Of one run. Default: that of the settings. */
  readonly budget?: Budget;
}

export const stageOptions: OptionShapes<StageOptions> = {
  ...placeOptions,
  manifest: textOption,
  assistantUrl: textOption,
  user: modelOption,
  analyst: modelOption,
  budget: budgetOption,
};

export const packOptions: OptionShapes<PackOptions> = {
  ...stageOptions,
  targetScore: numberOption,
  maxIterations: numberOption,
  outputDir: textOption,
  repeat: numberOption,
  fresh: flagOption,
};
