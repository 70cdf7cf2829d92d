import type { RaisedIssue, ReviewerReply } from "../../../domain/drafting/review.ts";
import { defined } from "../../../domain/values/defined.ts";
import type { OpenIssue, ReviewerTask } from "../../../protocol/drafting/task.ts";
import { episodeFacts } from "./episode-facts.ts";
import { type EpisodeFault, episodeFaults } from "./episode-faults.ts";
import { isEpisodeRecipe } from "./write-offline.ts";

/**
 * A rule-based reviewer for the thirteen texts of an episode: concrete faults with codes, earlier ones kept or
 * closed by id. It never approves what a check or an open objection speaks against.
 */
export function reviewEpisodeOffline(task: ReviewerTask): ReviewerReply {
  if (!isEpisodeRecipe(task.recipe)) throw new TypeError(`no offline reviewer for ${task.recipe}`);
  const faults = episodeFaults(task.recipe, task.text, episodeFacts(task.brief));
  const judged = task.openIssues.filter((open) => open.issue.reviewer !== "checks");
  const kept = judged.filter((open) => stillStands(open, task, faults));
  const closed = judged.filter((open) => !kept.includes(open));
  const known = new Set(kept.map((open) => open.issue.code));
  const issues = faults.filter((fault) => !known.has(fault.code)).map(raised);
  const failed = task.checkIssues.filter((issue) => issue.severity === "error").length;
  const errors =
    failed +
    [...issues, ...kept.map((open) => open.issue)].filter((issue) => issue.severity === "error")
      .length;
  return {
    verdict: errors === 0 ? "ok" : "changes_requested",
    issues,
    kept: kept.map((open) => open.issue.issueId),
    closed: closed.map((open) => open.issue.issueId),
    summary: errors === 0 ? "Nothing left to object to." : `${errors} to be settled.`,
    score: Math.max(0, 100 - 20 * errors),
  };
}

/** A fault of ours stands while it can be seen; another's stands until it was answered with a changed text. */
function stillStands(
  open: OpenIssue,
  task: ReviewerTask,
  faults: readonly EpisodeFault[],
): boolean {
  const { code, quote } = open.issue;
  if (faults.some((fault) => fault.code === code)) return true;
  if (quote !== undefined && task.text.includes(quote)) return true;
  if (open.answer === undefined || open.answer.answer === "deferred") return !isOurs(code);
  return open.answer.answer === "fixed" && !isOurs(code) && task.changedPassages?.length === 0;
}

function isOurs(code: string | undefined): boolean {
  return (
    code !== undefined &&
    /^(missing_|too_few_tags|long_|wrong_language|filler|transcript_label|repeated_|ungrounded)/.test(
      code,
    )
  );
}

function raised({ code, severity, message, quote }: EpisodeFault): RaisedIssue {
  return { code, severity, message, field: "content", ...defined({ quote }) };
}
