import {
  type BundlePrompt,
  renderBundlePrompt,
  renderSweepPrompt,
  type SweepPrompt,
  shownTexts,
} from "./prompt.ts";
import { type WrittenReview, writeBundleOutput, writeSweepOutput } from "./write-output.ts";

/** The facts of one review call as data; prompt and scripted replies are made from this and nothing else. */
export type GateReviewTask =
  | ({ readonly kind: "review-bundle" } & BundlePrompt)
  | ({ readonly kind: "review-sweep" } & SweepPrompt);

/** What a reviewer that reads no prose says about a pair; `undefined` leaves the pair out of the reply. */
export type ReviewFor = (notePath: string, gateId: string) => WrittenReview | undefined;

export function renderTask(task: GateReviewTask): string {
  return task.kind === "review-bundle" ? renderBundlePrompt(task) : renderSweepPrompt(task);
}

/** The reply of a scripted or rule-based reviewer, in the form the reader expects of a model. */
export function replyToTask(task: GateReviewTask, reviewFor: ReviewFor): string {
  const { nonce } = task;
  const sources = shownTexts(task);
  const asked = (notePath: string, gateId: string) => {
    const review = reviewFor(notePath, gateId);
    return review === undefined ? [] : [fillNonce(review, nonce)];
  };
  if (task.kind === "review-bundle") {
    const reviews = task.gates.flatMap(({ id }) =>
      asked(task.note.path, id).map((review) => ({ gateId: id, review })),
    );
    return writeBundleOutput(reviews, { nonce, sources });
  }
  const reviews = task.notes.flatMap(({ path }) =>
    asked(path, task.gate.id).map((review) => ({ notePath: path, review })),
  );
  return writeSweepOutput(task.gate.id, reviews, { nonce, sources });
}

const verdicts = ["pass", "warn", "fail"] as const;

/** A scripted review is a verdict's name or the text of a block. */
export function scriptedReview(written: string): WrittenReview {
  const decision = verdicts.find((verdict) => verdict === written);
  if (decision === undefined) return { text: written };
  const summary = `Scripted review: ${decision}.`;
  if (decision === "pass") return { decision, summary, findings: [] };
  return { decision, summary, findings: [{ severity: decision, message: "scripted finding" }] };
}

/** Scripts are written before the run has its codes; `{{nonce}}` and `{{code}}` stand for them. */
function fillNonce(review: WrittenReview, nonce: string): WrittenReview {
  return "text" in review ? { text: review.text.replaceAll("{{nonce}}", nonce) } : review;
}
