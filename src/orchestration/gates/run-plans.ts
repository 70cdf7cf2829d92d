import { isSameModel } from "../../domain/gates/model-partition.ts";
import { replyTokensPerPair } from "../../domain/gates/review-plan.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import { RunHeld } from "../../domain/values/workflow-error.ts";
import type { Budget, Ending } from "../../ports/flow.ts";
import type { ReviewRunRow } from "../../ports/review-repos.ts";
import { continueRun } from "../runs/begin-run.ts";
import type { NotesWorld } from "./load-world.ts";
import type { WritingTools } from "./notes-tools.ts";
import type { PlannedCall } from "./plan-work.ts";
import { createRun, type ReviewEngine, versionsOf } from "./review-runs.ts";

export interface RunPlansRequest {
  readonly calls: Iterable<PlannedCall>;
  readonly maxWorkers: number;
  readonly batch: string;
  readonly commitOf: (path: string) => string | undefined;
  /** See `CreateRun`. */
  readonly isNews: (run: ReviewRunRow) => boolean;
  readonly budget?: Budget;
  /** Money for tokens of a model; `undefined` when the price is unknown. */
  readonly price: (
    model: string,
    usage: { readonly input: number; readonly output: number },
  ) => number | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: SweepProgress) => void;
}

export interface SweepProgress {
  readonly started: number;
  readonly running: number;
  readonly completed: number;
  readonly failed: number;
  readonly tokens: number;
  readonly microUsd: number;
  /** The run that just ended. */
  readonly last?: ReviewRunRow;
}

/** Why the driver stopped before the end of its plans. */
export type SweepStop =
  | { readonly kind: "outside"; readonly message: string }
  | { readonly kind: "other-model"; readonly message: string }
  | { readonly kind: "budget"; readonly message: string }
  | { readonly kind: "interrupted"; readonly message: string }
  | { readonly kind: "held"; readonly message: string };

export interface SweepResult extends SweepProgress {
  readonly stop?: SweepStop;
  /** Pairs whose run came back without all of its blocks. */
  readonly unreadable: readonly { readonly number: number; readonly reason: string }[];
  /** Reported model → runs it answered instead of the one asked for. */
  readonly otherModels: ReadonlyMap<string, number>;
}

const mostStrangers = 3;

/**
 * Drives plans through the engine, a bounded window at a time over a stream: memory does not grow with their
 * number. The first call goes alone, so that an exhausted or wrong model is noticed before four are asked.
 */
export async function runPlans(
  tools: WritingTools,
  world: NotesWorld,
  about: { readonly engine: ReviewEngine; readonly request: RunPlansRequest },
): Promise<SweepResult> {
  const driver = new SweepDriver(tools, world, about);
  await driver.run();
  return driver.result();
}

interface InFlight {
  readonly tokens: number;
  readonly microUsd: number;
}

class SweepDriver {
  readonly #tools: WritingTools;
  readonly #world: NotesWorld;
  readonly #engine: ReviewEngine;
  readonly #request: RunPlansRequest;
  readonly #inFlight = new Map<PlannedCall, InFlight>();
  readonly #unreadable: { number: number; reason: string }[] = [];
  readonly #otherModels = new Map<string, number>();
  readonly #counts = { started: 0, completed: 0, failed: 0, tokens: 0, microUsd: 0, seconds: 0 };
  #stop: SweepStop | undefined;

  constructor(
    tools: WritingTools,
    world: NotesWorld,
    about: { readonly engine: ReviewEngine; readonly request: RunPlansRequest },
  ) {
    this.#tools = tools;
    this.#world = world;
    this.#engine = about.engine;
    this.#request = about.request;
  }

