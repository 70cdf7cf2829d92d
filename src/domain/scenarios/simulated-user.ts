import { deciderOf } from "../evidence/decider-of.ts";
import { foldText, isLongerThan } from "./folded-text.ts";
import type { ScenarioRecord } from "./run-record.ts";

/** What a simulated user does next. */
export type UserMove =
  | { readonly kind: "says"; readonly text: string }
  | { readonly kind: "reached"; readonly quote: string }
  | { readonly kind: "gave-up"; readonly why: string };

/** One exchange of a conversation, as its user saw it. */
export interface SaidAndAnswered {
  readonly question: string;
  readonly answer: string;
}

/** The step that says whether the goal was reached. */
export const goalStepId = "goal";

/** The step of a user's turn, from 1. */
export function turnStepId(turn: number): string {
  return `turn_${turn}`;
}

export function describeUser(model: string): string {
  return deciderOf(model) === "stand_in" ? `${model}, a rule-based stand-in` : model;
}

/** A shorter quote is in almost every answer, so it counts only if it is the whole answer. */
const shortestQuote = 8;

/** Whether an answer contains what the user quotes; letter case, white space and punctuation do not count. */
export function isQuoted(quote: string, talk: readonly SaidAndAnswered[]): boolean {
  const wanted = foldText(quote);
  if (wanted === "") return false;
  const answers = talk.map(({ answer }) => foldText(answer));
  return isLongerThan(shortestQuote - 1, wanted)
    ? answers.some((answer) => answer.includes(wanted))
    : answers.includes(wanted);
}

/** What the simulated users of a run asked, by scenario. */
export function saidIn(scenarios: readonly ScenarioRecord[]): {
  readonly [scenarioId: string]: readonly string[];
} {
  const said = scenarios.map(({ scenarioId, steps }) => {
    const turns = steps.filter(({ dialogue }) => dialogue === "turn");
    return [scenarioId, turns.map(({ questionTemplate }) => questionTemplate)] as const;
  });
  return Object.fromEntries(said.filter(([, turns]) => turns.length > 0));
}
