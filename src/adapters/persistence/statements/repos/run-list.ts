import { defined } from "../../../../domain/values/defined.ts";
import { runId } from "../../../../domain/values/ids.ts";
import { instant } from "../../../../domain/values/instant.ts";
import type { RunListRepo, RunSummary } from "../../../../ports/repos.ts";
import type { RunState } from "../../../../ports/run-store.ts";
import { accountFromLedger } from "../attempts.ts";
import { type HolderRow, holderOf } from "../run-rows.ts";
import { all, type Value } from "../unit.ts";
import { lineAfter, searchesLines, updateLines } from "./run-lines.ts";
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
  *list(page) {
    const { limit, after, state, kind, topOnly, since } = page;
    const conditions: string[] = [];
    const values: Value[] = [];
    const where = (condition: string, ...bound: readonly Value[]) => {
      conditions.push(condition);
      values.push(...bound);
    };
    const isSearch = searchesLines(page, where);
    const place = isSearch ? "l" : "r";
    if (after !== undefined) {
      where(`(${place}.created_at, ${place}.run) < (?, ?)`, after.createdAt, after.run);
    }
    if (since !== undefined) where(`${place}.created_at >= ?`, since);
    if (state !== undefined) where("r.state = ?", state);
    if (kind !== undefined) where("r.kind = ?", kind);
    // An expression makes SQLite use the index by time: by parent it would sort every run.
    if (topOnly === true) where("COALESCE(r.parent, '') = ''");
    if (isSearch) where("r.run = l.run");
    return (yield* all<SummaryRow>(
      `SELECT r.run, r.kind, r.state, r.parent, r.cancel_reason, r.created_at, r.updated_at,
             r.holder_host, r.holder_pid, r.holder_process_start, r.holder_since, r.holder_expires
           FROM ${isSearch ? "run_lines l CROSS JOIN " : ""}runs r
           ${conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`}
           ORDER BY ${place}.created_at DESC, ${place}.run DESC LIMIT ?`,
      ...values,
      limit,
    )).map(summaryOf);
  },
  lineAfter,
  updateLines,
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
