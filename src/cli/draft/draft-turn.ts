import type {
  CandidateWritten,
  IterationRecorded,
  LoopStarted,
  ReviewReceived,
} from "../../domain/drafting/events.ts";
import { describeVote } from "../../domain/drafting/panel.ts";
import type { Review } from "../../domain/drafting/review.ts";
import { describeSignature } from "../../domain/drafting/signature.ts";
import { renderCount, renderDuration, renderUsage } from "../shell/amounts.ts";
import { type Layout, layOut, type Span } from "../shell/lay-out.ts";
import { clipped, renderItems, renderRow } from "../shell/row.ts";
import { stripToLine } from "../shell/strip-control.ts";
import { answerItems, issueItems, openItems, verdictSpan } from "./issue.ts";
import { diffDrafts } from "./word-diff.ts";

export type Verbosity = "quiet" | "normal" | "verbose";

/** What the reader has already seen, as far as later lines refer to it. */
export interface DraftContext {
  readonly models: readonly string[];
  /** The draft that went on from the turn before. */
  readonly previousText?: string;
  readonly messageOf: (issueId: string) => string | undefined;
  readonly severalCandidates: boolean;
  readonly verbosity: Verbosity;
}

/** Longer drafts that were shown before are shown by their changes alone. */
const shortDraft = 400;
const longestDraft = 12_000;
const longestBrief = 600;

/** Who takes part in what. Stand-ins are named in the first line, before anybody can take them for models. */
export function renderLoopStarted(event: LoopStarted, layout: Layout): readonly string[] {
  return [
    ...layOut(participants(event), layout),
    "",
    ...renderRow("brief", [{ text: clipped(event.brief.trim(), longestBrief) }], layout),
    ...renderRow(
      "recipe",
      [{ text: `${stripToLine(event.recipe)}, at most ${renderCount(event.maxTurns, "turn")}` }],
      layout,
    ),
    ...(event.reviewers.length > 1
      ? event.reviewers.flatMap(({ label, model }) => renderRow(label, [{ text: model }], layout))
      : []),
  ];
}

function participants(event: LoopStarted): readonly Span[] {
  const reviewers = event.reviewers.map(({ model }) => model);
  const models = [...new Set([event.creatorModel, ...reviewers])];
  if (event.standIn) {
    return [
      { text: "Drafting with ", style: "strong" },
      { text: `rule-based stand-ins (${standInsOf(models).join(", ")})`, style: "caution" },
      { text: models.every(isStandIn) ? ": no model is asked." : ".", style: "muted" },
    ];
  }
  if (models.length === 1)
    return [{ text: `Drafting with ${event.creatorModel}`, style: "strong" }];
  const reviewing =
    reviewers.length === 1 ? `${reviewers[0]} reviews` : `a panel of ${reviewers.length} reviews`;
  return [{ text: `Drafting: ${event.creatorModel} writes, ${reviewing}`, style: "strong" }];
}

export function renderTurnHeading(
  turn: number,
  fromRecord: boolean,
  layout: Layout,
): readonly string[] {
  return [
    "",
    ...layOut(
      [
        { text: `Turn ${turn}`, style: "heading" },
        { text: fromRecord ? "  from the record" : "", style: "muted" },
      ],
      layout,
    ),
  ];
}

export function renderCandidate(
  event: CandidateWritten,
  context: DraftContext,
  layout: Layout,
): readonly string[] {
  const name = context.severalCandidates ? `writer ${event.index}` : "writer";
  return [
    ...renderDraft(name, event.candidate.content, context, layout),
    ...renderItems("answers", answerItems(event.answers, context.messageOf), layout),
    ...renderItems("checks", issueItems(event.checks), layout),
    ...(event.done ? [] : renderRow("", [{ text: "not done yet", style: "muted" }], layout)),
  ];
}

/** The draft, and below it what changed since the one before. */
export function renderDraft(
  name: string,
  content: string,
  context: Pick<DraftContext, "previousText" | "verbosity">,
  layout: Layout,
): readonly string[] {
  const isVerbose = context.verbosity === "verbose";
  const whole = renderRow(
    name,
    [{ text: isVerbose ? content.trim() : clipped(content.trim(), longestDraft), style: "strong" }],
    layout,
    "accent",
  );
  if (context.previousText === undefined) return whole;
  const diff = diffDrafts(context.previousText.trim(), content.trim(), layout.palette);
  if (diff.kind === "same") {
    return [...whole, ...renderRow("changed", [{ text: "nothing", style: "caution" }], layout)];
  }
  if (diff.kind === "rewritten") return whole;
  if (content.length <= shortDraft || isVerbose) {
    return [...whole, ...renderRow("changed", diff.spans, layout)];
  }
  return renderRow(name, diff.spans, layout, "accent");
}

