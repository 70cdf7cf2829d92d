import type { LoopDecision } from "../../domain/drafting/decision.ts";
import type { Verdict } from "../../domain/drafting/review.ts";
import type { StopRule } from "../../domain/drafting/stop-rules.ts";
import type { Line, Span } from "../shell/lay-out.ts";
import { type Item, itemRows, row } from "../shell/row.ts";
import { muted, strong } from "../shell/styles.ts";
import { verdictSpan } from "./issue.ts";

/** What the decision rule looked at after one turn, and what it decided. */
export interface DecisionInputs {
  readonly verdict: Verdict;
  readonly creatorDone: boolean;
  readonly iteration: number;
  readonly maxIterations: number;
  /** The rules that were on. */
  readonly stopRules: readonly { readonly rule: StopRule; readonly fired: boolean }[];
  /** Absent while the loop is undecided. */
  readonly decision?: LoopDecision;
}

/** The decision rule as four questions in order; the first yes decides. */
export function whyLines(inputs: DecisionInputs): readonly Line[] {
  const { verdict, creatorDone, iteration, maxIterations, stopRules, decision } = inputs;
  const converged = verdict === "ok" && creatorDone;
  const atLimit = iteration >= maxIterations;
  const fired = stopRules.some((rule) => rule.fired);
  const decided = converged || atLimit;
  const writer = `, the writer is ${creatorDone ? "done" : "not done"}`;
  const limit = `turn ${iteration} of at most ${maxIterations}`;
  return [
    ...itemRows("both sign?", [
      { mark: yesNo(converged), spans: ["the reviewer ", verdictSpan(verdict), writer] },
    ]),
    ...itemRows("limit?", [{ mark: converged ? notAsked : yesNo(atLimit), spans: [limit] }]),
    ...itemRows("stop rule?", stopItems(stopRules, decided)),
    ...itemRows("continue?", [
      { mark: decided || fired ? notAsked : yesNo(true), spans: ["another turn"] },
    ]),
    row("so", [decisionSpan(decision)]),
  ];
}

const notAsked = muted("not asked");

function yesNo(yes: boolean): Span {
  return yes ? strong("yes") : muted("no");
}

function stopItems(rules: DecisionInputs["stopRules"], decided: boolean): readonly Item[] {
  if (rules.length === 0) return [{ mark: yesNo(false), spans: ["none is on"] }];
  return rules.map(({ rule, fired }) => ({
    mark: decided ? notAsked : yesNo(fired),
    spans: [rule],
  }));
}

function decisionSpan(decision: LoopDecision | undefined): Span {
  if (decision === undefined) return muted("none: nothing is locked");
  const { outcome, reason, finalIteration, lockedFields } = decision;
  const because = reason === undefined ? "" : `, ${reason}`;
  const at = finalIteration === undefined ? "" : `, turn ${finalIteration}`;
  const locked = lockedFields.length === 0 ? "" : `; locked: ${lockedFields.join(", ")}`;
  return {
    text: `${outcome}${because}${at}${locked}`,
    style: outcome === "converged" ? "good" : "caution",
  };
}
