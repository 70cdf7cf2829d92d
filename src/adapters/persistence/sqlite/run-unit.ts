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
      for (const row of connection.each(textOf(statement.sql), ...statement.values)) {
        statement.visit(row as never);
      }
      return undefined;
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
