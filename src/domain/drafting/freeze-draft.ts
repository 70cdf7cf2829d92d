import { countCodePoints } from "../values/count-code-points.ts";
import { defined } from "../values/defined.ts";
import type { DraftInput, Material, ReviewerRole } from "./draft-input.ts";
import { personReviewer } from "./issue-ledger.ts";
import type { LoopIteration } from "./iteration.ts";
import { labelProblem, type PanelRule } from "./panel.ts";
import { mostTokens, type Recipe } from "./recipe.ts";

/** A draft with its models chosen; absent members are the recipe's. */
export interface DraftSpec {
  readonly brief: string;
  /** Material that the writer may use. */
  readonly context?: readonly Material[];
  /** The user's own text, which is reviewed first. */
  readonly own?: { readonly text: string; readonly by: string };
  /** Review the user's own text once, and write nothing. */
  readonly reviewOnly?: boolean;
  readonly recipe: Recipe;
  readonly assetId?: string;
  readonly writer: string;
  readonly reviewers: readonly { readonly label?: string; readonly model: string }[];
  readonly panelRule?: PanelRule;
  readonly candidates?: number;
  readonly maxTurns?: number;
  readonly seed?: number;
  readonly approval?: Recipe["approval"];
  readonly earlyStop?: boolean;
  /** Of both roles. */
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly lockedText?: string;
  readonly notes?: string;
  readonly seedText?: string;
  readonly previous?: readonly LoopIteration[];
}

export interface Problem {
  readonly field: string;
  readonly message: string;
}

/** What a person may give. How much of it a model can read is checked where its window is known. */
const mostCharacters = 2_000_000;
const mostTurns = 10;
const mostCandidates = 8;

/** How much a draft may ask for. */
export interface DraftLimits {
  readonly briefCharacters: number;
  readonly turns: number;
}

const ordinaryLimits: DraftLimits = { briefCharacters: mostCharacters, turns: mostTurns };

/** The frozen input of a loop, or everything that is wrong with the specification at once. */
export function freezeDraft(
  spec: DraftSpec,
  limits: DraftLimits = ordinaryLimits,
):
  | { readonly kind: "planned"; readonly input: DraftInput }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] } {
  const problems = [
    ...briefProblems(spec, limits),
    ...ownTextProblems(spec),
    ...numberProblems(spec, limits),
    ...labelProblems(spec),
  ];
  return problems.length > 0
    ? { kind: "refused", problems }
    : { kind: "planned", input: inputOf(spec) };
}

function inputOf(spec: DraftSpec): DraftInput {
  const { recipe: given, reviewers, brief, seed, lockedText, notes, seedText } = spec;
  const isReview = spec.reviewOnly === true;
  const context = spec.context?.length === 0 ? undefined : spec.context;
  const writer = isReview ? personReviewer : spec.writer;
  const recipe: Recipe = {
    ...given,
    approval: spec.approval ?? given.approval,
    stopRules: spec.earlyStop === false ? [] : given.stopRules,
  };
  const models = [writer, ...reviewers.map(({ model }) => model)];
  const maxTokens = spec.maxTokens;
  const reviewer = {
    temperature: spec.temperature ?? recipe.reviewer.temperature,
    maxTokens: maxTokens ?? recipe.reviewer.maxTokens,
  };
  return {
    assetId: spec.assetId ?? recipe.id,
    brief: brief.trim(),
    ...defined({ context }),
    recipe,
    creator: {
      model: writer,
      temperature: spec.temperature ?? recipe.creator.temperature,
      maxTokens: maxTokens ?? recipe.creator.maxTokens,
    },
    reviewers: reviewers.map((role): ReviewerRole => {
      const brief = recipe.panel?.find(({ name }) => name === role.label)?.brief;
      return { ...role, ...reviewer, ...defined({ brief }) };
    }),
    panelRule: spec.panelRule ?? recipe.panelRule ?? "all",
    candidates: spec.candidates ?? 1,
    maxTurns: isReview ? 1 : (spec.maxTurns ?? recipe.maxTurns),
    ...defined({ seed }),
    standIn: models.some((model) => model.startsWith("offline/")),
    fixedIds: models.every((model) => model === personReviewer || model.startsWith("script:")),
    ...defined({ lockedText, notes, seedText }),
    ...ownTextOf(spec),
    previous: spec.previous ?? [],
  };
}

