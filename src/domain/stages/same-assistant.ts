import { assistantName, isSameAssistant } from "../scenarios/assistant-identity.ts";
import type { StageAssistant, StageEvent, StageHistory } from "./stage-history.ts";

/** Whose answers count for a stage. */
export interface KnownAssistants {
  /** The one that gave the first answer, until another that a person named has answered. */
  readonly ours?: StageAssistant;
  /** Named by a person, and not heard yet. */
  readonly expected?: StageAssistant;
}

export function assistantsOf(history: StageHistory): KnownAssistants {
  return history.reduce(heard, {});
}

function heard(known: KnownAssistants, event: StageEvent): KnownAssistants {
  if (event.kind === "assistant-changed") return { ...known, expected: event.to };
  if (event.kind !== "loop-finished" || event.replay === undefined) return known;
  const { ours, expected } = known;
  const { assistant } = event.replay;
  if (ours === undefined || (expected !== undefined && isSame(expected, assistant))) {
    return { ours: assistant };
  }
  // A record of an older version does not say how it was asked; the first answer after it does.
  const isOlder = ours.setup === undefined && isSame(ours, assistant);
  return isOlder ? { ...known, ours: assistant } : known;
}

export function countsFor({ ours, expected }: KnownAssistants, assistant: StageAssistant): boolean {
  const isExpected = expected !== undefined && isSame(expected, assistant);
  return ours === undefined || isExpected || isSame(ours, assistant);
}

function isSame(left: StageAssistant, right: StageAssistant): boolean {
  const setups = new Set([left.setup, right.setup].filter((setup) => setup !== undefined));
  return isSameAssistant(left, right) && setups.size < 2;
}

/** A loop that asked another assistant shows what is wrong there, but proves nothing about this one. */
export function withoutStrangers(history: StageHistory): StageHistory {
  let known: KnownAssistants = {};
  return history.map((event) => {
    const before = known;
    known = heard(before, event);
    if (event.kind !== "loop-finished" || event.replay === undefined) return event;
    const { ours } = before;
    const { replay } = event;
    if (ours === undefined || countsFor(before, replay.assistant)) return event;
    const problem = isSameAssistant(ours, replay.assistant)
      ? "signoff.yaml had the assistant asked or read in another way than before"
      : `it asked ${assistantName(replay.assistant)}, not ${assistantName(ours)}`;
    const problems = [...(event.problems ?? []), problem];
    return { ...event, accepted: false, problems, replay: { ...replay, asked: [] } };
  });
}
