import { isFailing } from "../../domain/gates/decision.ts";
import { panelPartition } from "../../domain/gates/panel-vote.ts";
import type { PlanStrategy } from "../../domain/gates/review-plan.ts";
import { movedPath } from "../../domain/relocation/plan-moves.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { Budget } from "../../ports/flow.ts";
import { acknowledgeTrivial } from "./acknowledge.ts";
import { acknowledgeRewritten } from "./acknowledge-rewritten.ts";
import { fileVotes } from "./file-votes.ts";
import { loadWorld, type NotesScope, type NotesWorld } from "./load-world.ts";
import { type LockWritten, writeLock } from "./lock-file.ts";
import type { NotesTools, WritingTools } from "./notes-tools.ts";
import { openInSeries } from "./open-in-series.ts";
import { type PlanRequest, planWork, type WorkPlan } from "./plan-work.ts";
import { type EarlierSweep, findEarlier, freezeSweep } from "./prepare-sweep.ts";
import { reviewRuleGates } from "./review-rules.ts";
import {
  cancelAbandonedRuns,
  finishRepliedRuns,
  type ReviewEngine,
  traceOf,
} from "./review-runs.ts";
import { noSweep, runSweep, type SweepProgress, type SweepResult } from "./run-sweep.ts";
import { selectAllPairs, selectPairs } from "./select-pairs.ts";
import { type TargetPair, versionsOf } from "./target-pair.ts";

export interface ReviewRequest extends NotesScope {
  readonly models: readonly string[];
  /** The panel whose members the models are; its votes are filed when they have answered. */
  readonly panel?: string;
  readonly strategy: PlanStrategy;
  readonly retryUndecided: boolean;
  /** Also pairs that are fresh, for another look. */
  readonly again?: boolean;
  /** How many answers of a model decide about a pair together. */
  readonly series?: number;
  readonly autoAck: boolean;
  readonly allowDirtyGates: boolean;
  readonly limit?: number;
  readonly maxWorkers: number;
  readonly budget?: Budget;
  readonly by: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: SweepProgress) => void;
  /** Asked once the plan is known; `false` spends nothing. */
  readonly confirm: (plan: WorkPlan) => Promise<boolean>;
}

export interface ReviewReport {
  readonly plan: WorkPlan;
  readonly acknowledged: readonly TargetPair[];
  readonly ruleReviews: number;
  /** Runs that had their reply from another command. */
  readonly finishedBefore: number;
  readonly abandoned: number;
  readonly sweep: SweepResult;
  readonly after: AfterReview;
  readonly lock: LockWritten;
  /** Pairs that a series of answers decided. */
  readonly votes?: number;
  readonly declined: boolean;
}

/** State of the selected pairs when the command is done. */
export interface AfterReview {
  readonly stale: number;
  readonly undecided: number;
  readonly failing: number;
}

/** What `reviewNotes` would do, without doing any of it. */
export async function loadPlan(
  tools: NotesTools,
  request: Pick<
    ReviewRequest,
    "models" | "panel" | "strategy" | "retryUndecided" | "again" | "series" | "autoAck" | "limit"
  > &
    NotesScope,
): Promise<{ readonly plan: WorkPlan; readonly acknowledged: readonly TargetPair[] }> {
  const world = await loadWorld(tools, request);
  const judges = judgesOf(tools, request);
  const { open, trivial } = await pairsToReview(tools, world, { ...request, judges });
  const acknowledged = request.autoAck ? trivial : [];
  return { plan: planWork(tools, open, { ...request, judges }), acknowledged };
}

