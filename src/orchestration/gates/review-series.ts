import { voteOnSeries } from "../../domain/gates/panel-vote.ts";
import { sumOf } from "../../domain/models/known-amounts.ts";
import { defined } from "../../domain/values/defined.ts";
import type { NewAcceptance } from "../../ports/review-repos.ts";
import { gateFormatVersion } from "../../protocol/gates/format.ts";
import { loadWorld, type NotesWorld } from "./load-world.ts";
import { writeLock } from "./lock-file.ts";
import type { NotesTools, WritingTools } from "./notes-tools.ts";
import { hasVote, SeriesAnswers } from "./open-in-series.ts";
import { plannedCost, type WorkPlan } from "./plan-work.ts";
import { less } from "./prepare-sweep.ts";
import {
  loadPlan,
  lookAgain,
  type ReviewReport,
  type ReviewRequest,
  reviewPairs,
} from "./review-notes.ts";
import type { ReviewEngine } from "./review-runs.ts";
import { noSweep, type SweepResult } from "./run-sweep.ts";
import { selectAllPairs } from "./select-pairs.ts";
import { versionsOf } from "./target-pair.ts";

/**
 * Reviews each pair until the model has given `size` answers about the present versions, those it gave before included,
 * and files what they vote for. A pair that has a vote is done: a series cannot be made longer until its vote improves.
 * Repeating the command after an interruption asks only for the answers that are missing.
 */
export async function reviewSeries(
  tools: WritingTools,
  engine: ReviewEngine,
  request: ReviewRequest & { readonly series: number },
): Promise<ReviewReport> {
  let report: ReviewReport | undefined;
  for (let round = 0; round < request.series; round += 1) {
    const { tokens, microUsd } = report?.sweep ?? noSweep;
    const budget = request.budget && less(request.budget, defined({ tokens, microUsd }));
    const confirm = report === undefined ? confirmAll(tools, request) : async () => true;
    const onProgress = progressAfter(report?.sweep, request.onProgress);
    const own = { ...request, confirm, onProgress, retryUndecided: true, ...defined({ budget }) };
    const done = await reviewPairs(tools, engine, own);
    report = report === undefined ? done : joined(report, done);
    const { sweep } = done;
    if (done.declined || sweep.stop !== undefined || sweep.completed === 0) break;
  }
  const world = await loadWorld(tools, request);
  const votes = await fileSeriesVotes(tools, world, request);
  const lock = await writeLock(tools);
  const after = await lookAgain(tools, world, request.models);
  if (report === undefined) throw new RangeError("a series has at least one round");
  return { ...report, lock, after, votes };
}

/** What all rounds of a series would ask. A pair counts once for each answer that it lacks. */
export async function loadSeriesPlan(
  tools: NotesTools,
  request: Parameters<typeof loadPlan>[1] & { readonly series: number },
): ReturnType<typeof loadPlan> {
  const first = await loadPlan(tools, { ...request, series: 1, retryUndecided: true });
  let { plan } = first;
  for (let series = 2; series <= request.series; series += 1) {
    const next = await loadPlan(tools, { ...request, series, retryUndecided: true });
    plan = withCalls(plan, [...plan.calls, ...next.plan.calls]);
  }
  return { ...first, plan };
}

function withCalls(plan: WorkPlan, calls: WorkPlan["calls"]): WorkPlan {
  return { ...plan, calls, cost: plannedCost(calls) };
}

/** Asked once, for all rounds. */
function confirmAll(tools: WritingTools, request: ReviewRequest & { readonly series: number }) {
  return async () => request.confirm((await loadSeriesPlan(tools, request)).plan);
}

/** Progress counts the calls of all rounds. */
function progressAfter(
  before: SweepResult | undefined,
  report: ReviewRequest["onProgress"],
): ReviewRequest["onProgress"] {
  if (before === undefined) return report;
  return (now) =>
    report({
      ...now,
      completed: before.completed + now.completed,
      failed: before.failed + now.failed,
      ...defined({ tokens: sumOf([before.tokens, now.tokens]) }),
    });
}

function joined(before: ReviewReport, next: ReviewReport): ReviewReport {
  const [one, other] = [before.sweep, next.sweep];
  const otherModels = new Map(one.otherModels);
  for (const [model, times] of other.otherModels)
    otherModels.set(model, (otherModels.get(model) ?? 0) + times);
  return {
    ...next,
    plan: withCalls(next.plan, [...before.plan.calls, ...next.plan.calls]),
    acknowledged: [...before.acknowledged, ...next.acknowledged],
    ruleReviews: before.ruleReviews + next.ruleReviews,
    sweep: {
      ...other,
      started: one.started + other.started,
      completed: one.completed + other.completed,
      failed: one.failed + other.failed,
      ...defined({
        tokens: sumOf([one.tokens, other.tokens]),
        microUsd: sumOf([one.microUsd, other.microUsd]),
      }),
      unreadable: [...one.unreadable, ...other.unreadable],
      otherModels,
    },
  };
}

async function fileSeriesVotes(
  tools: WritingTools,
  world: NotesWorld,
  { models, series }: { readonly models: readonly string[]; readonly series: number },
): Promise<number> {
  const { stale, freshPairs } = await selectAllPairs(tools, world, { models });
  const answers = new SeriesAnswers(tools);
  const filed = { kind: "vote", format: gateFormatVersion, at: tools.clock.now() } as const;
  const votes: NewAcceptance[] = [];
  for (const pair of [...stale, ...freshPairs]) {
    if (pair.gate.kind === "rule" || hasVote(pair)) continue;
    const given = (await answers.of(pair)).slice(0, series).map(({ decision }) => decision);
    if (given.length < series) continue;
    const reason = `series of ${series}: ${given.join(", ")}`;
    const decision = voteOnSeries(given);
    votes.push({ ...versionsOf(pair), model: pair.model, decision, reason, ...filed });
  }
  await tools.store.transaction(async ({ reviews }) => {
    for (const vote of votes) await reviews.acceptances.append(vote);
  });
  return votes.length;
}
