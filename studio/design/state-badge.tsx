import { type Decider, notByModel } from "../../src/domain/evidence/standing.ts";
import { describeRun, isRunResult, type ShownRunState } from "../../src/domain/runs/run-words.ts";
import { RUN_OUTCOMES, type RunOutcome } from "../../src/domain/scenarios/run-outcome.ts";
import { defined } from "../../src/domain/values/defined.ts";
import type { Run } from "../api/queries.ts";
import { asTitle } from "./amounts.ts";
import { Term } from "./term.tsx";

/** A run of questions: the gate's word, as in every other list. */
export function outcomeBadge(outcome: RunOutcome) {
  const { tone, words } = RUN_OUTCOMES[outcome];
  return [tone, asTitle(words)] as const;
}

/** The state of a run, in the words of the command line. */
export function StateBadge(props: {
  readonly run: Pick<Run, "state" | "outcome"> & Partial<Pick<Run, "ruled_by" | "rule">>;
}) {
  const { outcome, state, ruled_by, rule } = props.run;
  const known = outcome !== null && isRunResult(outcome) ? outcome : undefined;
  const { words, tone, why } = describeRun({
    state: state as ShownRunState,
    ...defined({ outcome: known, ruledBy: ruled_by ?? undefined, rule: rule ?? undefined }),
  });
  const text = asTitle(words);
  return <span className={`badge ${tone}`}>{why === undefined ? text : `${text} (${why})`}</span>;
}

/** Marks what scripts and stand-ins decided; nothing where models or people did. */
export function NotByModel({ deciders }: { readonly deciders: readonly Decider[] }) {
  const why = notByModel(deciders);
  if (why === undefined) return null;
  return (
    <span className="badge" title={why}>
      {deciders.includes("stand_in") ? "stand-ins" : "script"}
    </span>
  );
}

export function StandIn() {
  return (
    <span className="badge">
      <Term of="stand-in">stand-ins</Term>
    </span>
  );
}
