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

/**
 * Removes top runs that ended before a time, and texts that nothing refers to any more. Runs that were removed or resumed
 * meanwhile are left out.
 */
export async function pruneRuns(parts: RemovalParts, how: Pruning): Promise<readonly RunId[]> {
  const { store } = parts;
  const old = await store.read(({ removal }) => removal.endedBefore(how.before, most));
  const pruned: RunId[] = [];
  for (const run of old) {
    if (how.keepAccepted && (await isAccepted(parts, run))) continue;
    const isGone =
      how.dryRun ||
      (await store.transaction(({ removal }) => removal.removeEnded(run, how.before)));
    if (!isGone) continue;
    pruned.push(run);
    if (!how.dryRun) await parts.removeRecord(run);
  }
  if (!how.dryRun) await store.transaction(({ removal }) => removal.removeUnnamedTexts());
  return pruned;
}

/**
 * Removes one run that has ended, with its children; people's rulings stay. The rows are removed first: a record without
 * a run does no harm, and a run without its record can be repaired.
 */
export async function removeRun({ store, removeRecord }: RemovalParts, run: RunId): Promise<void> {
  await store.transaction(({ removal }) => removal.remove(run));
  await removeRecord(run);
  await store.transaction(({ removal }) => removal.removeUnnamedTexts());
}

async function isAccepted({ store }: RemovalParts, run: RunId): Promise<boolean> {
  const session = (await loadSession(store, run))?.session;
  if (session !== undefined && succeeded(session)) return true;
  const rulings = await store.read((repos) => repos.rulings.of(run));
  return rulings.some(({ act }) => act === "approve");
}
