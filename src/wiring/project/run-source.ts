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
import { readStore } from "./project-store.ts";
import type { StorePlace } from "./store-place.ts";
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
export function readRuns<T>(
  place: StorePlace & { readonly environment: Environment },
  work: (source: RunSource | undefined) => Promise<T>,
): Promise<T> {
  return readStore(place, (store) => work(store && runSourceOf(store, clockOf(place.environment))));
}
