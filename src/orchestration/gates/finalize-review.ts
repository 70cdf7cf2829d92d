import { decodeReviewOutcome } from "../../contract/gates/review-job.ts";
import { validateCoverage } from "../../domain/gates/coverage.ts";
import { isSettled } from "../../domain/gates/decision.ts";
import {
  type FindingKey,
  fingerprintFinding,
  type NoteFinding,
} from "../../domain/gates/findings.ts";
import type { PairReview, ReviewOutcome } from "../../domain/gates/review-job.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import { type Instant, instant } from "../../domain/values/instant.ts";
import type { CrashPoints } from "../../ports/crash-points.ts";
import type { Projector } from "../../ports/projector.ts";
import type { Repos } from "../../ports/repos.ts";
import type {
  FindingRow,
  ReviewRepos,
  ReviewRunRow,
  RunPairRow,
} from "../../ports/review-repos.ts";
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
    writes: "rows",
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
  const { partition } = outcome;
  const at = instant(outcome.finishedAt);
  const end = { answeredModel: outcome.answeredModel, rawText: outcome.raw, at };
  const pairs = await repos.runGates.of(id);
  const coverage = validateCoverage(pairs.map(askedName), outcome.reviews.map(nameOf));
  if (!coverage.isComplete) {
    const reason = outcome.problem ?? `missing gate reviews: ${coverage.missing.join(", ")}`;
    await repos.runs.fail(id, reason, end);
    return "failed";
  }
  if (partition !== run.model) await repos.runs.rekeyModel(id, partition);
  const reviews = new Map(outcome.reviews.map((review) => [nameOf(review), review]));
  for (const pair of pairs) {
    const review = reviews.get(askedName(pair));
    if (review !== undefined)
      await writeReview(repos, { ...run, model: partition }, { pair, review, at, digest });
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

/** Files the review under the versions captured with the run, even if the files have changed or moved since. */
async function writeReview(
  repos: ReviewRepos,
  { run, model, format }: ReviewRunRow,
  { pair, review, at, digest }: Writing,
): Promise<void> {
  const { notePath, noteBlob, gateId, gateBlob } = pair;
  const { decision, text, summary, suggestedRevision } = review;
  const id = `${run}/${pair.ordinal}`;
  const filed = { notePath, noteBlob, gateId, gateBlob, model, review: id, at };
  await repos.gateReviews.insert({
    ...{ ...filed, run, decision, text, ...defined({ summary, suggestedRevision }) },
    findings: findingRows({ gateId, notePath }, review.findings, digest),
  });
  if (isSettled(decision))
    await repos.acceptances.append({ ...filed, decision, kind: "full-review", format });
}

/** Findings as rows keep them. */
export function findingRows(
  pair: Pick<FindingKey, "gateId" | "notePath">,
  findings: readonly NoteFinding[],
  digest: (text: string) => string,
): readonly FindingRow[] {
  return findings.map((finding) => {
    const { id: fingerprint, survivesRewording } = fingerprintFinding({ ...pair, finding }, digest);
    return { ...finding, fingerprint, survivesRewording };
  });
}

/** The reply names the note as its prompt did. */
function askedName({ notePath, askedPath = notePath, gateId }: RunPairRow): string {
  return nameOf({ notePath: askedPath, gateId });
}

function nameOf(pair: { readonly notePath: string; readonly gateId: string }): string {
  return JSON.stringify([pair.notePath, pair.gateId]);
}
