import type { ClientBase, QueryResult } from "pg";
import { instant } from "../../../domain/values/instant.ts";
import type { Sql, Statement, Unit, Value } from "../statements/unit.ts";

/** A row as the statements expect it: numbers for whole numbers and sums. */
type Row = Record<string, unknown>;

/**
 * Runs a unit of work in the transaction that is open on the client. Statements are sent without waiting for those
 * before them where the unit allows it, and answered in order.
 */
export async function runUnit<T>(client: ClientBase, unit: Unit<T>): Promise<T> {
  const steps = unit[Symbol.iterator]();
  let step = steps.next();
  while (step.done !== true) {
    step = steps.next(await answer(client, step.value));
  }
  return step.value;
}

async function answer(client: ClientBase, statement: Statement): Promise<unknown> {
  switch (statement.kind) {
    case "get":
      return (await query(client, statement)).rows[0];
    case "all":
      return (await query(client, statement)).rows;
    case "run":
      return (await query(client, statement)).rowCount ?? 0;
    case "each":
      return await visitAll(client, statement);
    case "together":
      return await allOf(statement.units.map((unit) => runUnit(client, unit)));
    case "time": {
      const sql = { sql: `SELECT ${nowInUtc} AS now`, values: [] };
      return instant(String((await query(client, sql)).rows[0]?.now));
    }
    case "lock": {
      const shared = statement.mode === "shared" ? "_shared" : "";
      const sql = `SELECT pg_advisory_xact_lock${shared}(hashtextextended(current_schema() || ' ' || ?, 0))`;
      await query(client, { sql, values: [statement.name] });
      return undefined;
    }
  }
}

/** As instants are written everywhere: UTC, milliseconds. */
const nowInUtc = `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Waits for all of them, so that none runs into what follows. After a failure the others fail only because the
 * transaction is over; the first failure is the reason.
 */
async function allOf(running: readonly Promise<unknown>[]): Promise<readonly unknown[]> {
  const settled = await Promise.allSettled(running);
  const failures = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  if (failures.length > 0) throw failures.find((one) => !isAborted(one)) ?? failures[0];
  return settled.map((one) => (one.status === "fulfilled" ? one.value : undefined));
}

function isAborted(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "25P02";
}

const rowsAtOnce = 5_000;

/** Reads through a cursor: the rows never are in memory all at once. */
async function visitAll(
  client: ClientBase,
  statement: Extract<Statement, { kind: "each" }>,
): Promise<void> {
  const { text } = prepared(statement.sql);
  const literal = withLiterals(text, statement.values);
  await client.query(`DECLARE visited NO SCROLL CURSOR FOR ${literal}`);
  try {
    for (;;) {
      const { rows } = await client.query(`FETCH ${rowsAtOnce} FROM visited`);
      for (const row of rows) {
        const pause = statement.visit(row as never);
        if (pause !== undefined) await pause;
      }
      if (rows.length < rowsAtOnce) return;
    }
  } finally {
    await client.query("CLOSE visited").catch(() => undefined);
  }
}

/** A cursor's query takes no parameters; ours are constants of the program. */
function withLiterals(text: string, values: readonly Value[]): string {
  return text.replace(/\$(\d+)/gu, (_, at: string) => {
    const value = values[Number(at) - 1];
    return typeof value === "string" ? `E'${value.replace(/[\\']/gu, "\\$&")}'` : String(value);
  });
}

interface Query {
  readonly sql: Sql;
  readonly values: readonly Value[];
  readonly locking?: string;
}

function query(client: ClientBase, { sql, values, locking }: Query): Promise<QueryResult<Row>> {
  const { name, text } = prepared(sql, locking);
  return client.query<Row>({ name, text, values: values.map(storable) });
}

interface Prepared {
  readonly name: string;
  readonly text: string;
}

const statements = new Map<string, Prepared>();

/** Each text is translated once, and prepared once per connection under its name. */
function prepared(sql: Sql, locking = ""): Prepared {
  const key = `${typeof sql === "string" ? sql : sql.postgres} ${locking}`;
  const known = statements.get(key);
  if (known !== undefined) return known;
  const added = { name: `s${statements.size}`, text: numbered(key) };
  statements.set(key, added);
  return added;
}

/** `?` becomes `$1`, `$2`, …; no statement has one in a literal. */
function numbered(sql: string): string {
  let at = 0;
  return sql.replace(/\?/gu, () => {
    at += 1;
    return `$${at}`;
  });
}

/** PostgreSQL has no NUL in a text. Texts that must come back to the character are encoded before they get here. */
function storable(value: Value): Value {
  return typeof value === "string" && value.includes("\0")
    ? value.replaceAll("\0", "\u{fffd}")
    : value;
}
