import { isDead } from "../../adapters/engines/process-owner.ts";
import {
  digestOfJson,
  digestOfRequest,
  idInRun,
  nonceInRun,
} from "../../adapters/engines/run-identity.ts";
import { millisOf } from "../../domain/values/instant.ts";
import type { RunSource } from "../../orchestration/runs/list-runs.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ProjectStore } from "../../ports/store.ts";
import type { Environment } from "../settings/environment.ts";
import { openProjectForReading, type StorePlace } from "./project-store.ts";
import { clockOf } from "./system-clock.ts";

const identity = { idInRun, nonceInRun, digestOfRequest, digestOfJson };

/** Whether the process that holds a run is gone. */
export function deadBy(clock: Clock): RunSource["isDead"] {
  return (holder) => isDead(holder, millisOf(clock.now()));
}

export function runSourceOf(store: ProjectStore, clock: Clock): RunSource {
  return { store, isDead: deadBy(clock), identity };
}

/** Reads a project without creating anything; `work` gets undefined if there is no store yet. */
export async function readRuns<T>(
  place: StorePlace & { readonly environment: Environment },
  work: (source: RunSource | undefined) => Promise<T>,
): Promise<T> {
  const store = await openProjectForReading(place);
  try {
    return await work(
      store === undefined ? undefined : runSourceOf(store, clockOf(place.environment)),
    );
  } finally {
    await store?.close();
  }
}
