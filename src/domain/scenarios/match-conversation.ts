import { foldText } from "./folded-text.ts";
import type { Scenario, Step } from "./manifest.ts";
import { resolveText } from "./placeholder.ts";
import { advanceProgress, planStep, startProgress } from "./scenario-progress.ts";

/** A question of a session and its visible answer. */
interface AskedPair {
  readonly sessionId: string;
  readonly question: string;
  readonly answer: string;
}

/** A pair that was asked where a pack asks it: the same question after the same earlier questions. */
export interface MatchedStep {
  readonly scenario: Scenario;
  /** With its placeholders resolved from what was visibly answered; undefined where that is not enough. */
  readonly step: Step | undefined;
  readonly template: Step;
}

/**
 * The step of each pair, by its place in the list. A session is read as scenarios played from their first question on,
 * one after the other; after a question that no scenario asks there, nothing of the session is a pack's conversation.
 */
export function matchConversation(
  pairs: readonly AskedPair[],
  scenarios: readonly Scenario[],
  isUsable: (pattern: string) => boolean,
): ReadonlyMap<number, MatchedStep> {
  const matched = new Map<number, MatchedStep>();
  const sessions = Map.groupBy(pairs.entries(), ([, { sessionId }]) => sessionId);
  for (const session of sessions.values()) {
    let from = 0;
    while (from < session.length) {
      const rest = session.slice(from);
      const questions = rest.map(([, { question }]) => question);
      const [best] = scenarios
        .map((scenario) => ({ scenario, length: askedOf(scenario, questions) }))
        .sort((left, right) => right.length - left.length);
      if (best === undefined || best.length === 0) break;
      const asked = rest.slice(0, best.length);
      const steps = resolvedSteps(best.scenario, asked, isUsable);
      for (const [index, [place]] of asked.entries()) {
        const step = steps[index];
        if (step !== undefined) matched.set(place, step);
      }
      from += best.length;
    }
  }
  return matched;
}

/** How many of these questions are the scenario's, from its first on. */
function askedOf({ bindings, steps }: Scenario, questions: readonly string[]): number {
  const differs = questions.findIndex((question, index) => {
    const step = steps[index];
    return step === undefined || !isAsked(step.question, question, { bindings });
  });
  return differs < 0 ? Math.min(questions.length, steps.length) : differs;
}

/** What earlier answers are to put into the question may be anything. */
function isAsked(
  template: string,
  question: string,
  { bindings }: Pick<Scenario, "bindings">,
): boolean {
  const scope = { bindings, semanticMemory: {}, steps: new Map(), unanswered: new Set<string>() };
  const pieces = template.split(/(\{\{[^}]*\}\})/u).map((piece) => {
    const resolved = resolveText(piece, scope);
    return resolved.kind === "resolved" ? String(resolved.value) : undefined;
  });
  const literal = pieces.map((piece) => piece ?? "\n").join("");
  const [first = "", ...others] = literal.split("\n").map(foldText);
  const asked = foldText(question);
  if (others.length === 0) return asked === first;
  const last = others.pop() ?? "";
  if (!asked.startsWith(first) || !asked.slice(first.length).endsWith(last)) return false;
  let from = first.length;
  for (const piece of others) {
    const found = asked.indexOf(piece, from);
    if (found < 0) return false;
    from = found + piece.length;
  }
  return from <= asked.length - last.length;
}

function resolvedSteps(
  scenario: Scenario,
  asked: readonly (readonly [number, AskedPair])[],
  isUsable: (pattern: string) => boolean,
): readonly MatchedStep[] {
  let progress = startProgress(scenario.bindings);
  return asked.flatMap(([, { question, answer: text, sessionId }], index) => {
    const template = scenario.steps[index];
    if (template === undefined) return [];
    // The question is known as it was asked; only the expectations may lack what an earlier answer should have shown.
    const planned = planStep({ ...template, question }, progress, isUsable);
    const answer = { text, sessionId, debug: {}, entries: [], semanticMemory: {}, raw: null };
    progress = advanceProgress(progress, template, { kind: "answered", answer });
    return [{ scenario, template, step: planned.kind === "ask" ? planned.step : undefined }];
  });
}
