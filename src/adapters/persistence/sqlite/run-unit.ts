import { Single, type Sql, type Statement, type Unit } from "../statements/unit.ts";
import type { Connection } from "./connection.ts";

/** Runs a unit of work at once, statement by statement, in the transaction that is open. */
export function runUnit<T>(connection: Connection, unit: Unit<T>): T {
  if (unit instanceof Single) return answer(connection, unit.statement) as T;
  const steps = unit[Symbol.iterator]();
  let step = steps.next();
  while (step.done !== true) {
    step = steps.next(answer(connection, step.value));
  }
  return step.value;
}

/** The same for every unit, those included that visit rows one by one and may let other work run between two of them. */
export async function runUnitWaiting<T>(connection: Connection, unit: Unit<T>): Promise<T> {
  if (!(unit instanceof Single) || unit.statement.kind !== "each") return runUnit(connection, unit);
  const { sql, values, visit } = unit.statement;
  // A store in memory has one connection, which writes nothing while a query is open.
  const isShared = connection.path === ":memory:";
  const rows = isShared
    ? connection.all(textOf(sql), ...values)
    : connection.each(textOf(sql), ...values);
  for (const row of rows) {
    const pause = visit(row as never);
    if (pause !== undefined) await pause;
  }
  return undefined as T;
}

/** A failed statement ends the unit: nothing in it goes on after one. */
function answer(connection: Connection, statement: Statement): unknown {
  switch (statement.kind) {
    case "get":
      return connection.get(textOf(statement.sql), ...statement.values);
    case "all":
      return connection.all(textOf(statement.sql), ...statement.values);
    case "run":
      return connection.run(textOf(statement.sql), ...statement.values);
    case "each":
      throw new Error("A visitor may ask to wait, which only runUnitWaiting can do.");
    case "together":
      return statement.units.map((unit) => runUnit(connection, unit));
    case "time":
      return statement.given;
    case "lock":
      // Only one transaction writes at a time.
      return undefined;
  }
}

function textOf(sql: Sql): string {
  return typeof sql === "string" ? sql : sql.sqlite;
}