/** Finishes what is paid for, acknowledges, plans, reviews, writes the lock. Repeating it asks only what is missing. */
export async function reviewPairs(
  tools: WritingTools,
  engine: ReviewEngine,
  request: ReviewRequest,
): Promise<ReviewReport> {
  const { signal } = request;
  const finishedBefore = await finishRepliedRuns(tools, engine, signal);
  const { since, moves } = await tools.store.read(async ({ reviews }) => ({
    since: await reviews.gateReviews.lastSeq(),
    moves: await reviews.notePaths.lastMove(),
  }));
  const world = await loadWorld(tools, request);
  await refuseDirtyGates(tools, world, request.allowDirtyGates);
  const judges = judgesOf(tools, request);
  const { open, trivial } = await pairsToReview(tools, world, { ...request, judges });
  for (const pair of open.filter(({ state }) => state.kind !== "fresh"))
    tools.trace?.("pair-stale", {
      ...traceOf(versionsOf(pair)),
      model: pair.model,
      accepted_note_blob: pair.accepted?.noteBlob ?? null,
      accepted_gate_blob: pair.accepted?.gateBlob ?? null,
    });
  const acked = request.autoAck
    ? await acknowledgeTrivial(tools, trivial, { by: request.by, dryRun: false })
    : { pairs: [] };
  const followed =
    request.autoAck && request.again !== true && request.series === undefined
      ? await acknowledgeRewritten(tools, open, { by: request.by })
      : new Set<TargetPair>();
  const left = open.filter((pair) => !followed.has(pair));
  const plan = planWork(tools, left, { ...request, judges });
  const asked = askedOf(request);
  const earlier = await findEarlier(tools, engine, { asked, calls: plan.calls });
  const abandoned = earlier.abandoned + (await cancelAbandonedRuns(tools, engine));
  const agreed = await request.confirm(plan);
  const ruleReviews = agreed ? await reviewRuleGates(tools, plan.rulePairs, engine.newId) : 0;
  const sweep = agreed
    ? await sweepCalls(tools, { engine, world, request, plan, earlier, since, moves })
    : noSweep;
  // Pairs whose replies another process recorded before it was killed were left out.
  const finished = finishedBefore + (await finishRepliedRuns(tools, engine, signal));
  const moved = await followMoves(tools, world, moves);
  if (request.panel !== undefined && agreed) {
    const mayBeAbsent = sweep.stop === undefined && request.limit === undefined;
    await fileVotes(tools, moved, { panel: request.panel, mayBeAbsent });
  }
  const lock = await writeLock(tools);
  const after = await lookAgain(tools, moved, filedUnder(request));
  const acknowledged = [...acked.pairs, ...followed];
  const done = { plan, acknowledged, ruleReviews, finishedBefore: finished, abandoned, sweep };
  return { ...done, after, lock, declined: !agreed };
}

async function sweepCalls(
  tools: WritingTools,
  about: {
    readonly engine: ReviewEngine;
    readonly world: NotesWorld;
    readonly request: ReviewRequest;
    readonly plan: WorkPlan;
    readonly earlier: EarlierSweep;
    readonly since: number;
    readonly moves: number;
  },
): Promise<SweepResult> {
  const { engine, world, request, plan, earlier, since, moves } = about;
  // A sweep that was killed after its last call has nothing left to ask, only to end.
  if (plan.calls.length === 0 && earlier.resumable === undefined) return noSweep;
  const { maxWorkers, budget } = request;
  const sweep =
    earlier.resumable === undefined
      ? await freezeSweep(tools, world, {
          request: {
            ...{ asked: askedOf(request), calls: plan.calls, since, moves, maxWorkers },
            ...defined({ budget }),
          },
          earlier,
          newId: engine.newId,
          commitOf: await committedAt(tools),
        })
      : { run: earlier.resumable, ...defined({ budget }) };
  return runSweep(tools, engine, { sweep, watch: request });
}

/** The same notes where they are now; their versions stay those that were selected. */
async function followMoves(
  { store }: WritingTools,
  world: NotesWorld,
  since: number,
): Promise<NotesWorld> {
  const moves = await store.read(({ reviews }) => reviews.notePaths.movesAfter(since));
  if (moves.length === 0) return world;
  const { notes, covers } = world;
  const before = new Map(notes.map(({ path }) => [movedPath(path, moves), path]));
  return {
    ...world,
    notes: notes.map((note) => ({ ...note, path: movedPath(note.path, moves) })),
    ...(covers && {
      covers: (path: string, gate: string) => covers(before.get(path) ?? path, gate),
    }),
  };
}

