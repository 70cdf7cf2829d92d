import { defined } from "../../../../domain/values/defined.ts";
import { runId } from "../../../../domain/values/ids.ts";
import { instant } from "../../../../domain/values/instant.ts";
import type { RunListRepo, RunSummary } from "../../../../ports/repos.ts";
import type { RunState } from "../../../../ports/run-store.ts";
import { accountFromLedger } from "../attempts.ts";
import { type HolderRow, holderOf } from "../run-rows.ts";
import { all, type Value } from "../unit.ts";
import type { UnitsOf } from "./units-of.ts";

interface SummaryRow extends HolderRow {
  readonly run: string;
  readonly kind: string;
  readonly state: RunState;
  readonly parent: string | null;
  readonly cancel_reason: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export const runListRepo: UnitsOf<RunListRepo> = {
  *spentBy(run) {
    const expenses = yield* accountFromLedger(run);
    return {
      microUsd: expenses.spent_micro_usd,
      tokens: expenses.spent_tokens,
      seconds: expenses.spent_millis / 1000,
    };
  },
  *beginningWith(prefix, limit) {
    return (yield* all<{ run: string }>(
      "SELECT run FROM runs WHERE run >= ? AND run < ? ORDER BY run LIMIT ?",
      prefix,
      `${prefix}\u{10ffff}`,
      limit,
    )).map(({ run }) => runId(run));
  },
  *list({ limit, after, state, kind, topOnly }) {
    const conditions: string[] = [];
    const values: Value[] = [];
    const where = (condition: string, ...bound: Value[]) => {
      conditions.push(condition);
      values.push(...bound);
    };
    if (after !== undefined) where("(created_at, run) < (?, ?)", after.createdAt, after.run);
    if (state !== undefined) where("state = ?", state);
    if (kind !== undefined) where("kind = ?", kind);
    // An expression makes SQLite use the index by time: by parent it would sort every run.
    if (topOnly === true) where("COALESCE(parent, '') = ''");
    return (yield* all<SummaryRow>(
      `SELECT run, kind, state, parent, cancel_reason, created_at, updated_at,
             holder_host, holder_pid, holder_process_start, holder_since, holder_expires
           FROM runs ${conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`}
           ORDER BY created_at DESC, run DESC LIMIT ?`,
      ...values,
      limit,
    )).map(summaryOf);
  },
};

function summaryOf(row: SummaryRow): RunSummary {
  const holder = holderOf(row);
  return {
    run: runId(row.run),
    kind: row.kind,
    state: row.state,
    ...(row.parent === null ? {} : { parent: runId(row.parent) }),
    ...defined({ holder }),
    ...(row.cancel_reason === null ? {} : { cancelReason: row.cancel_reason }),
    createdAt: instant(row.created_at),
    updatedAt: instant(row.updated_at),
  };
}
