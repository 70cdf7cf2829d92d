import { defined } from "../values/defined.ts";
import type { CheckRules, Matches } from "./check-rules.ts";
import {
  blocksAcceptance,
  compareSeverity,
  type Finding,
  type FindingDraft,
  gradeFinding,
  visibleFinding,
} from "./finding.ts";
import { firstLine, foldText } from "./folded-text.ts";
import type { Locale } from "./locale.ts";
import { bindingsOf, NO_EXPECTATIONS, type Pack, type Step } from "./manifest.ts";
import { resolveStep } from "./placeholder.ts";
import {
  type DuplicatePair,
  findDuplicates,
  hasBusinessAnchor,
  isDirectQuestion,
  isReportQuestion,
  soundsLikeFollowUp,
} from "./question-shape.ts";
import { collectRepairTargets, type FileHints, type RepairTarget } from "./repair-targets.ts";
import type { StepRecord } from "./run-record.ts";
import { checkVisibleAnswer } from "./visible-checks.ts";

/** A question and what was visibly answered, from a run made elsewhere. */
export interface ConversationPair {
  readonly pairId: string;
  readonly sessionId: string;
  readonly question: string;
  readonly answer: string;
  readonly replyType?: string;
}

export interface ReviewedExchange extends ConversationPair {
  readonly findings: readonly Finding[];
}

export interface RunReview {
  readonly runId: string;
  readonly overallStatus: "p0" | "p1" | "clean";
  readonly counts: { readonly P0: number; readonly P1: number; readonly P2: number };
  readonly pairs: readonly ReviewedExchange[];
  readonly repairTargets: readonly RepairTarget[];
}

export interface QuestionQualityReview {
  readonly questions: number;
  readonly followUpShare: number;
  readonly directShare: number;
  readonly reportShare: number;
  readonly sessions: number;
  /** Domains and tags of the known questions that were asked; 0 where no pack says what they belong to. */
  readonly domains: number;
  readonly duplicates: readonly DuplicatePair[];
  readonly weakAnchors: readonly string[];
}

export interface RunReviewRules {
  readonly rules: CheckRules;
  readonly matches: Matches;
  readonly locale: Locale;
  readonly fileHints: FileHints;
  /** Steps whose folded question equals a pair's lend it their expectations. */
  readonly knownSteps: readonly KnownStep[];
}

/** A step of a pack with its bindings put in. */
export interface KnownStep {
  readonly step: Step;
  readonly domain: string;
}

/** Steps that can be held against a run made elsewhere: all but those that need an answer of another step. */
export function knownStepsOf(
  pack: Pack,
  isUsable: (pattern: string) => boolean,
): readonly KnownStep[] {
  return pack.scenarios.flatMap((scenario) => {
    const { domain, steps } = scenario;
    const bindings = bindingsOf(pack, scenario);
    const scope = { bindings, semanticMemory: {}, steps: new Map(), unanswered: new Set<string>() };
    return steps.flatMap((step) => {
      const resolved = resolveStep(step, scope, isUsable);
      return resolved.kind === "resolved" ? [{ step: resolved.value, domain }] : [];
    });
  });
}

/** Judges an imported run by its visible answers; a run without a single pair is not clean. */
export function reviewRun(
  runId: string,
  pairs: readonly ConversationPair[],
  how: RunReviewRules,
): RunReview {
  const reviewed = pairs.map((pair) => ({ ...pair, findings: reviewPair(pair, how) }));
  const count = (severity: Finding["severity"]) =>
    reviewed.flatMap((pair) => pair.findings).filter((finding) => finding.severity === severity)
      .length;
  const counts = { P0: count("P0"), P1: count("P1"), P2: count("P2") };
  const record = {
    packId: runId,
    title: runId,
    scenarios: [
      { scenarioId: runId, domain: "imported", title: runId, steps: reviewed.map(recordOf) },
    ],
  };
  return {
    runId,
    overallStatus: counts.P0 > 0 || pairs.length === 0 ? "p0" : counts.P1 > 0 ? "p1" : "clean",
    counts,
    pairs: reviewed,
    repairTargets: collectRepairTargets(record, how.fileHints),
  };
}

