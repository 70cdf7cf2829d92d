import { createHash } from "node:crypto";
import { all, change, together, type Unit, type Value } from "./unit.ts";

/** One end of a copy: a database that runs units of work. */
export interface CopyEnd {
  /** All units of the work see one state of the store. */
  snapshot<T>(work: (read: <R>(unit: Unit<R>) => Promise<R>) => Promise<T>): Promise<T>;
  write<T>(unit: () => Unit<T>): Promise<T>;
}

export interface CopiedTable {
  readonly table: string;
  readonly rows: number;
  /** Rows that were not there before. */
  readonly added: number;
  /** Whether both ends now hold the same rows, by count and digest. */
  readonly isEqual: boolean;
}

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
}

type Row = { readonly [column: string]: Value };

const rowsAtOnce = 500;

/**
 * Every table with its primary key, so that rows referred to come first. Runs refer to each other: they are added
 * without their parents, which are set when all are there.
 */
const tables: readonly (readonly [name: string, ...key: string[]])[] = [
  ["texts", "digest"],
  ["jobs", "id"],
  ["runs", "run"],
  ["run_lines", "created_at", "run"],
  ["calls", "run", "key"],
  ["attempts", "run", "key", "attempt"],
  ["events", "run", "seq"],
  ["decisions", "id"],
  ["rulings", "run", "number"],
  ["unsigned_loops", "run"],
  ["review_runs", "run"],
  ["review_run_gates", "run", "ordinal"],
  ["gate_reviews", "review"],
  ["findings", "review", "ordinal"],
  ["dismissals", "seq"],
  ["acceptance_events", "note_path", "gate_id", "model", "seq"],
  ["blob_texts", "blob"],
  ["note_moves", "seq"],
  ["stages", "folder"],
  ["stage_entries", "folder", "number"],
  ["people", "name"],
  ["sessions", "digest"],
  ["attention", "item", "name"],
];

export const copiedTables: readonly string[] = tables.map(([name]) => name);

/**
 * Copies every row that the target lacks, then compares both ends. Started again, it goes on where it was stopped. The
 * comparison begins when the source has been read: a server ends a transaction that is silent for long.
 */
export async function copyStore(
  from: CopyEnd,
  to: CopyEnd,
  progress: (table: string, rows: number) => void = () => undefined,
): Promise<readonly CopiedTable[]> {
  const copied = await from.snapshot(async (read) => {
    const done: Copied[] = [];
    for (const [name, ...key] of tables) {
      const table = { name, key, columns: await read(columnsOf(name)) };
      const digest = createHash("sha256");
      const counts = { rows: 0, added: 0 };
      for await (const page of pages(read, table)) {
        counts.rows += page.length;
        counts.added += await to.write(() => insertPage(table, page));
        addTo(digest, page);
        progress(name, counts.rows);
      }
      done.push({ table, ...counts, digest: digest.digest("hex") });
    }
    const runs = done.find(({ table }) => table.name === "runs");
    if (runs !== undefined) await linkRuns(read, to, runs.table);
    return done;
  });
  return await to.snapshot(async (read) => {
    const compared: CopiedTable[] = [];
    for (const { table, rows, added, digest } of copied) {
      const there = await digestOf(read, table);
      const isEqual = there.rows === rows && there.digest === digest;
      compared.push({ table: table.name, rows, added, isEqual });
    }
    return compared;
  });
}

interface Copied {
  readonly table: Table;
  readonly rows: number;
  readonly added: number;
  readonly digest: string;
}

type Read = <R>(unit: Unit<R>) => Promise<R>;

/** In alphabetical order: migrations add columns at the end, and the two databases may have had different histories. */
function* columnsOf(table: string): Unit<readonly string[]> {
  const rows = yield* all<{ name: string }>(
    {
      sqlite: "SELECT name FROM pragma_table_info(?)",
      postgres: `SELECT column_name AS name FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name = ?`,
    },
    table,
  );
  return rows.map(({ name }) => name).sort();
}

async function* pages(read: Read, table: Table): AsyncGenerator<readonly Row[]> {
  let after: readonly Value[] | undefined;
  for (;;) {
    const page: readonly Row[] = await read(pageOf(table, after));
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < rowsAtOnce) return;
    after = table.key.map((column) => last[column] ?? null);
  }
}

function pageOf({ name, columns, key }: Table, after?: readonly Value[]): Unit<readonly Row[]> {
  const order = key.join(", ");
  const following =
    after === undefined ? "" : `WHERE (${order}) > (${key.map(() => "?").join(", ")})`;
  return all<Row>(
    `SELECT ${columns.join(", ")} FROM ${name} ${following} ORDER BY ${order} LIMIT ?`,
    ...(after ?? []),
    rowsAtOnce,
  );
}

function* insertPage({ name, columns }: Table, page: readonly Row[]): Unit<number> {
  const places = columns.map(() => "?").join(", ");
  const sql = `INSERT INTO ${name} (${columns.join(", ")}) VALUES (${places}) ON CONFLICT DO NOTHING`;
  const added = yield* together(
    ...page.map((row) => change(sql, ...columns.map((column) => alone(name, row, column)))),
  );
  return added.reduce((sum, one) => sum + one, 0);
}

function alone(table: string, row: Row, column: string): Value {
  if (table === "runs" && column === "parent") return null;
  return row[table === "runs" && column === "top" ? "run" : column] ?? null;
}

async function linkRuns(read: Read, to: CopyEnd, runs: Table): Promise<void> {
  for await (const page of pages(read, runs)) {
    const linked = page.filter(({ run, top }) => run !== top);
    const sql = "UPDATE runs SET parent = ?, top = ? WHERE run = ? AND top = run";
    await to.write(() =>
      together(
        ...linked.map((row) => change(sql, row.parent ?? null, row.top ?? null, row.run ?? null)),
      ),
    );
  }
}

async function digestOf(
  read: Read,
  table: Table,
): Promise<{ readonly rows: number; readonly digest: string }> {
  const digest = createHash("sha256");
  let rows = 0;
  for await (const page of pages(read, table)) {
    rows += page.length;
    addTo(digest, page);
  }
  return { rows, digest: digest.digest("hex") };
}

function addTo(digest: ReturnType<typeof createHash>, page: readonly Row[]): void {
  for (const row of page) {
    const values = Object.values(row).map((value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value,
    );
    digest.update(`${JSON.stringify(values)}\n`);
  }
}
