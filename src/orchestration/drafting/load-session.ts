import type { LoopIteration } from "../../domain/drafting/iteration.ts";
import type { DraftSession } from "../../domain/drafting/session.ts";
import {
  type SessionEnding,
  sessionFromEvents,
} from "../../domain/drafting/session-from-events.ts";
import type { RunId } from "../../domain/values/ids.ts";
import type { Ending } from "../../ports/flow.ts";
import type { RunRecord, RunStore } from "../../ports/run-store.ts";
import { allEvents } from "../runs/all-events.ts";
import { readDraftEvent } from "./draft-record.ts";

export interface LoadedSession {
  readonly record: RunRecord;
  /** Absent when the loop has not begun. */
  readonly session?: DraftSession;
  readonly iterations: readonly LoopIteration[];
}

/** The session of a drafting run as the store tells it, ended or not. */
export async function loadSession(store: RunStore, run: RunId): Promise<LoadedSession | undefined> {
  const record = await store.load(run);
  if (record === undefined) return undefined;
  const events = (await allEvents(store)(run)).flatMap((event) => readDraftEvent(event) ?? []);
  const session = sessionFromEvents(run, events, sessionEnding(record));
  const iterations = events.flatMap((event) =>
    event.kind === "iteration-recorded" ? [event.iteration] : [],
  );
  return { record, iterations, ...(session === undefined ? {} : { session }) };
}

/** What the ending means for a loop that came to no decision; a waiting run is simply not at its end. */
function sessionEnding({ ending, updatedAt }: RunRecord): SessionEnding | undefined {
  const reason = ending === undefined ? undefined : reasonOf(ending);
  return reason === undefined ? undefined : { reason, at: updatedAt };
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
  interrupted: "cancelled",
  "definition-changed": "error",
} as const;