  async run(): Promise<void> {
    const working = new Set<Promise<void>>();
    for (const call of this.#request.calls) {
      const width = this.#counts.completed === 0 ? 1 : this.#request.maxWorkers;
      while (working.size >= width) await Promise.race(working);
      if (this.#mayNotStart(call)) break;
      const work = this.#perform(call).finally(() => {
        working.delete(work);
      });
      working.add(work);
    }
    await Promise.all(working);
  }

  result(): SweepResult {
    return {
      ...this.#progress(),
      unreadable: this.#unreadable,
      otherModels: this.#otherModels,
      ...defined({ stop: this.#stop }),
    };
  }

  #progress(): SweepProgress {
    const { started, completed, failed, tokens, microUsd } = this.#counts;
    return { started, running: this.#inFlight.size, completed, failed, tokens, microUsd };
  }

  #mayNotStart(call: PlannedCall): boolean {
    if (this.#request.signal.aborted)
      this.#stop ??= { kind: "interrupted", message: "interrupted" };
    const over = this.#overBudget(call);
    if (over !== undefined) this.#stop ??= { kind: "budget", message: over };
    return this.#stop !== undefined;
  }

  async #perform(call: PlannedCall): Promise<void> {
    const { batch, commitOf, isNews, signal, onProgress } = this.#request;
    const reserved = this.#reservation(call);
    this.#inFlight.set(call, reserved);
    this.#counts.started += 1;
    try {
      const budget = this.#shareOf(reserved);
      const created = await createRun(this.#tools, this.#world, {
        call,
        live: false,
        batch,
        commitOf,
        isNews,
        newId: this.#engine.newId,
        ...defined({ budget }),
      });
      const run = await this.#submit(created.run, created.job, budget);
      const ending = await this.#engine.engine.ending(run, signal);
      await this.#settle(run, ending);
    } catch (thrown) {
      if (!(thrown instanceof RunHeld) && !signal.aborted) throw thrown;
      this.#counts.failed += 1;
      this.#stop ??= signal.aborted
        ? { kind: "interrupted", message: "interrupted" }
        : { kind: "held", message: thrown instanceof Error ? thrown.message : String(thrown) };
    } finally {
      this.#inFlight.delete(call);
    }
    onProgress(this.#progress());
  }

  /** A run that stopped or failed before is reopened, so that only what it lacks is asked for. */
  async #submit(
    id: RunId,
    job: Parameters<ReviewEngine["engine"]["submit"]>[0],
    budget: Budget | undefined,
  ): Promise<RunId> {
    const known = await this.#engine.runs.load(id);
    if (known === undefined || known.ending === undefined)
      return this.#engine.engine.submit(job, { run: id });
    if (known.state !== "finished" && known.state !== "cancelled")
      await continueRun(this.#engine.engine, id, budget);
    return id;
  }

  async #settle(run: RunId, ending: Ending): Promise<void> {
    const { store } = this.#tools;
    const { row, totals } = await store.read(async ({ reviews, ledger }) => ({
      row: await reviews.runs.find(run),
      totals: await ledger.totals(run),
    }));
    if (this.#tools.trace !== undefined) await this.#traceFiled(run);
    for (const line of totals) {
      this.#counts.tokens += line.inputTokens + line.outputTokens;
      this.#counts.microUsd += line.microUsd;
      this.#counts.seconds += line.seconds;
    }
    if (ending.kind !== "finished") {
      this.#counts.failed += 1;
      this.#stop ??= stopOf(ending);
      return;
    }
    if (row?.state !== "completed") {
      this.#counts.failed += 1;
      this.#unreadable.push({ number: row?.number ?? 0, reason: row?.reason ?? "not finalised" });
    } else this.#counts.completed += 1;
    if (row !== undefined) this.#noteModel(row);
  }

  async #traceFiled(run: RunId): Promise<void> {
    const filed = await this.#tools.store.read(({ reviews }) => reviews.gateReviews.ofRun(run));
    for (const { model, decision, ...pair } of filed)
      this.#tools.trace?.("pair-filed", {
        run_id: run,
        ...versionsOf(pair),
        model,
        decision,
      });
  }

  #noteModel({ askedModel, answeredModel = askedModel }: ReviewRunRow): void {
    if (isSameModel(askedModel, answeredModel, this.#tools.settings)) return;
    const times = (this.#otherModels.get(answeredModel) ?? 0) + 1;
    this.#otherModels.set(answeredModel, times);
    const all = [...this.#otherModels.values()].reduce((sum, count) => sum + count, 0);
    if (all >= mostStrangers)
      this.#stop ??= {
        kind: "other-model",
        message: `${askedModel} was asked ${all} times and ${answeredModel} answered`,
      };
  }

  /** Upper end of the estimate for the call and its reply. */
  #reservation({ plan, model }: PlannedCall): InFlight {
    const output = replyTokensPerPair * (plan.pairs.length + 1);
    const microUsd = this.#request.price(model, { input: plan.tokens.high, output }) ?? 0;
    return { tokens: plan.tokens.high + output, microUsd };
  }

  #overBudget(call: PlannedCall): string | undefined {
    const { budget } = this.#request;
    if (budget === undefined) return undefined;
    const asked = this.#reservation(call);
    const held = [...this.#inFlight.values()];
    const tokens = held.reduce((sum, one) => sum + one.tokens, this.#counts.tokens + asked.tokens);
    const money = held.reduce(
      (sum, one) => sum + one.microUsd,
      this.#counts.microUsd + asked.microUsd,
    );
    if (budget.tokens !== undefined && tokens > budget.tokens)
      return `${budget.tokens} tokens are not enough for another call`;
    if (budget.microUsd !== undefined && money > budget.microUsd)
      return "the money is not enough for another call";
    if (budget.seconds !== undefined && this.#counts.seconds >= budget.seconds)
      return `${budget.seconds} seconds are used up`;
    return undefined;
  }

  /** A call may use what it was estimated at, twice with its repair, and never more than is left. */
  #shareOf(reserved: InFlight): Budget | undefined {
    const { budget } = this.#request;
    if (budget === undefined) return undefined;
    const left = (limit: number, spent: number) => Math.max(1, limit - spent);
    return {
      ...(budget.tokens === undefined
        ? {}
        : { tokens: Math.min(reserved.tokens * 2, left(budget.tokens, this.#counts.tokens)) }),
      ...(budget.microUsd === undefined
        ? {}
        : {
            microUsd: Math.min(reserved.microUsd * 2, left(budget.microUsd, this.#counts.microUsd)),
          }),
      ...(budget.seconds === undefined
        ? {}
        : { seconds: left(budget.seconds, this.#counts.seconds) }),
    };
  }
}

/** All attempts of a call are used up when a run fails: whatever is wrong is outside, and the next would fail too. */
function stopOf(ending: Exclude<Ending, { kind: "finished" }>): SweepStop {
  switch (ending.kind) {
    case "failed":
      return { kind: "outside", message: ending.error.message };
    case "stopped":
      return ending.reason === "budget"
        ? { kind: "budget", message: "the budget is used up" }
        : { kind: "interrupted", message: `stopped: ${ending.reason}` };
    case "cancelled":
      return { kind: "interrupted", message: `cancelled: ${ending.reason}` };
    case "waiting":
      return { kind: "outside", message: "the run waits for an agent" };
  }
}
