import { decodeDraftInput } from "../../contract/drafting/draft-input.ts";
import { namedReviewers } from "../../domain/drafting/draft-input.ts";
import { lastRuling } from "../../domain/drafting/draft-outcome.ts";
import type { DraftEvent } from "../../domain/drafting/events.ts";
import type { LoopIteration } from "../../domain/drafting/iteration.ts";
import type { DraftSession, LoopPhase, UsageTotals } from "../../domain/drafting/session.ts";
import {
  type SessionEnding,
  sessionFromEvents,
  signatureOf,
} from "../../domain/drafting/session-from-events.ts";
import type { MemberSignature } from "../../domain/drafting/signature.ts";
import { decidersOf } from "../../domain/evidence/decider-of.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import type { Instant } from "../../domain/values/instant.ts";
import type { Json } from "../../domain/values/json.ts";
import type { Ending } from "../../ports/flow.ts";
import type { Repos } from "../../ports/repos.ts";
import type { RunRecord, RunStore } from "../../ports/run-store.ts";
import type { Store } from "../../ports/store.ts";
import { addUp } from "../runs/add-up.ts";
import { allEvents } from "../runs/all-events.ts";
import { readDraftEvent } from "./draft-record.ts";

export type SessionStore = Store<Repos> & { readonly runs: RunStore };

export interface LoadedSession {
  readonly record: RunRecord;
  /** Absent when the loop has not started. */
  readonly session?: DraftSession;
  readonly iterations: readonly LoopIteration[];
  /** Of every approval of every candidate. */
  readonly signatures: readonly MemberSignature[];
}

/** The session of a drafting run from its stored events, ended or not. */
export async function loadSession(
  store: SessionStore,
  run: RunId,
): Promise<LoadedSession | undefined> {
  const record = await store.runs.load(run);
  if (record === undefined) return undefined;
  const stored = await allEvents(store.runs)(run);
  const events = stored.flatMap((event) => readDraftEvent(event) ?? []);
  const ending = sessionEnding(record, events);
  const ruling = lastRuling(await store.read(({ rulings }) => rulings.of(run)));
  const emitted = sessionFromEvents(run, events, defined({ ending, ruling }));
  const session = emitted && { ...emitted, usage: await paidSoFar(store, run) };
  const iterations = events.flatMap((event) =>
    event.kind === "iteration-recorded" ? [event.iteration] : [],
  );
  const { reviewers = [] } = events.find((event) => event.kind === "loop-started") ?? {};
  const signatures = events.flatMap((event) =>
    event.kind === "review-received" ? signatureOf(event.review, reviewers) : [],
  );
  return { record, iterations, signatures, ...defined({ session }) };
}

/** The ledger also has the replies of a turn that was not completed, and the calls that brought none. */
async function paidSoFar(store: SessionStore, run: RunId): Promise<UsageTotals> {
  const totals = addUp(await store.read(({ ledger }) => ledger.totals(run)));
  const { replied, inputTokens, outputTokens, cachedInputTokens, microUsd } = totals;
  const unanswered = totals.failed + totals.lost;
  return {
    ...{ calls: replied + unanswered, replayed: 0, cachedInputTokens },
    ...(unanswered === 0 ? {} : { unanswered }),
    ...(totals.uncounted > 0 ? {} : { inputTokens, outputTokens }),
    ...(totals.unpriced > 0 ? {} : { microUsd }),
  };
}

/**
 * What the ending means for a loop without a decision. A waiting run has not ended, and a resumed one no longer has its
 * last ending. Scripted replies carry their own times, so the session of a script ends with its last reply.
 */
function sessionEnding(
  { ending, updatedAt, state, job }: RunRecord,
  events: readonly DraftEvent[],
): SessionEnding | undefined {
  const isOpen = ending === undefined || state === "queued" || state === "running";
  const reason = isOpen ? undefined : reasonOf(ending);
  if (reason === undefined) return undefined;
  const { fixed_ids: isScripted } = job.input as { readonly fixed_ids?: Json };
  const at = (isScripted === true ? lastReplyAt(events) : undefined) ?? updatedAt;
  if (ending?.kind !== "failed") return { reason, at };
  const { code, message } = ending.error;
  return { reason, at, error: { code, message } };
}

function lastReplyAt(events: readonly DraftEvent[]): Instant | undefined {
  const turn = events.findLast((event) => event.kind === "iteration-recorded");
  const start = events.find((event) => event.kind === "loop-started");
  return turn?.finishedAt ?? start?.createdAt;
}

function reasonOf(ending: Ending): SessionEnding["reason"] | undefined {
  switch (ending.kind) {
    case "failed":
      return "error";
    case "cancelled":
      return "cancelled";
    case "stopped":
      return stopReasons[ending.reason];
    case "finished":
    case "waiting":
      return undefined;
  }
}

const stopReasons = {
  budget: "budget",
  interrupted: "interrupted",
  "definition-changed": "error",
} as const;

export interface LoadedDraft extends LoadedSession {
  /** Without turns while the loop has not started. */
  readonly session: DraftSession;
  /** Turns of the generation that this run continues. */
  readonly previous: readonly LoopIteration[];
}

/** A drafting run, started or not; undefined for any other run. */
export async function loadDraft(store: SessionStore, run: RunId): Promise<LoadedDraft | undefined> {
  const loaded = await loadSession(store, run);
  if (loaded === undefined || loaded.record.job.kind !== "draft") return undefined;
  const { record } = loaded;
  const { previous } = decodeDraftInput(record.job.input);
  return { ...loaded, previous, session: loaded.session ?? notStarted(record) };
}

/** Where a loop is: the last phase that it reported, and the texts of a turn that is not complete yet. */
export interface LoopProgress {
  readonly phase: LoopPhase;
  readonly turn: number;
  readonly candidates: readonly { readonly index: number; readonly content: string }[];
}

export async function loadPhase(store: RunStore, run: RunId): Promise<LoopProgress> {
  const events = (await allEvents(store)(run)).flatMap((event) => readDraftEvent(event) ?? []);
  const entered = events.findLast((event) => event.kind === "phase-entered");
  const complete = events.findLastIndex((event) => event.kind === "iteration-recorded");
  const candidates = events
    .slice(complete + 1)
    .flatMap((event) =>
      event.kind === "candidate-written"
        ? [{ index: event.index, content: event.candidate.content }]
        : [],
    );
  return { phase: entered?.phase ?? "initialized", turn: entered?.turn ?? 0, candidates };
}

function notStarted({ run, job }: RunRecord): DraftSession {
  const { recipe, brief, creator, reviewers, standIn, maxTurns } = decodeDraftInput(job.input);
  return {
    runId: run,
    recipe: recipe.id,
    userInput: brief,
    modelName: creator.model,
    reviewerModels: reviewers.map(({ model }) => model),
    reviewers: namedReviewers(reviewers),
    standIn,
    deciders: decidersOf([creator.model, ...reviewers.map(({ model }) => model)]),
    maxTurns,
    turns: [],
    createdAt: job.createdAt,
    usage: { calls: 0, replayed: 0, inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 },
  };
}
