import type { PanelDecision } from "../drafting/panel.ts";
import { describeVote } from "../drafting/panel.ts";
import { describeSignature, type Signature } from "../drafting/signature.ts";
import { deciderOf } from "../evidence/decider-of.ts";
import { defined } from "../values/defined.ts";
import type { AnalystAnswer } from "./judge-run.ts";

/** Who judged a run in addition to the checks, as its files and reports say it. */
export interface AnalystFacts {
  readonly model: string;
  /** A rule-based stand-in judged, or one of several analysts was one. */
  readonly standIn: boolean;
  /** A script's replies were read; absent where a model was asked. */
  readonly scripted?: boolean;
  /** How an acceptance was signed. */
  readonly signature?: Signature;
  /** Who said what, where there were several. */
  readonly vote?: PanelDecision;
}

export function analystFacts(
  answers: readonly AnalystAnswer[],
  vote: PanelDecision | undefined,
): AnalystFacts {
  const models = [...new Set(answers.map(({ model }) => model))];
  const deciders = models.map(deciderOf);
  const [only, ...others] = answers.map(({ reading }) => reading);
  const signed = others.length === 0 && only?.kind === "read" ? only : undefined;
  const isModel = deciders.every((decider) => decider === "model");
  const isAccepted = signed?.verdict.loopDecision === "accepted";
  return {
    model: models.join(", "),
    standIn: deciders.includes("stand_in"),
    ...(deciders.includes("scripted") && { scripted: true }),
    ...defined({ signature: isModel && isAccepted ? signed?.signature : undefined, vote }),
  };
}

export function describeAnalyst({ model, standIn, scripted, signature, vote }: AnalystFacts) {
  return [
    model,
    ...(standIn ? ["a rule-based stand-in"] : []),
    ...(scripted === true ? ["a script"] : []),
    ...(signature === undefined ? [] : [describeSignature(signature)]),
    ...(vote === undefined ? [] : [describeVote(vote)]),
  ].join(", ");
}
