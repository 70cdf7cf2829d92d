import {
  isRunOutcome,
  RUN_OUTCOMES,
  type RunOutcome,
} from "../../src/domain/scenarios/run-outcome.ts";
import type { Run } from "../api/queries.ts";

type Tone = "good" | "bad" | "wait" | "busy" | "plain";

const endings: { readonly [outcome: string]: readonly [tone: Tone, text: string] } = {
  approved: ["good", "Approved"],
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

/** The state of a run in one word: its outcome once there is one. */
export function StateBadge({ run }: { readonly run: Pick<Run, "state" | "outcome"> }) {
  const [tone, text] = endingOf(run.outcome) ?? states[run.state] ?? ["plain", run.state];
  return <span className={`badge ${tone}`}>{text}</span>;
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
