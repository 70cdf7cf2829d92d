import type { RunId } from "../../../domain/values/ids.ts";
import type { Instant } from "../../../domain/values/instant.ts";
import { isOver } from "../../../domain/values/is-over.ts";
import { loseOpenAttempts } from "./attempts.ts";
import { loadLease, writeEnding } from "./leases.ts";
import { holderOf } from "./run-rows.ts";
import { all, change, storeTime, type Unit } from "./unit.ts";

interface Cancelling {
  readonly reason: string;
  readonly at: Instant;
}

/**
 * Includes all children: none may keep working for a run that is over. Children come first, because every writer locks
 * its run before the one that pays. Those that were created meanwhile are found by looking again.
 */
export function* cancelWithChildren(run: RunId, how: Cancelling): Unit<void> {
  const done = new Set<RunId>();
  yield* cancelChildren(run, how, done);
  yield* cancelOne(run, how);
  yield* cancelChildren(run, how, done);
}

function* cancelChildren(run: RunId, how: Cancelling, done: Set<RunId>): Unit<void> {
  const children = "SELECT run FROM runs WHERE parent = ? ORDER BY run";
  for (const child of yield* all<{ run: RunId }>(children, run)) {
    if (done.has(child.run)) continue;
    done.add(child.run);
    yield* cancelWithChildren(child.run, how);
  }
}

/**
 * An expired lease counts as free: the run is cancelled and the epoch raised, so the holder can write nothing if it
 * wakes up.
 */
function* cancelOne(run: RunId, { reason, at }: Cancelling): Unit<void> {
  const row = yield* loadLease(run);
  if (isOver(row)) return;
  yield* change(
    "UPDATE runs SET cancel_reason = ? WHERE run = ? AND cancel_reason IS NULL",
    reason,
    run,
  );
  const holder = holderOf(row);
  if (holder !== undefined && holder.expires > (yield* storeTime(at))) return;
  yield* change("UPDATE runs SET epoch = epoch + 1 WHERE run = ?", run);
  yield* loseOpenAttempts(run, row.top);
  const ending = { kind: "cancelled", reason: row.cancel_reason ?? reason } as const;
  yield* writeEnding(run, { ending, at });
}
