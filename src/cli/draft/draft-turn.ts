import type {
  CandidateWritten,
  IterationRecorded,
  LoopStarted,
  ReviewReceived,
} from "../../domain/drafting/events.ts";
import { personReviewer } from "../../domain/drafting/issue-ledger.ts";
import { describeVote, panelReviewer } from "../../domain/drafting/panel.ts";
import type { Review, ReviewIssue } from "../../domain/drafting/review.ts";
import { describeSignature } from "../../domain/drafting/signature.ts";
import { deciderOf, decidersOf } from "../../domain/evidence/decider-of.ts";
import { renderCount, renderDuration, renderUsage } from "../shell/amounts.ts";
import type { Line, Span } from "../shell/lay-out.ts";
import type { Palette } from "../shell/palette.ts";
import { clipped, itemRows, row } from "../shell/row.ts";
import { stripToLine } from "../shell/strip-control.ts";
import { bad, caution, heading, muted, strong, strongText } from "../shell/styles.ts";
import { answerItems, issueItems, openItems, verdictSpan } from "./issue.ts";
import { diffDrafts } from "./word-diff.ts";

export type Verbosity = "quiet" | "normal" | "verbose";

/** What the reader has already seen, as far as later lines refer to it. */
export interface DraftContext {
  readonly models: readonly string[];
  /** The draft that was kept from the turn before. */
  readonly previousText?: string;
  readonly messageOf: (issueId: string) => string | undefined;
  readonly severalCandidates: boolean;
  readonly verbosity: Verbosity;
  readonly palette: Palette;
}

/** Longer drafts that were shown before are shown by their changes alone. */
const shortDraft = 400;
const longestDraft = 12_000;
const longestBrief = 600;

const nameOf: { readonly [decider: string]: string } = {
  scripted: "a script",
  stand_in: "rule-based stand-ins",
};

/** Who writes and who reviews. The first line names stand-ins and scripts, so that no reader takes them for models. */
export function loopStartedLines(event: LoopStarted): readonly Line[] {
  const { reviewers } = event;
  const limit = `at most ${renderCount(event.maxTurns, "turn")}`;
  return [
    participants(event),
    "",
    row("brief", [clipped(event.brief.trim(), longestBrief)]),
    row("recipe", [`${stripToLine(event.recipe)}, ${limit}`]),
    ...(reviewers.length > 1 ? reviewers.map(({ label, model }) => row(label, [model])) : []),
  ];
}

function participants(event: LoopStarted): readonly Span[] {
  const reviewers = event.reviewers.map(({ model }) => model);
  const isReview = event.creatorModel === personReviewer;
  const models = [...new Set([...(isReview ? [] : [event.creatorModel]), ...reviewers])];
  const doing = isReview ? "Reviewing" : "Drafting";
  const notModels = models.filter((model) => deciderOf(model) !== "model");
  if (notModels.length > 0) {
    const kinds = decidersOf(notModels).map((decider) => nameOf[decider] ?? decider);
    return [
      strong(`${doing} with `),
      caution(`${kinds.join(" and ")} (${notModels.join(", ")})`),
      muted(notModels.length === models.length ? ": no model is asked." : "."),
    ];
  }
  if (models.length === 1 || isReview) return [strong(`${doing} with ${models.join(", ")}`)];
  const reviewing =
    reviewers.length === 1 ? `${reviewers[0]} reviews` : `a panel of ${reviewers.length} reviews`;
  return [strong(`Drafting: ${event.creatorModel} writes, ${reviewing}`)];
}

export function turnHeading(turn: number, fromRecord: boolean): readonly Line[] {
  return ["", [heading(`Turn ${turn}`), fromRecord && muted("  from the record")]];
}

export function candidateLines(event: CandidateWritten, context: DraftContext): readonly Line[] {
  const isOwn = event.candidate.provenance.some(({ kind }) => kind === "person");
  const writer = context.severalCandidates ? `writer ${event.index}` : "writer";
  const name = isOwn ? "text" : writer;
  return [
    ...draftLines(name, event.candidate.content, context),
    ...itemRows("answers", answerItems(event.answers, context.messageOf)),
    ...itemRows("checks", issueItems(event.checks)),
    !event.done && row("", [muted("not done yet")]),
  ];
}

