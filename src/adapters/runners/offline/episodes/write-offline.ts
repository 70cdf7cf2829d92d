import type { CreatorReply, IssueAnswer } from "../../../../domain/drafting/candidate.ts";
import { type AssetKind, isAssetKind } from "../../../../domain/episodes/asset-kind.ts";
import type { CreatorTask, OpenIssue } from "../../../../protocol/drafting/task.ts";
import { type EpisodeFacts, episodeFacts } from "./episode-facts.ts";
import { episodeFaults, isEpisodeFault } from "./episode-faults.ts";
import { composeEpisodeText, firstDraftGaps } from "./episode-texts.ts";

/**
 * A rule-based writer for the thirteen texts of an episode. It quotes the conversation, keeps what earlier
 * turns settled and answers each open issue; what no rule covers it leaves open and says so.
 */
export function writeEpisodeOffline(task: CreatorTask, seed = 1): CreatorReply {
  const kind = task.recipe;
  if (!isAssetKind(kind)) throw new TypeError(`no offline writer for ${kind}`);
  const facts = episodeFacts(task.brief);
  const gap = openGap(task, kind, facts);
  const variant = task.candidateIndex - 1 + seed - 1;
  const content = task.lockedText ?? composeEpisodeText(kind, facts, { gap, variant });
  const faults = new Set(episodeFaults(kind, content, facts).map(({ code }) => code));
  const answers = task.openIssues.map((open) =>
    task.lockedText === undefined
      ? answerTo(open, { content, faults, isSame: content === task.previousText })
      : keepLocked(open),
  );
  return { content, done: answers.every(({ answer }) => answer !== "deferred"), answers };
}

/** What the draft leaves out, unless someone asked for it or the last text already had it. */
function openGap(task: CreatorTask, kind: AssetKind, facts: EpisodeFacts): string | undefined {
  const gap = firstDraftGaps[kind];
  if (task.openIssues.some(({ issue }) => issue.code === gap)) return undefined;
  if (task.previousText === undefined) return gap;
  return episodeFaults(kind, task.previousText, facts).find(({ code }) => code === gap)?.code;
}

function keepLocked({ issue }: OpenIssue): IssueAnswer {
  return {
    issueId: issue.issueId,
    answer: issue.code === "locked_selection" ? "fixed" : "rebutted",
    reason: "The text is locked; only a person may change it.",
  };
}

interface Rewritten {
  readonly content: string;
  readonly faults: ReadonlySet<string>;
  /** The rules give the same text again. */
  readonly isSame: boolean;
}

function answerTo({ issue }: OpenIssue, { content, faults, isSame }: Rewritten): IssueAnswer {
  const { issueId, code = "", quote } = issue;
  if (quote !== undefined && !content.includes(quote)) {
    return { issueId, answer: "fixed", reason: "The passage is gone." };
  }
  if (faults.has(code) || isSame) {
    return { issueId, answer: "deferred", reason: "The brief does not hold what this asks for." };
  }
  if (isEpisodeFault(code) || issue.reviewer === "checks") {
    return { issueId, answer: "fixed", reason: "Written anew with this in mind." };
  }
  return { issueId, answer: "deferred", reason: "A rule-based writer has no rule for this." };
}
