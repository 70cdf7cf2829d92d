import { defined } from "../../../domain/values/defined.ts";
import { digest } from "../../../domain/values/digest.ts";
import { type RunId, runId } from "../../../domain/values/ids.ts";
import { instant } from "../../../domain/values/instant.ts";
import { isObject, type Json, type JsonObject } from "../../../domain/values/json.ts";
import type { Budget, Ending, Job } from "../../../ports/flow.ts";
import type { Holder, RunRecord, RunState } from "../../../ports/run-store.ts";
import type { BudgetRow } from "./amounts.ts";
import { withoutNulls } from "./rows.ts";
import { placedJson, storedJson } from "./texts.ts";
import { all, allLocked, change, get, type Unit } from "./unit.ts";

export interface HolderRow {
  readonly holder_host: string | null;
  readonly holder_pid: number | null;
  readonly holder_process_start: string | null;
  readonly holder_since: string | null;
  readonly holder_expires: string | null;
}

interface RunRow extends HolderRow, BudgetRow {
  readonly run: string;
  readonly job: string;
  readonly kind: string;
  readonly input_digest: string;
  readonly created_at: string;
  readonly parent: string | null;
  readonly top: string;
  readonly task: string | null;
  readonly state: RunState;
  readonly epoch: number;
  readonly ending: string | null;
  readonly ending_text: string | null;
  readonly cancel_reason: string | null;
  readonly projected_seq: number;
  readonly accepts_changes: number;
  readonly updated_at: string;
  readonly input: string | null;
  readonly input_text: string | null;
  readonly settings: string;
  readonly resumed_settings: string | null;
  readonly job_budget: string | null;
}

/** The budget shown is the one that pays, so it comes from the top run. */
const selectRun = `
SELECT r.run, r.job, r.kind, r.input_digest, r.created_at, r.parent, r.top, r.task, r.state, r.epoch,
  r.holder_host, r.holder_pid, r.holder_process_start, r.holder_since, r.holder_expires,
  r.ending, r.ending_text, r.cancel_reason, r.projected_seq, r.accepts_changes, r.updated_at,
  r.settings AS resumed_settings,
  t.budget_micro_usd, t.budget_tokens, t.budget_millis,
  j.input, j.input_text, j.settings, j.budget AS job_budget
FROM runs r JOIN jobs j ON j.id = r.job JOIN runs t ON t.run = r.top`;

export function* loadRun(run: RunId, job?: Job): Unit<RunRecord | undefined> {
  const row = yield* get<RunRow>(`${selectRun} WHERE r.run = ?`, run);
  return row && (yield* runRecord(row, job));
}

export function* loadRunOfJob(job: string): Unit<RunRecord | undefined> {
  const row = yield* get<RunRow>(`${selectRun} WHERE r.job = ?`, job);
  return row && (yield* runRecord(row));
}

export function* loadUnfinished(kind: string, inputDigest: string): Unit<RunRecord | undefined> {
  const row = yield* get<RunRow>(
    `${selectRun} WHERE r.kind = ? AND r.input_digest = ? AND r.state NOT IN ('finished', 'cancelled')
     ORDER BY r.created_at DESC, r.run DESC LIMIT 1`,
    kind,
    inputDigest,
  );
  return row && (yield* runRecord(row));
}

const isOutdated = "COALESCE(listed_at, '') <> updated_at";

/**
 * Some of the runs whose line is out of date, locked until the transaction ends; children first, as every writer
 * locks them. The inner query reads only as much of its index as it returns.
 */
export function* loadOutdated(limit: number): Unit<readonly RunRecord[]> {
  const some = `SELECT run FROM runs WHERE ${isOutdated} ORDER BY run LIMIT ?`;
  const order = "CASE WHEN r.run = r.top THEN 1 ELSE 0 END, r.run";
  const rows = yield* allLocked<RunRow>(
    "r",
    `${selectRun} WHERE r.run IN (${some}) ORDER BY ${order}`,
    limit,
  );
  const records: RunRecord[] = [];
  for (const row of rows) records.push(yield* runRecord(row));
  return records;
}

/** What a search sees of the run has changed, although nothing of it did that `updated_at` shows. */
export function* outdateLine(run: RunId): Unit<void> {
  yield* change("UPDATE runs SET listed_at = NULL WHERE run = ?", run);
}

export function* listChildren(run: RunId): Unit<readonly Pick<RunRecord, "run" | "state">[]> {
  return yield* all<{ readonly run: RunId; readonly state: RunState }>(
    "SELECT run, state FROM runs WHERE parent = ? ORDER BY created_at, run",
    run,
  );
}

export function holderOf(row: HolderRow): Holder | undefined {
  if (row.holder_host === null) return undefined;
  return {
    host: row.holder_host,
    pid: row.holder_pid ?? 0,
    processStart: row.holder_process_start ?? "",
    since: instant(row.holder_since ?? ""),
    expires: instant(row.holder_expires ?? ""),
  };
}

function budgetOf(row: BudgetRow): Budget {
  const { budget_micro_usd: microUsd, budget_tokens: tokens, budget_millis: millis } = row;
  return withoutNulls({ microUsd, tokens, seconds: millis === null ? null : millis / 1000 });
}

function settingsOf({ settings }: Job, resumed: string | null): Json {
  if (resumed === null) return settings;
  const given = JSON.parse(resumed) as JsonObject;
  return isObject(settings) ? { ...settings, ...given } : given;
}

function* runRecord(row: RunRow, known?: Job): Unit<RunRecord> {
  const job = known ?? (yield* jobOf(row));
  const holder = holderOf(row);
  const hasEnded = row.ending !== null || row.ending_text !== null;
  return {
    run: runId(row.run),
    job,
    inputDigest: digest(row.input_digest),
    state: row.state,
    epoch: row.epoch,
    ...(row.parent === null ? {} : { parent: runId(row.parent) }),
    top: runId(row.top),
    ...(row.task === null ? {} : { task: row.task }),
    ...defined({ holder }),
    ...(hasEnded ? { ending: yield* endingOf(row) } : {}),
    ...(row.cancel_reason === null ? {} : { cancelReason: row.cancel_reason }),
    projectedSeq: row.projected_seq,
    acceptsChanges: row.accepts_changes === 1,
    settings: settingsOf(job, row.resumed_settings),
    budget: budgetOf(row),
    updatedAt: instant(row.updated_at),
  };
}

function* jobOf(row: RunRow): Unit<Job> {
  return {
    id: row.job,
    kind: row.kind,
    input: yield* placedJson({ inline: row.input, text: row.input_text }),
    settings: storedJson(row.settings),
    ...(row.job_budget === null ? {} : { budget: storedJson(row.job_budget) as unknown as Budget }),
    createdAt: instant(row.created_at),
  };
}

function* endingOf({ ending, ending_text }: RunRow): Unit<Ending> {
  return (yield* placedJson({ inline: ending, text: ending_text })) as unknown as Ending;
}
