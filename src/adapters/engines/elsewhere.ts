import { defined } from "../../domain/values/defined.ts";
import type { Job } from "../../ports/flow.ts";
import type { Reopening, RunRecord, RunStore } from "../../ports/run-store.ts";

/**
 * Runs that other processes execute: those whose record names a task. Whatever makes one of them ready also queues the
 * task, in the same transaction.
 */
export interface Elsewhere {
  /** Undefined for a job that is executed here. */
  taskOf(job: Job): string | undefined;
  /** Resolves soon after the run has changed, and from time to time without a change. */
  changed(run: RunRecord, signal: AbortSignal): Promise<void>;
  /** Resolves when this process has done what is due at the end of a run that was executed elsewhere. */
  ended?(run: RunRecord): Promise<void>;
}

/** Accepting changes also moves the run, and those of its parts that are queued or running, to workers of this version. */
export async function reopenHereOrElsewhere(
  { run, job, task }: RunRecord,
  how: Reopening,
  parts: { readonly store: RunStore; readonly elsewhere?: Elsewhere },
): Promise<void> {
  const { store, elsewhere } = parts;
  if (how.acceptChanges !== true || elsewhere === undefined || task === undefined) {
    return store.reopen(run, how);
  }
  await store.reopen(run, { ...how, ...defined({ task: elsewhere.taskOf(job) }) });
  for (const { run: id, state } of await store.listChildren(run)) {
    const child = state === "queued" || state === "running" ? await store.load(id) : undefined;
    if (child !== undefined) await reopenHereOrElsewhere(child, { acceptChanges: true }, parts);
  }
}
