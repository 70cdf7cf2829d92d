import type { CreatorReply, IssueAnswer } from "../../../domain/drafting/candidate.ts";
import { type AssetKind, isAssetKind } from "../../../domain/episodes/asset-kind.ts";
import type { CreatorTask, OpenIssue } from "../../../protocol/drafting/task.ts";
import { type EpisodeFacts, episodeFacts } from "./episode-facts.ts";
import { episodeFaults } from "./episode-faults.ts";
import { composeEpisodeText, firstDraftGaps } from "./episode-texts.ts";

/** The thirteen recipes these stand-ins can write and review. */
export function isEpisodeRecipe(recipe: string): recipe is AssetKind {
  return isAssetKind(recipe);
}

/**
 * A rule-based writer for the thirteen texts of an episode. It quotes the conversation, keeps what earlier
 * turns settled and answers each open issue; what no rule covers it leaves open and says so.
 */
export function writeEpisodeOffline(task: CreatorTask, seed = 1): CreatorReply {
  if (!isEpisodeRecipe(task.recipe)) throw new TypeError(`no offline writer for ${task.recipe}`);
  if (task.lockedText !== undefined) return keepLocked(task, task.lockedText);
  const facts = episodeFacts(task.brief);
  const content = composeEpisodeText(task.recipe, facts, {
    answered: answeredCodes(task, task.recipe, facts),
    variant: task.candidateIndex - 1 + seed - 1,
  });
  const faults = new Set(episodeFaults(task.recipe, content, facts).map((fault) => fault.code));
  const answers = task.openIssues.map((open) => answerTo(open, content, faults));
  return { content, done: answers.every((answer) => answer.answer !== "deferred"), answers };
}

/** Everything but the gap of a first draft, unless somebody asked for it or the text already had it. */
function answeredCodes(
  task: CreatorTask,
  kind: AssetKind,
  facts: EpisodeFacts,
): ReadonlySet<string> {
  const gap = firstDraftGaps[kind];
  const all = new Set(Object.values(firstDraftGaps));
  if (gap === undefined) return all;
  const asked = task.openIssues.some((open) => open.issue.code === gap);
  const had =
    task.previousText !== undefined &&
    !episodeFaults(kind, task.previousText, facts).some((fault) => fault.code === gap);
  if (!asked && !had) all.delete(gap);
  return all;
}

function keepLocked(task: CreatorTask, content: string): CreatorReply {
  return {
    content,
    done: true,
    answers: task.openIssues.map(({ issue }) => ({
      issueId: issue.issueId,
      answer: issue.code === "locked_selection" ? "fixed" : "rebutted",
      reason: "The text is locked; only a person may change it.",
    })),
  };
}

const checkCodes = new Set(
  "max_length min_length one_line sentences pattern banned_words required_section required_text hashtags bullet_list comma_list unique_items opening_chapter".split(
    " ",
  ),
);

const ownCodes = new Set(
  "missing_hosts missing_chapters missing_links missing_subject missing_question missing_takeaways too_few_tags long_tag long_slug wrong_language filler transcript_label repeated_sentence ungrounded".split(
    " ",
  ),
);

function answerTo({ issue }: OpenIssue, content: string, faults: ReadonlySet<string>): IssueAnswer {
  const { issueId, code = "", quote } = issue;
  if (quote !== undefined && !content.includes(quote)) {
    return { issueId, answer: "fixed", reason: "The passage is gone." };
  }
  if (ownCodes.has(code)) {
    return faults.has(code)
      ? { issueId, answer: "deferred", reason: "The brief does not hold what this asks for." }
      : { issueId, answer: "fixed", reason: "Written anew with this in it." };
  }
  if (checkCodes.has(code))
    return { issueId, answer: "fixed", reason: "Written anew within the limits." };
  return { issueId, answer: "deferred", reason: "A rule-based writer has no rule for this." };
}
