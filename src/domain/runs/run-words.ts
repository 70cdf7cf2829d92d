import { decisionRule } from "../drafting/decision.ts";
import type { DraftOutcome } from "../drafting/draft-outcome.ts";
import { RUN_OUTCOMES, type RunOutcome } from "../scenarios/run-outcome.ts";
import { defined } from "../values/defined.ts";

/** `interrupted`: it should be running, but its process is gone. */
export type ShownRunState =
  | "queued"
  | "running"
  | "waiting"
  | "interrupted"
  | "finished"
  | "stopped"
  | "failed"
  | "cancelled";

/** What became of a finished run; `settled`: a person has since decided about the text that the loop did not approve. */
export type RunResult = DraftOutcome | RunOutcome | "settled" | "unreadable";

export type Tone = "good" | "bad" | "wait" | "busy" | "plain";

export interface RunWords {
  readonly words: string;
  readonly tone: Tone;
  /** Belongs in brackets after the words. */
  readonly why?: string;
}

const states: { readonly [state in ShownRunState]: RunWords } = {
  queued: { words: "queued", tone: "plain" },
  running: { words: "running", tone: "busy" },
  waiting: { words: "needs input", tone: "wait" },
  interrupted: { words: "interrupted", tone: "wait" },
  finished: { words: "finished", tone: "good" },
  stopped: { words: "stopped", tone: "wait" },
  failed: { words: "failed", tone: "bad" },
  cancelled: { words: "cancelled", tone: "plain" },
};

const results: { readonly [result in RunResult]: RunWords } = {
  ...RUN_OUTCOMES,
  approved: { words: "approved", tone: "good" },
  changes_requested: { words: "changes requested", tone: "wait" },
  edited: { words: "edited", tone: "wait" },
  max_turns: { words: "not approved", why: "limit", tone: "wait" },
  stalled: { words: "not approved", why: "stalled", tone: "wait" },
  oscillating: { words: "not approved", why: "in circles", tone: "wait" },
  late_issues: { words: "not approved", why: "late issues", tone: "wait" },
  budget: { words: "budget reached", tone: "wait" },
  cancelled: { words: "cancelled", tone: "plain" },
  interrupted: { words: "interrupted", tone: "wait" },
  error: { words: "failed", tone: "bad" },
  settled: { words: "decided by a person", tone: "plain" },
  unreadable: { words: "reply not readable", tone: "bad" },
};

interface DescribedRun {
  readonly state: ShownRunState;
  readonly outcome?: RunResult;
  readonly ruledBy?: string;
  readonly rule?: number;
}

/** The one description of a run's state for every list, page and command; people's rulings come first. */
export function describeRun(run: DescribedRun): RunWords {
  const { state, outcome, ruledBy, rule } = run;
  if (state !== "finished" || outcome === undefined) return states[state];
  const { words, tone, why } = results[outcome];
  if (ruledBy !== undefined) return { words: `${words} by ${ruledBy}`, tone };
  if (rule === undefined || rule >= decisionRule) return results[outcome];
  return { words: `${words} under rule ${rule}`, tone: "wait", ...defined({ why }) };
}

/** The same as one phrase; marks such as `script` are added to the reason. */
export function stateWords(run: DescribedRun, ...marks: readonly string[]): string {
  const { words, why } = describeRun(run);
  const remarks = [...(why === undefined ? [] : [why]), ...marks];
  return remarks.length === 0 ? words : `${words} (${remarks.join(", ")})`;
}

export function isRunResult(word: string): word is RunResult {
  return Object.hasOwn(results, word);
}
