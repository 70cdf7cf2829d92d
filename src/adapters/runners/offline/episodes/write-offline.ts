import type { CreatorReply } from "../../../../domain/drafting/candidate.ts";
import { isAssetKind } from "../../../../domain/episodes/asset-kind.ts";
import type { CreatorTask } from "../../../../protocol/drafting/task.ts";
import { handIn } from "../drafting/revision.ts";
import { episodeFacts } from "./episode-facts.ts";
import { criticFor, isEpisodeFault } from "./episode-faults.ts";
import { composeEpisodeText } from "./episode-texts.ts";

/**
 * A rule-based writer for the thirteen texts of an episode. It quotes the conversation, keeps what earlier
 * turns settled and answers each open issue; what no rule covers it leaves open and says so.
 */
export function writeEpisodeOffline(task: CreatorTask, seed = 1): CreatorReply {
  const { recipe: kind, previousText } = task;
  if (!isAssetKind(kind)) throw new TypeError(`no offline writer for ${kind}`);
  const facts = episodeFacts(task.brief);
  const critic = criticFor(kind, facts);
  // A text that already has everything does not lose it again.
  const isWhole = previousText !== undefined && critic(previousText).length === 0;
  const isFirst = task.openIssues.length === 0 && !isWhole;
  const variant = Math.abs(task.candidateIndex - 1 + seed - 1);
  const content = composeEpisodeText(kind, facts, { isFirst, variant });
  const faults = critic(content);
  return handIn(task, content, ({ code = "", reviewer }) => {
    if (content === previousText || faults.some((fault) => fault.code === code)) {
      return "The brief does not hold what this asks for.";
    }
    if (isEpisodeFault(code) || reviewer === "checks") return undefined;
    return "A rule-based writer has no rule for this.";
  });
}
