import type { JudgeAnswer, NotesPanel } from "../../domain/gates/panel-vote.ts";
import type { NotesWorld } from "./load-world.ts";
import type { NotesTools } from "./notes-tools.ts";
import { partitionOf, type SelectOptions, selectAllPairs } from "./select-pairs.ts";
import { pairKey, type TargetPair } from "./target-pair.ts";

/** What each member of a panel answered about the present versions of a pair, after rulings. */
export async function loadPanelAnswers(
  tools: NotesTools,
  world: NotesWorld,
  { members }: NotesPanel,
  options: Pick<SelectOptions, "lockOnly"> = {},
): Promise<(notePath: string, gateId: string) => readonly JudgeAnswer[]> {
  const models = members.map(({ judge }) => judge);
  const { freshPairs, stale } = await selectAllPairs(tools, world, { ...options, models });
  const judged = new Map(
    [...freshPairs, ...stale].map((pair) => [
      pairKey(pair.note.path, pair.gate.id, pair.model),
      pair,
    ]),
  );
  return (notePath, gateId) =>
    members.map(({ name, judge }) => ({
      member: name,
      answer: answerOf(judged.get(pairKey(notePath, gateId, partitionOf(tools, judge)))),
    }));
}

function answerOf(pair: TargetPair | undefined): JudgeAnswer["answer"] {
  if (pair?.state.kind === "fresh") return pair.accepted?.decision ?? "absent";
  return pair?.state.kind === "undecided" ? "undecided" : "absent";
}
