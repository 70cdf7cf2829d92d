import { decodeCallReviewed } from "../../contract/gates/sweep-job.ts";
import { isSameModel } from "../../domain/gates/model-partition.ts";
import { sumOf } from "../../domain/models/known-amounts.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import { RunHeld } from "../../domain/values/workflow-error.ts";
import type { Ending } from "../../ports/flow.ts";
import type { Happening } from "../../ports/observer.ts";
import { addUp } from "../runs/add-up.ts";
import { continueRun } from "../runs/begin-run.ts";
import { callReviewedEvent } from "./gate-kinds.ts";
import type { WritingTools } from "./notes-tools.ts";
import type { PreparedSweep } from "./prepare-sweep.ts";
import { type ReviewEngine, traceOf } from "./review-runs.ts";

export interface SweepProgress {
  readonly started: number;
  readonly completed: number;
  readonly failed: number;
  /** Absent, like the cost, if those of any call are unknown. */
  readonly tokens?: number;
  readonly microUsd?: number;
}

/** Why the sweep stopped before the end of its plans. */
export interface SweepStop {
  readonly kind: "outside" | "other-model" | "budget" | "interrupted" | "held";
  readonly message: string;
}

/** What this command did, without the work of earlier commands on the same sweep. */
export interface SweepResult extends SweepProgress {
  readonly stop?: SweepStop;
  /** Runs that came back without all of their blocks. */
  readonly unreadable: readonly { readonly number: number; readonly reason: string }[];
  /** Reported model → runs it answered instead of the one asked for. */
  readonly otherModels: ReadonlyMap<string, number>;
}

interface SweepWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: SweepProgress) => void;
}

export const noSweep: SweepResult = {
  ...{ started: 0, completed: 0, failed: 0, tokens: 0, microUsd: 0 },
  unreadable: [],
  otherModels: new Map(),
};

/** Starts or resumes the sweep and waits for its end. */
export async function runSweep(
  tools: WritingTools,
  engine: ReviewEngine,
  about: { readonly sweep: PreparedSweep; readonly watch: SweepWatch },
): Promise<SweepResult> {
  const { sweep, watch } = about;
  const before = await totalsOf(tools, sweep.run);
  const progress = new Progress(sweep.run, before.finished, watch.onProgress);
  const stopWatching = engine.observe(progress);
  try {
    const ending = await endingOf(engine, sweep, watch.signal);
    const after = await totalsOf(tools, sweep.run);
    if (tools.trace !== undefined) await traceFiled(tools, progress.runs);
    return resultOf(tools, { before, after, progress, stop: stopOf(ending) });
  } finally {
    stopWatching();
  }
}

async function endingOf(
  { engine }: ReviewEngine,
  { run, job, budget }: PreparedSweep,
  signal: AbortSignal,
): Promise<Ending | SweepStop> {
  try {
    if (job === undefined) await continueRun(engine, run, budget);
    else await engine.submit(job, { run });
    return await engine.ending(run, signal);
  } catch (thrown) {
    if (signal.aborted) return { kind: "interrupted", message: "interrupted" };
    if (thrown instanceof RunHeld) return { kind: "held", message: thrown.message };
    throw thrown;
  }
}

/** Counts the sweep's events. A resumed sweep repeats its earlier events, which are not counted again. */
class Progress {
  readonly runs: RunId[] = [];
  passedOver = 0;
  readonly #sweep: RunId;
  readonly #report: SweepWatch["onProgress"];
  #known: number;
  #counts = { started: 0, completed: 0, failed: 0 };
  #spent: Pick<SweepProgress, "tokens" | "microUsd"> = { tokens: 0, microUsd: 0 };

  constructor(sweep: RunId, known: number, report: SweepWatch["onProgress"]) {
    this.#sweep = sweep;
    this.#known = known;
    this.#report = report;
  }

