import { describeVote } from "../../domain/drafting/panel.ts";
import { type JudgeAnswer, panelPartition, voteOnPair } from "../../domain/gates/panel-vote.ts";
import { gateFormatVersion } from "../../protocol/gates/format.ts";
import type { NotesWorld } from "./load-world.ts";
import type { WritingTools } from "./notes-tools.ts";
import { partitionOf, selectAllPairs, selectPairs } from "./select-pairs.ts";
import { pairKey, type TargetPair, versionsOf } from "./target-pair.ts";

/**
 * Files what a panel decides about every pair that its members have judged. Without `mayBeAbsent` a pair waits until all
 * members have answered.
 */
export async function fileVotes(
  tools: WritingTools,
  world: NotesWorld,
  about: { readonly panel: string; readonly mayBeAbsent: boolean },
): Promise<number> {
  const panel = tools.settings.panels[about.panel];
  if (panel === undefined) return 0;
  const model = panelPartition(about.panel);
  const { stale } = await selectPairs(tools, world, { models: [model] });
  const { freshPairs, stale: open } = await selectAllPairs(tools, world, {
    models: panel.members.map(({ judge }) => judge),
  });
  const judged = new Map(
    [...freshPairs, ...open].map((pair) => [keyOf(pair, pair.model), pair] as const),
  );
  const votes = stale.flatMap((pair) => {
    if (pair.gate.kind === "rule") return [];
    const answers = panel.members.map(({ name, judge }) => ({
      member: name,
      answer: answerOf(judged.get(keyOf(pair, partitionOf(tools, judge)))),
    }));
    const absent = answers.filter(({ answer }) => answer === "absent").length;
    if (absent === answers.length || (absent > 0 && !about.mayBeAbsent)) return [];
    const { decision, vote } = voteOnPair(answers, panel, pair.gate.failLevel);
    return [{ ...versionsOf(pair), model, decision, reason: describeVote(vote) }];
  });
  const filed = { kind: "vote", format: gateFormatVersion, at: tools.clock.now() } as const;
  await tools.store.transaction(async ({ reviews }) => {
    for (const vote of votes) await reviews.acceptances.append({ ...vote, ...filed });
  });
  return votes.length;
}

function answerOf(pair: TargetPair | undefined): JudgeAnswer["answer"] {
  if (pair?.state.kind === "fresh") return pair.accepted?.decision ?? "absent";
  return pair?.state.kind === "undecided" ? "undecided" : "absent";
}

function keyOf({ note, gate }: TargetPair, model: string): string {
  return pairKey(note.path, gate.id, model);
}
