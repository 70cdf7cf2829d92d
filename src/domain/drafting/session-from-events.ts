import { decidersOf } from "../evidence/decider-of.ts";
import { sumOf } from "../models/known-amounts.ts";
import { defined } from "../values/defined.ts";
import type { RunId } from "../values/ids.ts";
import type { Instant } from "../values/instant.ts";
import { bestTurn } from "./best-candidate.ts";
import type { LoopDecision } from "./decision.ts";
import { completionReasonOf, type DraftRuling, draftOutcome } from "./draft-outcome.ts";
import type { DraftEvent, IterationRecorded, LoopDecided, LoopStarted } from "./events.ts";
import { unnamedReviewer } from "./panel.ts";
import type { Review } from "./review.ts";
import { type DraftSession, feedbackOf, type Turn, type UsageTotals } from "./session.ts";
import type { MemberSignature } from "./signature.ts";

/** How a run ended that came to no decision. */
export interface SessionEnding {
  readonly reason: "error" | "cancelled" | "interrupted" | "budget";
  readonly at: Instant;
  readonly error?: NonNullable<DraftSession["error"]>;
}

/**
 * The session according to a run's events so far; absent before the loop has started. An iteration or
 * decision that comes again takes the place of the earlier one. A decision counts before any other ending.
 */
export function sessionFromEvents(
  runId: RunId,
  events: readonly DraftEvent[],
  { ending, ruling }: { readonly ending?: SessionEnding; readonly ruling?: DraftRuling } = {},
): DraftSession | undefined {
  const started = events.find((event): event is LoopStarted => event.kind === "loop-started");
  if (started === undefined) return undefined;
  const recorded = recordedIterations(events);
  const turns = recorded.map((event) => turnOf(event, started));
  const decided = events.findLast((event): event is LoopDecided => event.kind === "loop-decided");
  const final = finalTurn(turns, decided?.decision);
  const completionReason =
    decided === undefined ? ending?.reason : completionReasonOf(decided.decision);
  const completedAt = decided?.decidedAt ?? ending?.at;
  const error = decided === undefined ? ending?.error : undefined;
  const isApproved = ruling?.act === "approve";
  const finalText = (isApproved ? ruling.text : undefined) ?? final?.text;
  const outcome = draftOutcome(completionReason, ruling);
  const models = started.reviewers.map((reviewer) => reviewer.model);
  return {
    runId,
    recipe: started.recipe,
    userInput: started.brief,
    modelName: started.creatorModel,
    reviewerModels: models,
    reviewers: started.reviewers,
    standIn: started.standIn,
    deciders: isApproved ? ["person"] : decidersOf([started.creatorModel, ...models]),
    maxTurns: started.maxTurns,
    turns,
    ...defined({ finalText, completionReason, outcome, ruling, error }),
    ...(decided === undefined ? {} : { decision: decided.decision, rule: decided.rule ?? 1 }),
    createdAt: started.createdAt,
    ...defined({ completedAt }),
    usage: totalUsage(recorded.map((event) => event.usage)),
  };
}

function recordedIterations(events: readonly DraftEvent[]): readonly IterationRecorded[] {
  const byNumber = new Map<number, IterationRecorded>();
  for (const event of events) {
    if (event.kind === "iteration-recorded") byNumber.set(event.iteration.iteration, event);
  }
  return [...byNumber.values()].sort((a, b) => a.iteration.iteration - b.iteration.iteration);
}

function turnOf(
  { iteration, finishedAt, durationSeconds }: IterationRecorded,
  { reviewers }: LoopStarted,
): Turn {
  const { review, panel, vote, losers } = iteration;
  const signatures = (panel.length > 0 ? panel : [review]).flatMap((one) =>
    signatureOf(one, reviewers),
  );
  const approved = review.verdict === "ok" && iteration.creatorDone;
  const feedback = approved ? undefined : feedbackOf(review);
  return {
    turnNumber: iteration.iteration,
    text: iteration.candidate.content,
    ...defined({ feedback }),
    approved,
    timestamp: finishedAt,
    durationSeconds,
    review,
    ...(signatures.length === 0 ? {} : { signatures }),
    ...defined({ vote }),
    ...(losers.length === 0
      ? {}
      : { losers: losers.map((one) => ({ text: one.candidate.content, review: one.review })) }),
  };
}

/** A review's signature with the names of reviewer and model; none where nothing was approved. */
export function signatureOf(
  { reviewer = unnamedReviewer, signature }: Review,
  reviewers: LoopStarted["reviewers"],
): readonly MemberSignature[] {
  const model = reviewers.find(({ label }) => label === reviewer)?.model;
  return signature === undefined ? [] : [{ reviewer, ...defined({ model }), ...signature }];
}

function finalTurn(turns: readonly Turn[], decision: LoopDecision | undefined): Turn | undefined {
  const approved =
    decision?.outcome === "converged"
      ? turns.find((turn) => turn.turnNumber === decision.finalIteration)
      : undefined;
  return approved ?? bestTurn(turns);
}

function totalUsage(parts: readonly UsageTotals[]): UsageTotals {
  const sum = (of: (part: UsageTotals) => number) =>
    parts.reduce((total, part) => total + of(part), 0);
  return {
    calls: sum((part) => part.calls),
    replayed: sum((part) => part.replayed),
    cachedInputTokens: sum((part) => part.cachedInputTokens),
    ...defined({
      inputTokens: sumOf(parts.map((part) => part.inputTokens)),
      outputTokens: sumOf(parts.map((part) => part.outputTokens)),
      microUsd: sumOf(parts.map((part) => part.microUsd)),
    }),
  };
}
