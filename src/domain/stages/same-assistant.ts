import { assistantName, isSameAssistant } from "../scenarios/assistant-identity.ts";
import {
  type AssistantChanged,
  type LoopFinished,
  latest,
  type StageAssistant,
  type StageHistory,
} from "./stage-history.ts";

/** Who the stage's assistant is: the one that gave the first answer, until a person names another. */
export function assistantOfStage(history: StageHistory): StageAssistant | undefined {
  const changed = latest<AssistantChanged>(history, "assistant-changed");
  if (changed !== undefined) return changed.to;
  const first = history.find(
    (event): event is LoopFinished => event.kind === "loop-finished" && event.replay !== undefined,
  );
  return first?.replay?.assistant;
}

/** A loop that asked another assistant shows what is wrong there, but proves nothing about this one. */
export function withoutStrangers(history: StageHistory): StageHistory {
  return history.map((event, at) => {
    if (event.kind !== "loop-finished" || event.replay === undefined) return event;
    const { replay } = event;
    const ours = assistantOfStage(history.slice(0, at));
    if (ours === undefined || isSameAssistant(ours, replay.assistant)) return event;
    const problem = `it asked ${assistantName(replay.assistant)}, not ${assistantName(ours)}`;
    const problems = [...(event.problems ?? []), problem];
    return { ...event, accepted: false, problems, replay: { ...replay, asked: [] } };
  });
}