/** What makes two commands the same one. */
function askedOf(request: ReviewRequest): readonly unknown[] {
  const { paths, gates, changedSince, where, models, strategy, panel } = request;
  const { retryUndecided, again, limit, series } = request;
  return [
    ...[paths, gates, changedSince ?? null, where ?? [], models, strategy],
    ...[retryUndecided, again ?? false, limit ?? null, ...(panel === undefined ? [] : [panel])],
    ...(series === undefined ? [] : [{ series }]),
  ];
}

async function pairsToReview(
  tools: NotesTools,
  world: NotesWorld,
  request: Pick<ReviewRequest, "models" | "again" | "panel" | "series"> &
    Pick<PlanRequest, "judges">,
): Promise<{ readonly open: readonly TargetPair[]; readonly trivial: readonly TargetPair[] }> {
  const { judges: models, again = false, series } = request;
  if (series !== undefined) {
    const { stale, freshPairs } = await selectAllPairs(tools, world, { models });
    return { open: await openInSeries(tools, [...stale, ...freshPairs], series), trivial: [] };
  }
  if (!again) {
    const { stale, trivial } = await selectPairs(tools, world, { models });
    if (request.panel === undefined) return { open: stale, trivial };
    const undecided = await selectPairs(tools, world, { models: filedUnder(request) });
    const unvoted = new Set(undecided.stale.map(({ note, gate }) => `${note.path}\n${gate.id}`));
    const open = stale.filter(({ note, gate }) => unvoted.has(`${note.path}\n${gate.id}`));
    return { open, trivial };
  }
  const { stale, freshPairs } = await selectAllPairs(tools, world, { models });
  return { open: [...stale, ...freshPairs], trivial: [] };
}

/** Who is asked: the members of the panel, else the models. */
function judgesOf(
  { settings }: NotesTools,
  { models, panel }: Pick<ReviewRequest, "models" | "panel">,
): readonly string[] {
  if (panel === undefined) return models;
  return settings.panels[panel]?.members.map(({ judge }) => judge) ?? [];
}

/** Under whose name the answer is filed that was asked for. */
function filedUnder({ models, panel }: Pick<ReviewRequest, "models" | "panel">): readonly string[] {
  return panel === undefined ? models : [panelPartition(panel)];
}

export async function lookAgain(
  tools: WritingTools,
  world: NotesWorld,
  models: readonly string[],
): Promise<AfterReview> {
  let failing = 0;
  const { stale } = await selectPairs(tools, world, {
    models,
    onFresh: ({ accepted, gate }) => {
      if (accepted !== undefined && isFailing(accepted.decision, gate.failLevel)) failing += 1;
    },
  });
  const undecided = stale.filter(({ state }) => state.kind === "undecided").length;
  return { stale: stale.length, undecided, failing };
}

/** Nobody else can see the criteria of an uncommitted gate. */
export async function refuseDirtyGates(
  tools: WritingTools,
  world: NotesWorld,
  allow: boolean,
): Promise<void> {
  if (allow || !tools.source.usesGit) return;
  const { uncommitted } = await tools.source.loadCommitState([tools.settings.gates]);
  const dirty = world.gates.filter(({ path }) => uncommitted.has(path));
  if (dirty.length === 0) return;
  const names = dirty.map(({ path }) => path);
  throw new ConfigurationError(
    `${names.length === 1 ? "gate has" : "gates have"} uncommitted changes: ${names.join(", ")}`,
    {
      code: "gate-dirty",
      facts: { gates: names },
      hint: "Commit them, or add --allow-dirty-gates.",
    },
  );
}

/** The commit of a note: HEAD for a clean one, none for a dirty one. */
export async function committedAt(
  tools: WritingTools,
): Promise<(path: string) => string | undefined> {
  const { head, uncommitted } = await tools.source.loadCommitState(tools.settings.roots);
  return (path) => (uncommitted.has(path) ? undefined : head);
}
