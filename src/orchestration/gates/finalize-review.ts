import { decodeReviewOutcome } from "../../contract/gates/review-job.ts";
import { acceptanceOfReview } from "../../domain/gates/acceptance.ts";
import { validateCoverage } from "../../domain/gates/coverage.ts";
import { fingerprintFinding } from "../../domain/gates/findings.ts";
import type { PairReview, ReviewOutcome } from "../../domain/gates/review-job.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import { type Instant, instant } from "../../domain/values/instant.ts";
import type { CrashPoints } from "../../ports/crash-points.ts";
import type { Projector } from "../../ports/projector.ts";
import type { Repos } from "../../ports/repos.ts";
import type { ReviewRepos, ReviewRunRow, RunPairRow } from "../../ports/review-repos.ts";
import type { Store } from "../../ports/store.ts";
import { gateReviewEvents } from "./gate-kinds.ts";

export interface FinalizerParts {
  readonly store: Store<Repos>;
  readonly crash: CrashPoints;
  readonly digest: (text: string) => string;
}

/** One transaction per run: its reviews, findings, acceptances and its own end, or nothing at all. */
export function createReviewFinalizer({ store, crash, digest }: FinalizerParts): Projector {
  return {
    kinds: gateReviewEvents,
    async apply(events) {
      for (const event of events) {
        const outcome = decodeReviewOutcome(event.data);
        crash.reach("gates-finalizing");
        await store.transaction(async ({ reviews }) => {
          await finalizeRun(reviews, event.run, { outcome, digest });
          crash.reach("gates-rows-written");
        });
        crash.reach("gates-finalized");
      }
    },
  };
}

/**
 * Coverage first: a run that did not get exactly the pairs it captured is failed with its raw text and leaves no
 * review. A run that has ended is left alone, so finishing twice changes nothing.
 */
export async function finalizeRun(
  repos: ReviewRepos,
  id: RunId,
  how: { readonly outcome: ReviewOutcome; readonly digest: (text: string) => string },
): Promise<"completed" | "failed" | "ended-before"> {
  const run = await repos.runs.find(id);
  if (run === undefined || run.state === "completed" || run.state === "failed")
    return "ended-before";
  const { outcome, digest } = how;
  const at = instant(outcome.finishedAt);
  const end = { answeredModel: outcome.answeredModel, rawText: outcome.raw, at };
  const pairs = await repos.runGates.of(id);
  const coverage = validateCoverage(pairs.map(nameOf), outcome.reviews.map(nameOf));
  if (!coverage.isComplete) {
    const reason = outcome.problem ?? `missing gate reviews: ${coverage.missing.join(", ")}`;
    await repos.runs.fail(id, reason, end);
    return "failed";
  }
  if (outcome.partition !== run.model) await repos.runs.rekeyModel(id, outcome.partition);
  const reviews = new Map(outcome.reviews.map((review) => [nameOf(review), review]));
  for (const pair of pairs) {
    const review = reviews.get(nameOf(pair));
    if (review !== undefined)
      await writeReview(repos, { ...run, model: outcome.partition }, { pair, review, at, digest });
  }
  await repos.runs.complete(id, end);
  return "completed";
}

interface Writing {
  readonly pair: RunPairRow;
  readonly review: PairReview;
  readonly at: Instant;
  readonly digest: (text: string) => string;
}

/** The versions are those captured with the run, whatever stands in the files by now. */
async function writeReview(
  repos: ReviewRepos,
  run: ReviewRunRow,
  { pair, review, at, digest }: Writing,
): Promise<void> {
  const { notePath, noteBlob, gateId, gateBlob } = pair;
  const id = `${run.run}/${pair.ordinal}`;
  await repos.gateReviews.insert({
    review: id,
    run: run.run,
    notePath,
    noteBlob,
    gateId,
    gateBlob,
    model: run.model,
    decision: review.decision,
    text: review.text,
    ...defined({ summary: review.summary, suggestedRevision: review.suggestedRevision }),
    findings: review.findings.map((finding) => {
      const { id: fingerprint, survivesRewording } = fingerprintFinding(
        { gateId, notePath, finding },
        digest,
      );
      return { ...finding, fingerprint, survivesRewording };
    }),
    at,
  });
  const versions = { notePath, noteSha: noteBlob, gateId, gateSha: gateBlob };
  const earned = acceptanceOfReview({ ...versions, decision: review.decision }, run.model);
  if (earned === undefined || review.decision === "unknown" || review.decision === "error") return;
  await repos.acceptances.append({
    notePath,
    gateId,
    model: earned.modelId,
    noteBlob: earned.acceptedNoteSha,
    gateBlob: earned.acceptedGateSha,
    decision: review.decision,
    kind: earned.kind,
    format: run.format,
    review: id,
    at,
  });
}

function nameOf(pair: { readonly notePath: string; readonly gateId: string }): string {
  return JSON.stringify([pair.notePath, pair.gateId]);
}
