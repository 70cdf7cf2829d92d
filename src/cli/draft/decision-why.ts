import type { LoopDecision } from "../../domain/drafting/decision.ts";
import type { Verdict } from "../../domain/drafting/review.ts";
import type { StopRule } from "../../domain/drafting/stop-rules.ts";
import type { Layout, Span } from "../shell/lay-out.ts";
import { type Item, renderItems, renderRow } from "../shell/row.ts";
import { verdictSpan } from "./issue.ts";

/** What the decision rule looked at after one turn, and what it said. */
export interface DecisionInputs {
  readonly verdict: Verdict;
  readonly creatorDone: boolean;
  readonly iteration: number;
  readonly maxIterations: number;
  /** The rules that were on. */
  readonly stopRules: readonly {
    readonly rule: StopRule;
    readonly fired: boolean;
    /** The figures it compared, in words. */
    readonly detail?: string;
  }[];
  /** Absent while the loop goes on. */
  readonly decision?: LoopDecision;
}

/** The decision rule as four questions in their order; the first yes decides. */
export function renderWhy(inputs: DecisionInputs, layout: Layout): readonly string[] {
  const { verdict, creatorDone, iteration, maxIterations, stopRules, decision } = inputs;
  const converged = verdict === "ok" && creatorDone;
  const atLimit = iteration >= maxIterations;
  const fired = stopRules.some((rule) => rule.fired);
  const decided = converged || atLimit;
  return [
    ...renderItems(
      "both sign?",
      [
        {
          mark: yesNo(converged),
          spans: [
            { text: "the reviewer " },
            verdictSpan(verdict),
            { text: `, the writer is ${creatorDone ? "done" : "not done"}` },
          ],
        },
      ],
      layout,
    ),
    ...renderItems(
      "limit?",
      [
        {
          mark: converged ? notAsked : yesNo(atLimit),
          spans: [{ text: `turn ${iteration} of at most ${maxIterations}` }],
        },
      ],
      layout,
    ),
    ...renderItems("stop rule?", stopItems(stopRules, decided), layout),
    ...renderItems(
      "go on?",
      [{ mark: decided || fired ? notAsked : yesNo(true), spans: [{ text: "another turn" }] }],
      layout,
    ),
    ...renderRow("so", [decisionSpan(decision)], layout),
  ];
}

const notAsked: Span = { text: "not asked", style: "muted" };

function yesNo(yes: boolean): Span {
  return yes ? { text: "yes", style: "strong" } : { text: "no", style: "muted" };
}

function stopItems(rules: DecisionInputs["stopRules"], decided: boolean): readonly Item[] {
  if (rules.length === 0) return [{ mark: yesNo(false), spans: [{ text: "none is on" }] }];
  return rules.map(({ rule, fired, detail }) => ({
    mark: decided ? notAsked : yesNo(fired),
    spans: [{ text: rule }, { text: detail === undefined ? "" : `: ${detail}`, style: "muted" }],
  }));
}

function decisionSpan(decision: LoopDecision | undefined): Span {
  if (decision === undefined) return { text: "none: nothing is locked", style: "muted" };
  const { outcome, reason, finalIteration, lockedFields } = decision;
  const because = reason === undefined ? "" : `, ${reason}`;
  const at = finalIteration === undefined ? "" : `, turn ${finalIteration}`;
  const locked = lockedFields.length === 0 ? "" : `; locked: ${lockedFields.join(", ")}`;
  return {
    text: `${outcome}${because}${at}${locked}`,
    style: outcome === "converged" ? "good" : "caution",
  };
}
