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
import { firstLine } from "./folded-text.ts";
import type { Locale } from "./locale.ts";
import { NO_EXPECTATIONS, type Scenario, type Step } from "./manifest.ts";
import { type MatchedStep, matchConversation } from "./match-conversation.ts";
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
  /** When it was asked, in UTC; absent where the record does not say. */
  readonly at?: string;
}

export interface ReviewedExchange extends ConversationPair {
  readonly findings: readonly Finding[];
  /** Where the pack asks this question after the same earlier questions; absent where it does not. */
  readonly step?: { readonly scenarioId: string; readonly stepId: string };
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
  /** Scenarios of a known pack with all their bindings: their expectations hold where the same conversation was led. */
  readonly scenarios: readonly Scenario[];
  readonly isUsable: (pattern: string) => boolean;
}

/** Judges an imported run by its visible answers; a run without a single pair is not clean. */
export function reviewRun(
  runId: string,
  pairs: readonly ConversationPair[],
  how: RunReviewRules,
): RunReview {
  const matched = matchConversation(pairs, how.scenarios, how.isUsable);
  const reviewed = pairs.map((pair, at): ReviewedExchange => {
    const found = matched.get(at);
    const findings = reviewPair(pair, found?.step, how);
    if (found === undefined) return { ...pair, findings };
    const step = { scenarioId: found.scenario.scenarioId, stepId: found.template.stepId };
    return { ...pair, findings, step };
  });
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
  { locale, scenarios, isUsable }: Pick<RunReviewRules, "locale" | "scenarios" | "isUsable">,
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
    domains: domainsOf([...matchConversation(pairs, scenarios, isUsable).values()]).size,
    duplicates: findDuplicates(
      pairs.map((pair) => ({ name: pair.pairId, text: pair.question })),
      0.9,
    ),
    weakAnchors: pairs
      .filter((pair, index) => !followsUp(pair, index) && !hasBusinessAnchor(pair.question))
      .map((pair) => pair.pairId),
  };
}

function domainsOf(matched: readonly MatchedStep[]): ReadonlySet<string> {
  const tags = ({ scenario, template }: MatchedStep) => [scenario.domain, ...template.semanticTags];
  return new Set(matched.flatMap(tags));
}

function reviewPair(
  pair: ConversationPair,
  known: Step | undefined,
  how: RunReviewRules,
): readonly Finding[] {
  const step = known ?? {
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
