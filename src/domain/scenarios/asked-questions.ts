import { canonicalJson } from "../values/canonical-json.ts";
import { bindingsOf, type Pack, type Scenario, type Step } from "./manifest.ts";

/** The scenarios of a pack as they are played: each with all its bindings. */
export function playedScenarios(pack: Pack): readonly Scenario[] {
  return pack.scenarios.map((scenario) => ({ ...scenario, bindings: bindingsOf(pack, scenario) }));
}

/**
 * What a run proves something about, as one text: its questions with what they depend on, expect and weigh. Two packs
 * with equal texts prove the same, whatever their titles, descriptions, tags and notes.
 */
export function askedQuestions(scenarios: readonly Scenario[]): string {
  const asked = scenarios.map(({ scenarioId, bindings, analysisContext, steps, user }) => ({
    ...{ scenarioId, bindings, analysisContext },
    steps: steps.map(asAsked),
    ...(user === undefined ? {} : { user: { ...user, turn: asAsked(user.turn) } }),
  }));
  return canonicalJson(JSON.parse(JSON.stringify(asked)));
}

function asAsked({ stepId, question, dependsOn, criticality, expectations }: Step) {
  return { stepId, question, dependsOn, criticality, expectations: { ...expectations } };
}