export function renderReviewReceived(
  event: ReviewReceived,
  facts: { readonly about?: string; readonly mark?: string; readonly verbosity: Verbosity },
  layout: Layout,
): readonly string[] {
  const took = facts.verbosity === "verbose" ? [`in ${renderDuration(event.durationSeconds)}`] : [];
  const { signature } = event.review;
  const asked = signature === undefined || signature.how === "bare" ? undefined : signature;
  const signed = asked && describeSignature(asked);
  const remarks = [facts.about, facts.mark, signed, ...took].filter((part) => part !== undefined);
  return renderTurnReview(event.review, remarks, layout);
}

/** A verdict with its reasons. */
export function renderTurnReview(
  review: Review,
  remarks: readonly string[],
  layout: Layout,
): readonly string[] {
  const said = [...remarks, ...(review.score === undefined ? [] : [`score ${review.score}`])].join(
    ", ",
  );
  const summary = review.summary?.trim() ?? "";
  const repeats = review.issues.some(({ message }) => message.trim() === summary);
  const verdict = renderRow(
    review.reviewer ?? "reviewer",
    [
      verdictSpan(review.verdict),
      { text: said === "" ? "" : `  ${said}`, style: "muted" },
      { text: summary === "" || repeats ? "" : `\n${clipped(summary, 1_000)}` },
    ],
    layout,
    "accent",
  );
  return [...verdict, ...renderItems("", issueItems(review.issues), layout)];
}

/** What the turn came to: how the panel counts, what stays open, what it cost. */
export function renderIteration(
  event: IterationRecorded,
  context: DraftContext & { readonly candidateIndex?: number; readonly approvals: number },
  layout: Layout,
): readonly string[] {
  const { iteration } = event;
  const stillOpen = iteration.ledger.filter(
    ({ status, raisedIn, issue }) =>
      status === "open" && raisedIn < iteration.iteration && issue.reviewer !== "checks",
  );
  const cost = [renderDuration(event.durationSeconds), ...renderUsage(event.usage, context.models)];
  return [
    ...renderCombined(event, context, layout),
    ...renderItems("open", openItems(stillOpen), layout),
    ...renderRow("", [{ text: cost.join(" · "), style: "muted" }], layout),
  ];
}

/** Only where the combined verdict is not simply the one verdict above it. */
function renderCombined(
  event: IterationRecorded,
  context: { readonly candidateIndex?: number; readonly approvals: number },
  layout: Layout,
): readonly string[] {
  const { panel, vote, review, creatorDone } = event.iteration;
  const lines: string[] = [];
  if (context.candidateIndex !== undefined) {
    lines.push(...renderRow("", [{ text: `candidate ${context.candidateIndex} goes on` }], layout));
  }
  const approving = panel.filter(({ verdict }) => verdict === "ok").length;
  if (vote !== undefined || panel.length > 1) {
    const count = `${approving} of ${panel.length} approve`;
    const said = vote === undefined ? count : describeVote(vote);
    const spans = [verdictSpan(review.verdict), { text: `  ${said}`, style: "muted" as const }];
    lines.push(...renderRow("panel", spans, layout, "accent"));
  }
  const allApprove = panel.length > 1 ? approving === panel.length : context.approvals > 0;
  if (allApprove && review.verdict !== "ok") {
    const text = "the approval does not count: errors are open";
    lines.push(...renderRow("guard", [{ text, style: "bad" }], layout, "bad"));
  }
  if (review.verdict === "ok" && !creatorDone) {
    const text = "the reviewer approves, but the writer is not done";
    lines.push(...renderRow("", [{ text, style: "caution" }], layout));
  }
  return lines;
}

function standInsOf(models: readonly string[]): readonly string[] {
  const named = models.filter(isStandIn);
  return named.length === 0 ? models : named;
}

function isStandIn(model: string): boolean {
  return model.startsWith("offline/");
}
