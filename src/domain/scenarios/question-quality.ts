import { foldText } from "./folded-text.ts";
import type { Locale } from "./locale.ts";
import { bindingsOf, type Pack, type Scenario, type Step } from "./manifest.ts";
import { findManifestProblems } from "./manifest-problems.ts";
import {
  asText,
  type PlaceholderScope,
  parsePlaceholders,
  resolveText,
  rootsOf,
} from "./placeholder.ts";
import {
  findDuplicates,
  hasBusinessAnchor,
  isDirectQuestion,
  isReportQuestion,
  looksLikeMojibake,
  soundsLikeFollowUp,
} from "./question-shape.ts";

export const DEFAULT_QUESTION_THRESHOLDS = {
  followUpShare: 0.4,
  directShareFrom: 0.3,
  directShareTo: 0.8,
  reportShare: 0.3,
  /** Packs from this size on must be diverse and have a canary. */
  largePack: 10,
  domains: 3,
  nearDuplicate: 0.9,
  pathWarn: 220,
  pathFail: 259,
  /** From this many warnings on the pack is weak. */
  weakFromWarnings: 5,
};

export type QuestionThresholds = Readonly<typeof DEFAULT_QUESTION_THRESHOLDS>;

export type QuestionRating = "strong" | "usable" | "weak";

export interface QuestionProblem {
  readonly level: "error" | "warning";
  readonly code: string;
  readonly place: string;
  readonly message: string;
}

export interface QuestionReview {
  readonly rating: QuestionRating;
  readonly measures: {
    readonly questions: number;
    readonly followUpShare: number;
    readonly directShare: number;
    readonly reportShare: number;
    readonly domains: number;
    readonly canaries: number;
    readonly weakAnchors: number;
    /** Of simulated users; their questions are not known yet. */
    readonly openDialogues?: number;
    readonly longestPath: number;
  };
  readonly problems: readonly QuestionProblem[];
}

export interface QuestionReviewRules {
  readonly thresholds: QuestionThresholds;
  readonly locale: Locale;
  /** Where the run's folder will be; artifact paths are estimated from it. */
  readonly outputDir: string;
  /** Shapes the engine can verify; another declared word is for the analyst only. */
  readonly checkedShapes: readonly string[];
}

interface AskedStep {
  readonly place: string;
  readonly text: string;
  readonly scenario: Scenario;
  readonly step: Step;
  readonly isFollowUp: boolean;
  readonly isCanary: boolean;
}

/** Whether the questions are worth a live replay; says nothing about whether the assistant answers them correctly. */
export function reviewQuestions(pack: Pack, rules: QuestionReviewRules): QuestionReview {
  const asked = pack.scenarios.flatMap((scenario) => askedSteps(pack, scenario, rules.locale));
  const share = (test: (one: AskedStep) => boolean) =>
    asked.length === 0 ? 0 : asked.filter(test).length / asked.length;
  const openDialogues = pack.scenarios.filter(({ user }) => user !== undefined).length;
  const measures = {
    questions: asked.length,
    followUpShare: share((one) => one.isFollowUp),
    directShare: share((one) => isDirectQuestion(one.text, rules.locale)),
    reportShare: share((one) => isReportQuestion(one.text, rules.locale)),
    domains: new Set(asked.flatMap(({ scenario, step }) => [scenario.domain, ...step.semanticTags]))
      .size,
    canaries: asked.filter((one) => one.isCanary).length,
    weakAnchors: asked.filter((one) => !one.isFollowUp && !hasBusinessAnchor(one.text)).length,
    longestPath: Math.max(0, ...asked.map((one) => longestPathOf(one, rules.outputDir))),
    ...(openDialogues > 0 && { openDialogues }),
  };
  const problems = [
    ...manifestProblems(pack),
    ...(asked.length === 0 && openDialogues > 0 ? [] : measureProblems(measures, rules.thresholds)),
    ...stepProblems(asked, rules),
  ];
  return { rating: rate(problems, rules.thresholds), measures, problems };
}

function askedSteps(pack: Pack, scenario: Scenario, locale: Locale): readonly AskedStep[] {
  const bindings = bindingsOf(pack, scenario);
  const scope = { bindings, semanticMemory: {}, steps: new Map(), unanswered: new Set<string>() };
  const scopeSoFar = new Map<string, string>();
  return scenario.steps.map((step, index) => {
    const text = withBindings(step.question, scope);
    const roots = [...rootsOf(step)].filter((root) => root !== "bindings");
    const leansOn = step.dependsOn.length > 0 || roots.length > 0;
    const isCanary = changesScope(step, scope, scopeSoFar);
    return {
      place: `${scenario.scenarioId}/${step.stepId}`,
      text,
      scenario,
      step,
      isFollowUp: index > 0 && (leansOn || soundsLikeFollowUp(text, locale)),
      isCanary,
    };
  });
}

/** Replaces bindings and leaves what only a live run can know. */
function withBindings(text: string, scope: PlaceholderScope): string {
  const parsed = parsePlaceholders(text);
  if (parsed.kind === "unresolved") return text;
  return parsed.value.reduceRight((result, placeholder) => {
    const value = resolveText(`{{${placeholder.expression}}}`, scope);
    if (value.kind === "unresolved") return result;
    return result.slice(0, placeholder.start) + asText(value.value) + result.slice(placeholder.end);
  }, text);
}

