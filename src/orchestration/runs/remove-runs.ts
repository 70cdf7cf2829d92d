import { succeeded } from "../../domain/drafting/session.ts";
import type { RunId } from "../../domain/values/ids.ts";
import type { Instant } from "../../domain/values/instant.ts";
import { loadSession } from "../drafting/load-session.ts";
import type { RunSource } from "./list-runs.ts";

export interface RemovalParts extends RunSource {
  /** Removes the readable record of a run. */
  readonly removeRecord: (run: RunId) => Promise<void>;
}

export interface Pruning {
  readonly before: Instant;
  /** Leave runs whose text was approved, by the loop or by a person. */
  readonly keepAccepted: boolean;
  readonly dryRun: boolean;
}

const most = 100_000;

/** Removes top runs that ended before a time, and the texts that nothing names any more. */
export async function pruneRuns(parts: RemovalParts, how: Pruning): Promise<readonly RunId[]> {
  const old = await parts.store.read(({ removal }) => removal.endedBefore(how.before, most));
  const chosen: RunId[] = [];
  for (const run of old) {
    if (!how.keepAccepted || !(await isAccepted(parts, run))) chosen.push(run);
  }
  if (!how.dryRun) await removeAll(parts, chosen);
  return chosen;
}

/** Removes one run that has ended, with its children; what people decided about it stays. */
export async function removeRun(parts: RemovalParts, run: RunId): Promise<void> {
  await removeAll(parts, [run]);
}

/** The rows first: a record without its run is found by nobody, a run without its record can be mended. */
async function removeAll(parts: RemovalParts, runs: readonly RunId[]): Promise<void> {
  for (const run of runs) {
    await parts.store.transaction(({ removal }) => removal.remove(run));
    await parts.removeRecord(run);
  }
  await parts.store.transaction(({ removal }) => removal.removeUnnamedTexts());
}

async function isAccepted({ store }: RemovalParts, run: RunId): Promise<boolean> {
  const session = (await loadSession(store, run))?.session;
  if (session !== undefined && succeeded(session)) return true;
  const rulings = await store.read((repos) => repos.rulings.of(run));
  return rulings.some(({ act }) => act === "approve");
}
