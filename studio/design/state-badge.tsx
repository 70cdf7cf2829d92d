import { decisionRule } from "../../src/domain/drafting/decision.ts";
import { type Decider, notByModel } from "../../src/domain/evidence/standing.ts";
import {
  isRunOutcome,
  RUN_OUTCOMES,
  type RunOutcome,
} from "../../src/domain/scenarios/run-outcome.ts";
import type { Run } from "../api/queries.ts";

type Tone = "good" | "bad" | "wait" | "busy" | "plain";

const endings: { readonly [outcome: string]: readonly [tone: Tone, text: string] } = {
  approved: ["good", "Approved"],
  changes_requested: ["wait", "Changes requested"],
  edited: ["wait", "Edited"],
  max_turns: ["wait", "Turns used up"],
  stalled: ["wait", "Stalled"],
  oscillating: ["wait", "Going in circles"],
  late_issues: ["wait", "Late issues"],
  budget: ["wait", "Budget reached"],
  cancelled: ["plain", "Cancelled"],
  error: ["bad", "Failed"],
};

/** A run of questions: the gate's word, as in every other list. */
export function outcomeBadge(outcome: RunOutcome): readonly [tone: Tone, text: string] {
  const { tone, words } = RUN_OUTCOMES[outcome];
  return [tone, words.charAt(0).toUpperCase() + words.slice(1)];
}

const states: { readonly [state: string]: readonly [tone: Tone, text: string] } = {
  queued: ["busy", "Queued"],
  running: ["busy", "Running"],
  waiting: ["wait", "Waits for you"],
  interrupted: ["wait", "Interrupted"],
  stopped: ["wait", "Stopped"],
  failed: ["bad", "Failed"],
  cancelled: ["plain", "Cancelled"],
  finished: ["good", "Finished"],
};

/** The state of a run in one word: its outcome once there is one, and the person or older rule behind it. */
export function StateBadge(props: {
  readonly run: Pick<Run, "state" | "outcome"> & Partial<Pick<Run, "ruled_by" | "rule">>;
}) {
  const { outcome, state, ruled_by: person, rule } = props.run;
  const [tone, text] = endingOf(outcome) ?? states[state] ?? ["plain", state];
  if (person != null) return <span className={`badge ${tone}`}>{`${text} by ${person}`}</span>;
  if (rule == null || rule >= decisionRule) return <span className={`badge ${tone}`}>{text}</span>;
  return <span className="badge wait">{`${text} under rule ${rule}`}</span>;
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

function endingOf(outcome: string | null): readonly [tone: Tone, text: string] | undefined {
  if (outcome === null) return undefined;
  return isRunOutcome(outcome) ? outcomeBadge(outcome) : endings[outcome];
}

export function StandIn() {
  return (
    <span className="badge" title="Signed by rule-based stand-ins, not by models">
      stand-ins
    </span>
  );
}