  notice(happening: Happening): void {
    if (happening.kind !== "event" || happening.event.run !== this.#sweep) return;
    if (happening.event.kind !== callReviewedEvent) return;
    const { run, outcome, tokens, microUsd } = decodeCallReviewed(happening.event.data);
    if (outcome === "passed-over") this.passedOver += 1;
    else if (this.#known > 0) {
      this.#known -= 1;
      return;
    } else this.runs.push(run as RunId);
    const isUsable = outcome !== "unreadable";
    this.#counts.started += 1;
    this.#counts.completed += isUsable ? 1 : 0;
    this.#counts.failed += isUsable ? 0 : 1;
    this.#spent = defined({
      tokens: sumOf([this.#spent.tokens, tokens]),
      microUsd: sumOf([this.#spent.microUsd, microUsd]),
    });
    this.#report({ ...this.#counts, ...this.#spent });
  }
}

/** What the store knows of a sweep, whichever process ran it. `finished` counts unusable replies too. */
async function totalsOf({ store }: WritingTools, run: RunId) {
  return store.read(async ({ reviews, ledger }) => {
    const tally = await reviews.runs.tallyOf(run);
    const unusable = await reviews.runs.failedOf(run);
    const spent = addUp(await ledger.totals(run));
    const counts = { completed: 0, failed: 0, open: 0 };
    for (const { outcome, runs } of tally) counts[outcome] += runs;
    const finished = counts.completed + counts.failed;
    return {
      tally,
      unreadable: unusable.map(({ number, reason = "" }) => ({ number, reason })),
      started: finished + counts.open,
      completed: counts.completed,
      finished,
      spent,
    };
  });
}

type SweepTotals = Awaited<ReturnType<typeof totalsOf>>;

function resultOf(
  { settings }: WritingTools,
  about: {
    readonly before: SweepTotals;
    readonly after: SweepTotals;
    readonly progress: Progress;
    readonly stop: SweepStop | undefined;
  },
): SweepResult {
  const { before, after, progress, stop } = about;
  const started = after.started - before.finished + progress.passedOver;
  const completed = after.completed - before.completed + progress.passedOver;
  const otherModels = new Map<string, number>();
  for (const { askedModel, answeredModel = askedModel, runs } of after.tally)
    if (!isSameModel(askedModel, answeredModel, settings))
      otherModels.set(answeredModel, (otherModels.get(answeredModel) ?? 0) + runs);
  return {
    started,
    completed,
    failed: started - completed,
    ...spentBetween(before.spent, after.spent),
    unreadable: after.unreadable,
    otherModels,
    ...defined({ stop }),
  };
}

function spentBetween(before: SweepTotals["spent"], after: SweepTotals["spent"]) {
  const tokensOf = (one: typeof after) => one.inputTokens + one.outputTokens;
  return {
    ...(after.uncounted > before.uncounted ? {} : { tokens: tokensOf(after) - tokensOf(before) }),
    ...(after.unpriced > before.unpriced ? {} : { microUsd: after.microUsd - before.microUsd }),
  };
}

async function traceFiled(tools: WritingTools, runs: readonly RunId[]): Promise<void> {
  for (const run of runs) {
    const filed = await tools.store.read(({ reviews }) => reviews.gateReviews.ofRun(run));
    for (const { model, decision, ...pair } of filed)
      tools.trace?.("pair-filed", { run_id: run, ...traceOf(pair), model, decision });
  }
}

function stopOf(ending: Ending | SweepStop): SweepStop | undefined {
  switch (ending.kind) {
    case "finished":
      return (ending.result as { readonly stop?: SweepStop }).stop;
    case "failed":
      return {
        kind: ending.error.code === "run-held" ? "held" : "outside",
        message: ending.error.message,
      };
    case "stopped":
      return ending.reason === "budget"
        ? { kind: "budget", message: "the budget is used up" }
        : { kind: "interrupted", message: `stopped: ${ending.reason}` };
    case "cancelled":
      return { kind: "interrupted", message: `cancelled: ${ending.reason}` };
    case "waiting":
      return { kind: "outside", message: "the run waits for an agent" };
    default:
      return ending;
  }
}