export function reviewConversationQuestions(
  pairs: readonly ConversationPair[],
  { locale, knownSteps }: Pick<RunReviewRules, "locale" | "knownSteps">,
): QuestionQualityReview {
  const share = (test: (pair: ConversationPair, index: number) => boolean) =>
    pairs.length === 0 ? 0 : pairs.filter(test).length / pairs.length;
  const followsUp = (pair: ConversationPair, index: number) =>
    pairs[index - 1]?.sessionId === pair.sessionId && soundsLikeFollowUp(pair.question, locale);
  return {
    questions: pairs.length,
    followUpShare: share(followsUp),
    directShare: share((pair) => isDirectQuestion(pair.question, locale)),
    reportShare: share((pair) => isReportQuestion(pair.question, locale)),
    sessions: new Set(pairs.map((pair) => pair.sessionId)).size,
    domains: domainsOf(pairs, knownSteps).size,
    duplicates: findDuplicates(
      pairs.map((pair) => ({ name: pair.pairId, text: pair.question })),
      0.9,
    ),
    weakAnchors: pairs
      .filter((pair, index) => !followsUp(pair, index) && !hasBusinessAnchor(pair.question))
      .map((pair) => pair.pairId),
  };
}

/** Questions of the targets that the run never asked, folded: such a run proves nothing about them. */
export function missingQuestions(
  asked: readonly ConversationPair[],
  questions: readonly string[],
): readonly string[] {
  const known = new Set(asked.map((pair) => foldText(pair.question)));
  return questions.filter((question) => !known.has(foldText(question)));
}

function domainsOf(
  pairs: readonly ConversationPair[],
  knownSteps: readonly KnownStep[],
): ReadonlySet<string> {
  const asked = new Set(pairs.map((pair) => foldText(pair.question)));
  const known = knownSteps.filter(({ step }) => asked.has(foldText(step.question)));
  return new Set(known.flatMap(({ step, domain }) => [domain, ...step.semanticTags]));
}

function reviewPair(pair: ConversationPair, how: RunReviewRules): readonly Finding[] {
  const step = how.knownSteps.find(
    (known) => foldText(known.step.question) === foldText(pair.question),
  )?.step ?? {
    stepId: pair.pairId,
    title: pair.question,
    question: pair.question,
    dependsOn: [],
    criticality: "critical" as const,
    expectations: NO_EXPECTATIONS,
    semanticTags: [],
  };
  const { replyType } = pair;
  const evidence = { step, text: pair.answer, ...defined({ replyType }) };
  return [
    ...checkVisibleAnswer(evidence, how.rules, how.matches),
    ...missingFirstLine(pair, step, how.locale),
  ]
    .map((draft) => gradeFinding(draft, step.expectations.invariantSeverity, step.criticality))
    .sort((left, right) => compareSeverity(left.severity, right.severity));
}

/** Without declared expectations: a direct question whose line 1 is a heading or announces the answer has none. */
function missingFirstLine(
  pair: ConversationPair,
  step: Step,
  locale: Locale,
): readonly FindingDraft[] {
  const line = firstLine(pair.answer);
  const declared = step.expectations.requiredDirectAnswerPatternsAny.length > 0;
  const announces = /:$|^#{1,6}\s|^```/.test(line);
  if (declared || line === "" || !announces || !isDirectQuestion(pair.question, locale)) return [];
  return [visibleFinding("direct_answer_first", "line 1 answers the question", line)];
}

function recordOf(pair: ReviewedExchange): StepRecord {
  return {
    stepId: pair.pairId,
    title: pair.question,
    criticality: "critical",
    dependsOn: [],
    placeholderRoots: [],
    carryoverInvariants: [],
    questionTemplate: pair.question,
    questionResolved: pair.question,
    execution: "answered",
    answerText: pair.answer,
    status: pair.findings.some(blocksAcceptance) ? "partial" : "accepted",
    findings: pair.findings,
  };
}
