import { describeVote } from "../../domain/drafting/panel.ts";
import { panelPartition, voteOnPair } from "../../domain/gates/panel-vote.ts";
import { gateFormatVersion } from "../../protocol/gates/format.ts";
import type { NotesWorld } from "./load-world.ts";
import type { WritingTools } from "./notes-tools.ts";
import { loadPanelAnswers } from "./panel-answers.ts";
import { selectPairs } from "./select-pairs.ts";
import { versionsOf } from "./target-pair.ts";

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
  const answersAbout = await loadPanelAnswers(tools, world, panel);
  const votes = stale.flatMap((pair) => {
    if (pair.gate.kind === "rule") return [];
    const answers = answersAbout(pair.note.path, pair.gate.id);
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