/** A text from a file ends with a newline that is no part of it. */
function ownTextOf({ own, reviewOnly }: DraftSpec): Pick<DraftInput, "edited" | "reviewOnly"> {
  if (own === undefined) return {};
  const edited = { ...own, text: own.text.trim() };
  return reviewOnly === true ? { edited, reviewOnly } : { edited };
}

function briefProblems(
  { brief, context = [] }: DraftSpec,
  { briefCharacters: most }: DraftLimits,
): readonly Problem[] {
  const isEmpty = brief.trim() === "";
  return [
    ...(isEmpty ? [{ field: "brief", message: "is empty; say what to write about" }] : []),
    ...tooLong("brief", brief, most),
    ...notText("brief", brief),
    ...tooLong("context", context.map(({ text }) => text).join(""), most),
    ...context.flatMap(({ name, text }) => [
      ...(text.trim() === "" ? [{ field: `context ${name}`, message: "is empty" }] : []),
      ...notText(`context ${name}`, text),
    ]),
  ];
}

function ownTextProblems({ own, reviewOnly, recipe }: DraftSpec): readonly Problem[] {
  if (own === undefined) {
    return reviewOnly === true ? [{ field: "text", message: "to review is missing" }] : [];
  }
  if (own.text.trim() === "") return [{ field: "text", message: "to start from is empty" }];
  const long = tooLong("text", own.text, recipe.maxCharacters).map((problem) => ({
    ...problem,
    message: `${problem.message} by max_characters of the recipe ${recipe.id}`,
  }));
  return [...long, ...notText("text", own.text)];
}

/** PostgreSQL stores no NUL, and no text for people holds one. */
function notText(field: string, text: string): readonly Problem[] {
  return text.includes("\0") ? [{ field, message: "is not text: it holds a NUL character" }] : [];
}

function tooLong(field: string, text: string, most: number): readonly Problem[] {
  const length = countCodePoints(text.trim());
  if (length <= most) return [];
  return [{ field, message: `has ${length} characters; at most ${most} are allowed` }];
}

function numberProblems(spec: DraftSpec, limits: DraftLimits): readonly Problem[] {
  const { maxTurns, candidates, seed, maxTokens } = spec;
  return [
    ...wholeNumber("max-turns", maxTurns, { least: 1, most: limits.turns }),
    ...wholeNumber("candidates", candidates, { least: 1, most: mostCandidates }),
    ...wholeNumber("seed", seed, { least: 0, most: 2 ** 31 - 1 }),
    ...wholeNumber("max-tokens", maxTokens, { least: 1, most: mostTokens }),
    ...temperatureProblems(spec),
  ];
}

function wholeNumber(
  field: string,
  value: number | undefined,
  { least, most }: { readonly least: number; readonly most: number },
): readonly Problem[] {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= most))
    return [];
  return [{ field, message: `is ${value}; a whole number from ${least} to ${most} is needed` }];
}

function temperatureProblems({ temperature: value }: DraftSpec): readonly Problem[] {
  if (value === undefined || (value >= 0 && value <= 2)) return [];
  return [{ field: "temperature", message: `is ${value}; a number from 0 to 2 is needed` }];
}

function labelProblems({ reviewers, recipe }: DraftSpec): readonly Problem[] {
  if (reviewers.length === 0)
    return [{ field: "reviewer", message: "is missing; without one there is no second signature" }];
  if (reviewers.length === 1 && reviewers[0]?.label === undefined) return [];
  const labels = reviewers.map(({ label }) => label ?? "");
  const known = recipe.panel?.map(({ name }) => name);
  return labels.flatMap((label, at) => {
    const field = `reviewer "${label}"`;
    const wrong = labelProblem(label);
    if (wrong !== undefined) return [{ field, message: wrong }];
    if (labels.indexOf(label) < at) return [{ field, message: "is named twice" }];
    if (known === undefined || known.includes(label)) return [];
    const message = `is not on the panel of the recipe ${recipe.id}, which has ${known.join(", ")}`;
    return [{ field, message }];
  });
}
