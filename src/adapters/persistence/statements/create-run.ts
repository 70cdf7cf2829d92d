import type { RunId } from "../../../domain/values/ids.ts";
import { ConfigurationError, WorkflowError } from "../../../domain/values/workflow-error.ts";
import type { NewRun, RunRecord } from "../../../ports/run-store.ts";
import { budgetColumns } from "./amounts.ts";
import { loadRun, loadRunOfJob, loadUnfinished } from "./run-rows.ts";
import { keepLong, placeJson } from "./texts.ts";
import { change, get, getLocked, lock, together, type Unit } from "./unit.ts";

/** Creates the run, or returns the one that exists: two concurrent calls make one run. */
export function* createRun(wanted: NewRun): Unit<RunRecord> {
  const { run, job, inputDigest, parent, unlessUnfinished } = wanted;
  if (parent === undefined) yield* refuseUsedId(wanted);
  if (unlessUnfinished === true) yield* lock(`input ${job.kind} ${inputDigest}`);
  const known =
    (yield* loadRunOfJob(job.id)) ??
    (unlessUnfinished === true ? yield* loadUnfinished(job.kind, inputDigest) : undefined);
  if (known !== undefined) return known;
  const above = parent === undefined ? undefined : yield* rowOfParent(parent);
  const input = placeJson(job.input);
  const [added] = yield* together(
    change(
      "INSERT INTO jobs (id, input, input_text, settings, budget) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
      job.id,
      input.inline,
      input.text,
      JSON.stringify(job.settings),
      job.budget === undefined ? null : JSON.stringify(job.budget),
    ),
    ...keepLong(input),
  );
  if (added === 1) yield* insertRun(wanted, above);
  const created = added === 1 ? yield* loadRun(run, job) : yield* loadRunOfJob(job.id);
  if (created?.job.id !== job.id) {
    throw new WorkflowError(`run ${run} was not kept`, { code: "store-damaged" });
  }
  return created;
}

function* insertRun(
  { run, job, inputDigest, parent, task }: NewRun,
  above: ParentRow | undefined,
): Unit<void> {
  const added = yield* change(
    `INSERT INTO runs (run, job, kind, input_digest, created_at, parent, top, state, epoch,
       projected_seq, accepts_changes, budget_micro_usd, budget_tokens, budget_millis,
       spent_micro_usd, spent_tokens, spent_millis,
       reserved_micro_usd, reserved_tokens, reserved_millis, cancel_reason, task, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'queued', 0, 0, 0, ?, ?, ?, 0, 0, 0, 0, 0, 0, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
    run,
    job.id,
    job.kind,
    inputDigest,
    job.createdAt,
    parent ?? null,
    above?.top ?? run,
    ...budgetColumns(job.budget ?? {}),
    above?.cancel_reason ?? null,
    task ?? null,
    job.createdAt,
  );
  if (added === 0) yield* refuseUsedId({ run, job, inputDigest });
}

/** An id that a user gave names one job with one input for good. */
function* refuseUsedId({
  run,
  job,
  inputDigest,
}: Pick<NewRun, "run" | "job" | "inputDigest">): Unit<void> {
  const used = yield* get<{ readonly job: string; readonly input_digest: string }>(
    "SELECT job, input_digest FROM runs WHERE run = ?",
    run,
  );
  if (used === undefined || (used.job === job.id && used.input_digest === inputDigest)) return;
  throw new ConfigurationError(`Run ${run} already exists, and its input is different.`, {
    code: "run-exists",
    facts: { run },
    hint: `Look at it with "signoff runs show ${run}", or leave out --run-id.`,
  });
}

interface ParentRow {
  readonly top: string;
  /** Applies to children created after their parent was cancelled, too. */
  readonly cancel_reason: string | null;
}

/** Locked: a cancel request either sees the new child or is seen by it. */
function* rowOfParent(parent: RunId): Unit<ParentRow> {
  const row = yield* getLocked<ParentRow>(
    "r",
    "SELECT r.top, r.cancel_reason FROM runs r WHERE r.run = ?",
    parent,
  );
  if (row === undefined) {
    throw new WorkflowError(`there is no run ${parent} to be the parent`, {
      code: "run-unknown",
      facts: { run: parent },
    });
  }
  return row;
}
