import { type Decider, notByModel } from "../../src/domain/evidence/standing.ts";
import {
  describeRun,
  isRunResult,
  type ShownRunState,
  stateWords,
} from "../../src/domain/runs/run-words.ts";
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

type Stated = Pick<Run, "state" | "outcome"> & Partial<Pick<Run, "ruled_by" | "rule">>;

/** The state of a run, in the words of the command line. */
export function StateBadge({ run }: { readonly run: Stated }) {
  return <span className={`badge ${describeRun(known(run)).tone}`}>{stateTitle(run)}</span>;
}

export function stateTitle(run: Stated): string {
  return asTitle(stateWords(known(run)));
}

/** As the server's own words for it need it. */
function known({ outcome, state, ruled_by, rule }: Stated) {
  return {
    state: state as ShownRunState,
    ...defined({
      outcome: outcome !== null && isRunResult(outcome) ? outcome : undefined,
      ...{ ruledBy: ruled_by ?? undefined, rule: rule ?? undefined },
    }),
  };
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
