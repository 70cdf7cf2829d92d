import { averageDurationPerTurn, type DraftSession } from "../../domain/drafting/session.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import { loadDraft } from "../../orchestration/drafting/load-session.ts";
import type { Ending } from "../../ports/flow.ts";
import { createDraft } from "../create-draft.ts";
import { type HandlersFor, ok } from "../handler.ts";
import { HttpProblem } from "../http-problem.ts";
import type { StudioParts } from "../studio-parts.ts";

const mostAtOnce = 10;
const patienceMillis = 600_000;
const retryAfterSeconds = 10;

/** The only endpoint of the original service: it waits for the loop and answers with the slogan. */
export function sloganHandlers(parts: StudioParts): HandlersFor<"POST /api/v1/slogans/generate"> {
  let waiting = 0;
  return {
    "POST /api/v1/slogans/generate": async ({ body, requestId, idempotencyKey, signal }) => {
      if (waiting >= mostAtOnce) throw tooMany();
      if (body.input.trim() === "") throw blankInput();
      waiting += 1;
      try {
        const { input, model, maxTurns, verbose } = body;
        const asked = { brief: input, ...defined({ model, maxTurns }) };
        const run = await createDraft(parts, asked, idempotencyKey);
        const ending = await endingInTime(parts, run, signal);
        if (ending.kind !== "finished") throw refusalOf(ending, run);
        const session = (await loadDraft(parts.source.store, run))?.session;
        if (session?.finalText === undefined) throw unavailable(run);
        const value = { ...answerOf(session, verbose ?? false), input, requestId };
        return ok(value);
      } finally {
        waiting -= 1;
      }
    },
  };
}

async function endingInTime(
  { engine, clock }: StudioParts,
  run: RunId,
  signal: AbortSignal,
): Promise<Ending> {
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  try {
    const late = clock.sleep(patienceMillis, until).then(() => undefined);
    const ending = await Promise.race([engine.ending(run, until), late]);
    if (ending !== undefined) return ending;
  } finally {
    over.abort();
  }
  throw new HttpProblem(504, {
    code: "generation-timeout",
    message: `The slogan was not ready in time; run ${run} continues.`,
    hint: `Read /api/v1/drafts/${run} later.`,
  });
}

function answerOf(session: DraftSession, verbose: boolean) {
  const { turns, createdAt, completionReason = "error", finalText = "", modelName } = session;
  const total = turns.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
  return {
    slogan: finalText,
    completionReason,
    turnCount: turns.length,
    modelName,
    totalDurationSeconds: hundredths(total),
    averageDurationPerTurn: hundredths(averageDurationPerTurn(session) ?? 0),
    ...(verbose
      ? { turns: turns.map(({ text, review: _, ...turn }) => ({ ...turn, slogan: text })) }
      : {}),
    createdAt,
    runId: session.runId,
  };
}

function hundredths(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}

function refusalOf(ending: Ending, run: RunId): HttpProblem {
  if (ending.kind === "failed" && ending.error.code === "model-not-found") {
    return new HttpProblem(400, { code: "model-not-found", message: ending.error.message });
  }
  if (ending.kind === "failed" && ending.error.code === "timed-out") {
    return new HttpProblem(504, {
      code: "generation-timeout",
      message: "The model took too long.",
      hint: `Resume it with /api/v1/runs/${run}/resume.`,
    });
  }
  return unavailable(run);
}

function unavailable(run: RunId): HttpProblem {
  return new HttpProblem(503, {
    code: "service-unavailable",
    message: "The model does not answer; finished turns are kept.",
    hint: `Resume it with /api/v1/runs/${run}/resume when the model answers again.`,
    headers: { "retry-after": String(retryAfterSeconds) },
  });
}

function tooMany(): HttpProblem {
  return new HttpProblem(429, {
    code: "too-many-runs",
    message: `${mostAtOnce} slogans are already being written.`,
    hint: "Try again a little later, or POST /api/v1/drafts, which does not wait.",
    headers: { "retry-after": String(retryAfterSeconds) },
  });
}

function blankInput(): HttpProblem {
  return new HttpProblem(400, {
    code: "invalid-request",
    message: "The input is blank; say what the slogan is for.",
  });
}
