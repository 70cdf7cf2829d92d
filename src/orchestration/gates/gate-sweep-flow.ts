import {
  decodeReviewResult,
  decodeSweepJob,
  encodeCallReviewed,
  type SweepJob,
} from "../../contract/gates/sweep-job.ts";
import { isSameModel } from "../../domain/gates/model-partition.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import { AgentError } from "../../domain/values/workflow-error.ts";
import type { ChildEnding, Ending, Flow, FlowContext, LateJob } from "../../ports/flow.ts";
import { type CaptureParts, captureCall } from "./capture-call.ts";
import { callReviewedEvent, gateReviewKind } from "./gate-kinds.ts";

const mostOtherModels = 3;

/**
 * Reviews by many calls, each a child run that is paid from this run's budget. Calls are made one at a time until one
 * completes, so that an exhausted or wrong model is noticed before several are asked.
 */
export function createSweepFlow(parts: CaptureParts): Flow {
  return async (ctx, json) => {
    const sweep = decodeSweepJob(json);
    const calls = callsOf(ctx, sweep, parts);
    let [completed, others] = [0, 0];
    const how = { window: sweep.window, isProven: () => completed > 0 };
    for await (const child of endingsOf(ctx, calls, how)) {
      const taken = take(sweep, child);
      ctx.emit({ kind: callReviewedEvent, data: encodeCallReviewed(taken.call) });
      if (taken.call.outcome !== "unreadable") completed += 1;
      if (taken.otherModel === undefined) continue;
      others += 1;
      if (others === mostOtherModels) return { stop: otherModel(taken, others) };
    }
    return {};
  };
}

async function* endingsOf(
  ctx: FlowContext,
  calls: Generator<LateJob>,
  { window, isProven }: { readonly window: number; readonly isProven: () => boolean },
): AsyncGenerator<ChildEnding> {
  yield* ctx.childrenOf(until(calls, isProven), 1);
  yield* ctx.childrenOf(calls, window);
}

function* callsOf(ctx: FlowContext, sweep: SweepJob, parts: CaptureParts): Generator<LateJob> {
  const { id, createdAt } = ctx.job;
  for (const [at, call] of sweep.calls.entries())
    yield {
      id: `${id}/${at + 1}`,
      kind: gateReviewKind,
      settings: {},
      createdAt,
      load: (run, signal) =>
        captureCall(parts, { sweep, call, run, batch: ctx.run, createdAt, signal }),
    };
}

/** Takes from an iterator without closing it, so that another loop can continue with it. */
function* until<T>(items: Iterator<T>, isOver: () => boolean): Generator<T> {
  while (!isOver()) {
    const next = items.next();
    if (next.done === true) return;
    yield next.value;
  }
}

interface Taken {
  readonly call: Parameters<typeof encodeCallReviewed>[0];
  readonly askedModel: string;
  /** The model that answered, where it is not the one that was asked. */
  readonly otherModel?: string;
}

function take(sweep: SweepJob, { id, run, ending }: ChildEnding): Taken {
  const askedModel = sweep.calls[Number(id.slice(id.lastIndexOf("/") + 1)) - 1]?.model ?? "";
  // A cancelled call was left to another process, or is not wanted.
  if (ending === undefined || ending.kind === "cancelled")
    return { askedModel, call: { run, outcome: "passed-over", tokens: 0, microUsd: 0 } };
  if (ending.kind !== "finished") throw unfinished(ending);
  const { outcome, answeredModel, tokens, microUsd } = decodeReviewResult(ending.result);
  const isOther = !isSameModel(askedModel, answeredModel, sweep);
  return {
    askedModel,
    call: { run, outcome, ...defined({ tokens, microUsd }) },
    ...(isOther ? { otherModel: answeredModel } : {}),
  };
}

/** All attempts of a call are used up when its run fails: the cause is outside, and the next call would fail too. */
function unfinished(ending: Exclude<Ending, { kind: "finished" }>): AgentError {
  if (ending.kind !== "failed")
    return new AgentError(`A review ended as ${ending.kind}.`, { code: "review-unfinished" });
  const { message, code, retryable } = ending.error;
  return new AgentError(message, { code, retryable });
}

function otherModel({ askedModel, otherModel: answered }: Taken, times: number): Json {
  return {
    kind: "other-model",
    message: `${askedModel} was asked ${times} times and ${answered} answered`,
  };
}
