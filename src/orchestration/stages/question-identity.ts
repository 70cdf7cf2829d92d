import { writeScenario } from "../../contract/scenarios/write-manifest.ts";
import type { ReviewedExchange } from "../../domain/scenarios/conversation-review.ts";
import { foldText } from "../../domain/scenarios/folded-text.ts";
import {
  NO_EXPECTATIONS,
  type Scenario,
  type SimulatedUser,
  type Step,
} from "../../domain/scenarios/manifest.ts";
import type { MatchedStep } from "../../domain/scenarios/match-conversation.ts";
import { problemTypeOf } from "../../domain/scenarios/repair-targets.ts";
import type { ScenarioRecord, StepRecord } from "../../domain/scenarios/run-record.ts";
import { goalStepId, turnStepId } from "../../domain/scenarios/simulated-user.ts";
import type { AskedQuestion } from "../../domain/stages/asked-question.ts";
import { canonicalJson } from "../../domain/values/canonical-json.ts";
import type { Json, JsonObject } from "../../domain/values/json.ts";

type Digest = (text: string) => string;

/** The questions of a played scenario, each recognised by all that was asked up to it. */
export function askedInScenario(
  scenario: Scenario,
  record: ScenarioRecord,
  digest: Digest,
): readonly (AskedQuestion & Pick<StepRecord, "stepId">)[] {
  const worded = wordedSteps(scenario, digest);
  let asAsked = "";
  return record.steps.map((played) => {
    const { stepId } = played;
    const question = played.questionResolved ?? played.questionTemplate;
    asAsked = digest(`${asAsked}\n${foldText(question)}`);
    return {
      stepId,
      question,
      asAsked,
      ...worded.get(stepId),
      isAnswered: played.execution === "answered",
      problems: problemsOf(played.findings),
    };
  });
}

/** The questions of a run made elsewhere, session by session, with the pack's steps that its conversations follow. */
export function askedElsewhere(
  pairs: readonly ReviewedExchange[],
  matched: ReadonlyMap<number, MatchedStep>,
  digest: Digest,
): readonly (AskedQuestion & Pick<ReviewedExchange, "pairId">)[] {
  const worded = new Map<Scenario, ReturnType<typeof wordedSteps>>();
  const wordedAs = ({ scenario, template }: MatchedStep) => {
    const steps = worded.get(scenario) ?? wordedSteps(scenario, digest);
    worded.set(scenario, steps);
    return steps.get(template.stepId);
  };
  const sessions = new Map<string, string>();
  return pairs.map(({ pairId, sessionId, question, answer, findings }, at) => {
    const asAsked = digest(`${sessions.get(sessionId) ?? ""}\n${foldText(question)}`);
    sessions.set(sessionId, asAsked);
    const found = matched.get(at);
    const known = found && wordedAs(found);
    // Expectations that could not be applied were not checked.
    const basis = found?.step === undefined ? undefined : known?.basis;
    return {
      pairId,
      question,
      asAsked,
      ...(known === undefined ? {} : { asWorded: known.asWorded }),
      basis: basis ?? basisOf(NO_EXPECTATIONS, {}, digest),
      isAnswered: answer.trim() !== "",
      problems: problemsOf(findings),
    };
  });
}

/** The steps as the pack words them: each with all questions up to it, and what its answer is held against. */
function wordedSteps(scenario: Scenario, digest: Digest) {
  let asWorded = digest(canonicalJson(scenario.analysisContext));
  return new Map<string, { readonly asWorded?: string; readonly basis: string }>([
    ...scenario.steps.map((step) => {
      const bindings = namedBindings(scenario, step);
      asWorded = digest(`${asWorded}\n${canonicalJson([step.question, bindings])}`);
      const basis = basisOf(step.expectations, bindings, digest);
      return [step.stepId, { asWorded, basis }] as const;
    }),
    ...(scenario.user === undefined ? [] : wordedUser(scenario, scenario.user, digest)),
  ]);
}

/** A turn has no wording in the pack: it is recognised by what was asked. The goal is, whatever way leads to it. */
function wordedUser(scenario: Scenario, user: SimulatedUser, digest: Digest) {
  const { persona, goal, maxTurns, goalAnswerPatternsAny, turn } = user;
  const meant = { ...turn, question: [goal, ...goalAnswerPatternsAny].join("\n") };
  const bindings = namedBindings(scenario, meant);
  const basis = basisOf(turn.expectations, bindings, digest);
  const aim = digest(
    canonicalJson([persona, goal, maxTurns, [...goalAnswerPatternsAny], bindings]),
  );
  const turns = Array.from({ length: maxTurns }, (_, at) => turnStepId(at + 1));
  return [
    ...turns.map((id) => [id, { basis }] as const),
    [goalStepId, { asWorded: aim, basis: aim }] as const,
  ];
}

/** What an answer is held against. Severities do not belong to it: a lower one hides no finding. */
function basisOf(
  { invariantSeverity: _, ...expectations }: Step["expectations"],
  bindings: JsonObject,
  digest: Digest,
): string {
  return digest(canonicalJson(JSON.parse(JSON.stringify([expectations, bindings])) as Json));
}

/** The bindings that a step names, in its question or its expectations. */
function namedBindings(scenario: Scenario, step: Step): JsonObject {
  const text = JSON.stringify(writeScenario({ ...scenario, bindings: {}, steps: [step] }));
  const named = [...text.matchAll(/\{\{\s*bindings\.([^}\s.[]+)/gu)].map(([, name = ""]) => name);
  const known = [...new Set(named)].filter((name) => Object.hasOwn(scenario.bindings, name));
  return Object.fromEntries(known.map((name) => [name, scenario.bindings[name] ?? null]));
}

function problemsOf(findings: StepRecord["findings"]): readonly string[] {
  return [...new Set(findings.map(({ invariant }) => problemTypeOf(invariant)))];
}