/** The draft, and below it what changed since the one before. */
export function draftLines(
  name: string,
  content: string,
  context: Pick<DraftContext, "previousText" | "verbosity" | "palette">,
): readonly Line[] {
  const isVerbose = context.verbosity === "verbose";
  const text = isVerbose ? content.trim() : clipped(content.trim(), longestDraft);
  const whole = row(name, [strongText(text)], "accent");
  if (context.previousText === undefined) return [whole];
  const diff = diffDrafts(context.previousText.trim(), content.trim(), context.palette);
  if (diff.kind === "same") return [whole, row("changed", [caution("nothing")])];
  if (diff.kind === "rewritten") return [whole];
  if (content.length <= shortDraft || isVerbose) return [whole, row("changed", diff.spans)];
  return [row(name, diff.spans, "accent")];
}

export function reviewReceivedLines(
  event: ReviewReceived,
  facts: { readonly about?: string; readonly mark?: string; readonly verbosity: Verbosity },
): readonly Line[] {
  const took = facts.verbosity === "verbose" ? [`in ${renderDuration(event.durationSeconds)}`] : [];
  const { signature } = event.review;
  const asked = signature === undefined || signature.how === "bare" ? undefined : signature;
  const signed = asked && describeSignature(asked);
  const remarks = [facts.about, facts.mark, signed, ...took].filter((part) => part !== undefined);
  return reviewLines(event.review, remarks);
}

/** A verdict with its reasons. */
export function reviewLines(review: Review, remarks: readonly string[]): readonly Line[] {
  const score = review.score === undefined ? [] : [`score ${review.score}`];
  const said = [...remarks, ...score].join(", ");
  const summary = review.summary?.trim() ?? "";
  const repeats = review.issues.some(({ message }) => message.trim() === summary);
  const verdict = [
    verdictSpan(review.verdict),
    said !== "" && muted(`  ${said}`),
    summary !== "" && !repeats && `\n${clipped(summary, 1_000)}`,
  ];
  return [
    row(review.reviewer ?? "reviewer", verdict, "accent"),
    ...itemRows("", issueItems(review.issues.map((issue) => withOwner(issue, review)))),
  ];
}

/** In the review of a whole panel each issue is shown with the member who raised it. */
function withOwner(issue: ReviewIssue, { reviewer }: Review): ReviewIssue {
  const isPanel = reviewer === panelReviewer;
  return isPanel ? { ...issue, message: `${issue.reviewer}: ${issue.message}` } : issue;
}

interface IterationContext extends DraftContext {
  readonly candidateIndex?: number;
}

/** The result of a turn: how the panel voted, what stays open, what it cost. */
export function iterationLines(
  event: IterationRecorded,
  context: IterationContext,
): readonly Line[] {
  const { iteration } = event;
  const stillOpen = iteration.ledger.filter(
    ({ status, raisedIn, issue }) =>
      status === "open" && raisedIn < iteration.iteration && issue.reviewer !== "checks",
  );
  const cost = [renderDuration(event.durationSeconds), ...renderUsage(event.usage, context.models)];
  return [
    ...combinedLines(event, context),
    ...itemRows("open", openItems(stillOpen)),
    row("", [muted(cost.join(" · "))]),
  ];
}

/** Only where the combined verdict is not simply the one verdict above it. */
function combinedLines(
  { iteration: { vote, review, creatorDone } }: IterationRecorded,
  { candidateIndex }: IterationContext,
): readonly Line[] {
  const { how = "refused" } = review.signature ?? {};
  const isCarried = vote === undefined ? how !== "refused" : vote.verdict === "ok";
  const isOk = review.verdict === "ok";
  return [
    candidateIndex !== undefined && row("", [`candidate ${candidateIndex} is kept`]),
    vote !== undefined &&
      row("panel", [verdictSpan(review.verdict), muted(`  ${describeVote(vote)}`)], "accent"),
    isCarried &&
      !isOk &&
      row("guard", [bad("the approval does not count: errors are open")], "bad"),
    isOk && !creatorDone && row("", [caution("the reviewer approves, but the writer is not done")]),
  ];
}
