import { defined } from "../values/defined.ts";
import type { DraftInput, ReviewerRole } from "./draft-input.ts";
import type { LoopIteration } from "./iteration.ts";
import { isReservedLabel, type PanelRule } from "./panel.ts";
import type { Recipe } from "./recipe.ts";

/** What somebody asks for; absent members are the recipe's business. */
export interface DraftRequest {
  readonly brief: string;
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
  readonly writerTemperature?: number;
  readonly reviewerTemperature?: number;
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

const mostBriefCharacters = 1_000;
export const mostTurns = 10;
const mostCandidates = 8;

/** How much a request may ask for; briefs that a program puts together are longer than those people type. */
export interface DraftLimits {
  readonly briefCharacters: number;
  readonly turns: number;
}

const ordinaryLimits: DraftLimits = { briefCharacters: mostBriefCharacters, turns: mostTurns };

/** The frozen input of a loop, or everything that is wrong with the request at once. */
export function planDraft(
  request: DraftRequest,
  limits: DraftLimits = ordinaryLimits,
):
  | { readonly kind: "planned"; readonly input: DraftInput }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] } {
  const problems = [
    ...briefProblems(request, limits),
    ...numberProblems(request, limits),
    ...labelProblems(request),
  ];
  return problems.length > 0
    ? { kind: "refused", problems }
    : { kind: "planned", input: inputOf(request) };
}

function inputOf(request: DraftRequest): DraftInput {
  const { recipe: given, writer, reviewers, brief, seed, lockedText, notes, seedText } = request;
  const recipe: Recipe = {
    ...given,
    approval: request.approval ?? given.approval,
    stopRules: request.earlyStop === false ? [] : given.stopRules,
  };
  const models = [writer, ...reviewers.map(({ model }) => model)];
  const maxTokens = request.maxTokens;
  const reviewer = {
    temperature: request.reviewerTemperature ?? recipe.reviewer.temperature,
    maxTokens: maxTokens ?? recipe.reviewer.maxTokens,
  };
  return {
    assetId: request.assetId ?? recipe.id,
    brief: brief.trim(),
    recipe,
    creator: {
      model: writer,
      temperature: request.writerTemperature ?? recipe.creator.temperature,
      maxTokens: maxTokens ?? recipe.creator.maxTokens,
    },
    reviewers: reviewers.map((role): ReviewerRole => ({ ...role, ...reviewer })),
    panelRule: request.panelRule ?? "all",
    candidates: request.candidates ?? 1,
    maxTurns: request.maxTurns ?? recipe.maxTurns,
    ...defined({ seed }),
    standIn: models.some((model) => model.startsWith("offline/")),
    fixedIds: models.every((model) => model.startsWith("script:")),
    ...defined({ lockedText, notes, seedText }),
    previous: request.previous ?? [],
  };
}

function briefProblems(
  { brief }: DraftRequest,
  { briefCharacters: most }: DraftLimits,
): readonly Problem[] {
  const length = [...brief.trim()].length;
  if (length === 0) return [{ field: "brief", message: "is empty; say what to write about" }];
  if (length <= most) return [];
  const message = `has ${length} characters; at most ${most} are allowed`;
  return [{ field: "brief", message }];
}

function numberProblems(request: DraftRequest, limits: DraftLimits): readonly Problem[] {
  const { maxTurns, candidates, seed, writerTemperature, reviewerTemperature, maxTokens } = request;
  return [
    ...wholeNumber("max-turns", maxTurns, { least: 1, most: limits.turns }),
    ...wholeNumber("candidates", candidates, { least: 1, most: mostCandidates }),
    ...wholeNumber("seed", seed, { least: 0, most: 2 ** 31 - 1 }),
    ...wholeNumber("max-tokens", maxTokens, { least: 1, most: 32_000 }),
    ...temperature("temperature", writerTemperature),
    ...temperature("reviewer temperature", reviewerTemperature),
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

function temperature(field: string, value: number | undefined): readonly Problem[] {
  if (value === undefined || (value >= 0 && value <= 2)) return [];
  return [{ field, message: `is ${value}; a number from 0 to 2 is needed` }];
}

function labelProblems({ reviewers }: DraftRequest): readonly Problem[] {
  if (reviewers.length === 0)
    return [{ field: "reviewer", message: "is missing; nobody could sign" }];
  if (reviewers.length === 1 && reviewers[0]?.label === undefined) return [];
  const labels = reviewers.map(({ label }) => label ?? "");
  return labels.flatMap((label, at) => {
    const field = `reviewer "${label}"`;
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u.test(label)) {
      return [
        { field, message: "must be a name of letters, digits, dots, dashes and underscores" },
      ];
    }
    if (isReservedLabel(label))
      return [{ field, message: "is a name that reviews use for themselves" }];
    return labels.indexOf(label) < at ? [{ field, message: "is named twice" }] : [];
  });
}
