import { isDead } from "../../adapters/engines/process-owner.ts";
import {
  digestOfJson,
  digestOfRequest,
  idInRun,
  nonceInRun,
} from "../../adapters/engines/run-identity.ts";
import type { SqliteStore } from "../../adapters/persistence/sqlite/sqlite-store.ts";
import { millisOf } from "../../domain/values/instant.ts";
import type { RunSource } from "../../orchestration/runs/list-runs.ts";
import type { Clock } from "../../ports/clock.ts";
import { openProjectForReading } from "./project-store.ts";

const identity = { idInRun, nonceInRun, digestOfRequest, digestOfJson };

/** Whether the process that holds a run is gone. */
export function deadBy(clock: Clock): RunSource["isDead"] {
  return (holder) => isDead(holder, millisOf(clock.now()));
}

export function runSourceOf(store: SqliteStore, clock: Clock): RunSource {
  return { store, isDead: deadBy(clock), identity };
}

/** Reads a project without creating anything; `work` gets undefined if there is no store yet. */
export async function readRuns<T>(
  root: string,
  clock: Clock,
  work: (source: RunSource | undefined) => Promise<T>,
): Promise<T> {
  const store = openProjectForReading(root);
  try {
    return await work(store === undefined ? undefined : runSourceOf(store, clock));
  } finally {
    store?.close();
  }
}