/**
 * A canary sets a slot to another value than an earlier step did, and requires the new one: an assistant that
 * carries the old scope on fails it.
 */
function changesScope(
  step: Step,
  scope: PlaceholderScope,
  scopeSoFar: Map<string, string>,
): boolean {
  let changed = false;
  for (const [slot, values] of Object.entries(step.expectations.requiredFilters)) {
    const wanted = values.map((value) => foldText(withBindings(asText(value), scope))).join("|");
    const before = scopeSoFar.get(slot);
    changed ||= before !== undefined && before !== wanted;
    scopeSoFar.set(slot, wanted);
  }
  return changed;
}

function manifestProblems(pack: Pack): readonly QuestionProblem[] {
  return findManifestProblems(pack).map(({ code, scenarioId, stepId, message }) => ({
    level: "error",
    code,
    place: stepId === undefined ? scenarioId : `${scenarioId}/${stepId}`,
    message,
  }));
}

function measureProblems(
  measures: QuestionReview["measures"],
  limits: QuestionThresholds,
): readonly QuestionProblem[] {
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  const warn = (holds: boolean, code: string, message: string): readonly QuestionProblem[] =>
    holds ? [] : [problem("warning", code, "pack", message)];
  const isLarge = measures.questions >= limits.largePack;
  return [
    ...(measures.questions > 0
      ? []
      : [problem("error", "no_questions", "pack", "nothing is asked")]),
    ...warn(
      measures.followUpShare >= limits.followUpShare,
      "follow_up_density",
      `${percent(measures.followUpShare)} follow-ups, wanted ${percent(limits.followUpShare)}`,
    ),
    ...warn(
      measures.directShare >= limits.directShareFrom &&
        measures.directShare <= limits.directShareTo,
      "direct_share",
      `${percent(measures.directShare)} direct questions, wanted ${percent(limits.directShareFrom)} to ${percent(limits.directShareTo)}`,
    ),
    ...warn(
      measures.reportShare <= limits.reportShare,
      "report_share",
      `${percent(measures.reportShare)} report-style questions, at most ${percent(limits.reportShare)}`,
    ),
    ...warn(
      !isLarge || measures.domains >= limits.domains,
      "domain_coverage",
      `${measures.domains} domains and tags, wanted ${limits.domains}`,
    ),
    ...warn(
      !isLarge || measures.canaries > 0,
      "stale_scope_canary",
      "no step changes a scope set before",
    ),
  ];
}

function stepProblems(
  asked: readonly AskedStep[],
  rules: QuestionReviewRules,
): readonly QuestionProblem[] {
  const { thresholds, locale } = rules;
  const duplicates = findDuplicates(
    asked.map(({ place, text }) => ({ name: place, text })),
    thresholds.nearDuplicate,
  ).map(({ first, second, kind }) => problem("warning", kind, second, `asks the same as ${first}`));
  return [
    ...duplicates,
    ...asked.flatMap((one) => [
      ...mojibakeProblem(one),
      ...shapeProblem(one, rules.checkedShapes, locale),
      ...pathProblem(one, rules),
    ]),
  ];
}

function mojibakeProblem({ place, text, step }: AskedStep): readonly QuestionProblem[] {
  return looksLikeMojibake(`${text}\n${step.title}`)
    ? [problem("error", "mojibake", place, `broken encoding in "${text}"`)]
    : [];
}

function shapeProblem(
  { place, text, step }: AskedStep,
  checkedShapes: readonly string[],
  locale: Locale,
): readonly QuestionProblem[] {
  const { requiredAnswerShape, requiredDirectAnswerPatternsAny } = step.expectations;
  if (requiredAnswerShape !== undefined && !checkedShapes.includes(requiredAnswerShape)) {
    const message = `the shape ${requiredAnswerShape} is not verified by the engine`;
    return [problem("warning", "unchecked_shape", place, message)];
  }
  const declares = requiredAnswerShape !== undefined || requiredDirectAnswerPatternsAny.length > 0;
  if (declares || !isDirectQuestion(text, locale)) return [];
  const message = "a direct question without a declared answer on line 1";
  return [problem("warning", "direct_answer_shape", place, message)];
}

function pathProblem(one: AskedStep, rules: QuestionReviewRules): readonly QuestionProblem[] {
  const length = longestPathOf(one, rules.outputDir);
  const { pathWarn, pathFail } = rules.thresholds;
  if (length <= pathWarn) return [];
  const level = length > pathFail ? "error" : "warning";
  const message = `the longest artifact path has ${length} characters (Windows allows ${pathFail})`;
  return [problem(level, "path_length", one.place, message)];
}

function problem(
  level: QuestionProblem["level"],
  code: string,
  place: string,
  message: string,
): QuestionProblem {
  return { level, code, place, message };
}

function longestPathOf({ scenario, step }: AskedStep, outputDir: string): number {
  return `${outputDir}/scenarios/${scenario.scenarioId}/steps/${step.stepId}/assistant_response.json`
    .length;
}

function rate(problems: readonly QuestionProblem[], limits: QuestionThresholds): QuestionRating {
  const warnings = new Set(
    problems.filter((problem) => problem.level === "warning").map((problem) => problem.code),
  ).size;
  if (
    problems.some((problem) => problem.level === "error") ||
    warnings >= limits.weakFromWarnings
  ) {
    return "weak";
  }
  return warnings === 0 ? "strong" : "usable";
}
