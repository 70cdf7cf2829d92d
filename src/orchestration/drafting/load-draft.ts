import { decodeDraftInput } from "../../contract/drafting/draft-input.ts";
import type { LoopIteration } from "../../domain/drafting/iteration.ts";
import type { DraftSession, LoopPhase } from "../../domain/drafting/session.ts";
import type { RunId } from "../../domain/values/ids.ts";
import type { RunRecord, RunStore } from "../../ports/run-store.ts";
import { allEvents } from "../runs/all-events.ts";
import { readDraftEvent } from "./draft-record.ts";
import { loadSession, type SessionStore } from "./load-session.ts";

export interface LoadedDraft {
  readonly record: RunRecord;
  /** Without turns while the loop has not started. */
  readonly session: DraftSession;
  /** Turns of the generation that this run continues. */
  readonly previous: readonly LoopIteration[];
  readonly iterations: readonly LoopIteration[];
}

/** A drafting run, started or not; undefined for any other run. */
export async function loadDraft(store: SessionStore, run: RunId): Promise<LoadedDraft | undefined> {
  const loaded = await loadSession(store, run);
  if (loaded === undefined || loaded.record.job.kind !== "draft") return undefined;
  const { record, iterations } = loaded;
  const { previous } = decodeDraftInput(record.job.input);
  return { record, previous, iterations, session: loaded.session ?? notStarted(record) };
}

/** The last phase that the loop reported. */
export async function loadPhase(
  store: RunStore,
  run: RunId,
): Promise<{ readonly phase: LoopPhase; readonly turn: number }> {
  const events = await allEvents(store)(run);
  const last = events.findLast(({ kind }) => kind === "phase-entered");
  const entered = last === undefined ? undefined : readDraftEvent(last);
  if (entered?.kind !== "phase-entered") return { phase: "initialized", turn: 0 };
  return { phase: entered.phase, turn: entered.turn };
}

function notStarted({ run, job }: RunRecord): DraftSession {
  const { recipe, brief, creator, reviewers, standIn, maxTurns } = decodeDraftInput(job.input);
  return {
    runId: run,
    recipe: recipe.id,
    userInput: brief,
    modelName: creator.model,
    reviewerModels: reviewers.map(({ model }) => model),
    standIn,
    maxTurns,
    turns: [],
    createdAt: job.createdAt,
    usage: { calls: 0, replayed: 0, inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 },
  };
}
