import { change, type Unit } from "./unit.ts";

/**
 * After a restore: no earlier holder of a run may write again, and runs that were being executed are queued. Returns
 * the number of runs that were taken from a holder.
 */
export function* raiseEpochs(): Unit<number> {
  yield* change("UPDATE runs SET epoch = epoch + 1 WHERE holder_host IS NULL");
  return yield* change(
    `UPDATE runs SET epoch = epoch + 1, state = CASE WHEN state = 'running' THEN 'queued' ELSE state END,
       holder_host = NULL, holder_pid = NULL, holder_process_start = NULL, holder_token = NULL,
       holder_since = NULL, holder_expires = NULL
     WHERE holder_host IS NOT NULL`,
  );
}
