import { type Instant, instant } from "../../../../domain/values/instant.ts";
import type { ListedRun, RunCursor, RunLine, RunPage } from "../../../../ports/repos.ts";
import type { RunRecord } from "../../../../ports/run-store.ts";
import { loadOutdated } from "../run-rows.ts";
import { change, get, lock, together, type Unit, type Value } from "../unit.ts";
import { inboxRepo } from "./inbox.ts";
import { family } from "./ledger.ts";
import { rulingRepo } from "./rulings.ts";

/** Longer titles are whole texts; a search looks at their beginning. */
const mostCharacters = 2_000;

/**
 * Each run is locked before it is read and marked in the same transaction, so an ending that is written meanwhile
 * makes its line out of date again.
 */
export function* updateLines(limit: number, lineOf: (run: ListedRun) => RunLine): Unit<number> {
  yield* lock("run lines");
  const records = yield* loadOutdated(limit);
  for (const record of records) yield* updateLine(record, lineOf);
  return records.length;
}

function* updateLine(record: RunRecord, lineOf: (run: ListedRun) => RunLine): Unit<void> {
  const { run, job } = record;
  const [rulings, isUnsigned, cost] = yield* together(
    rulingRepo.of(run),
    inboxRepo.isUnsigned(run),
    get<{ micro_usd: number }>(
      `${family} SELECT COALESCE(SUM(a.micro_usd), 0) AS micro_usd
       FROM family f CROSS JOIN attempts a WHERE a.run = f.run`,
      run,
    ),
  );
  const { title, outcome } = lineOf({ record, rulings, isUnsigned });
  yield* together(
    change(
      `INSERT INTO run_lines (created_at, run, words, outcome, micro_usd) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (created_at, run) DO UPDATE SET words = excluded.words,
         outcome = excluded.outcome, micro_usd = excluded.micro_usd`,
      job.createdAt,
      run,
      `${folded(title).slice(0, mostCharacters)} ${folded(job.kind)} ${run}`,
      outcome ?? null,
      isMoving(record) ? null : (cost?.micro_usd ?? 0),
    ),
    change("UPDATE runs SET listed_at = updated_at WHERE run = ?", run),
  );
}

function isMoving({ state }: RunRecord): boolean {
  return state === "queued" || state === "running" || state === "waiting";
}

/** PostgreSQL stores no NUL in a text. */
function folded(text: string): string {
  return text.toLowerCase().replaceAll("\0", " ");
}

export function* lineAfter(after: RunCursor | undefined, n: number): Unit<Instant | undefined> {
  const older = after === undefined ? "" : "WHERE (created_at, run) < (?, ?)";
  const row = yield* get<{ created_at: string }>(
    `SELECT created_at FROM run_lines ${older} ORDER BY created_at DESC, run DESC LIMIT 1 OFFSET ?`,
    ...(after === undefined ? [] : [after.createdAt, after.run]),
    n - 1,
  );
  return row && instant(row.created_at);
}

type Where = (condition: string, ...values: readonly Value[]) => void;

const spentSoFar = `(SELECT COALESCE(SUM(a.micro_usd), 0) FROM attempts a
  WHERE a.run = l.run OR a.run IN (SELECT f.run FROM runs f WHERE f.top = l.run))`;
const hasSpent = `(l.micro_usd >= ? OR (l.micro_usd IS NULL AND ${spentSoFar} >= ?))`;

/** Adds the conditions on lines `l` of runs `r`; returns whether there are any. */
export function searchesLines({ words = [], minMicroUsd = 0, outcome }: RunPage, where: Where) {
  for (const word of words) {
    const escaped = folded(word).replace(/[!%_]/gu, "!$&");
    where("l.words LIKE ? ESCAPE '!'", `%${escaped}%`);
  }
  if (minMicroUsd > 0) where(hasSpent, minMicroUsd, minMicroUsd);
  if (outcome !== undefined) where("l.outcome = ?", outcome);
  return words.length > 0 || minMicroUsd > 0 || outcome !== undefined;
}
