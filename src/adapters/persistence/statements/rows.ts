import { all, change, get, type Sql, type Unit, type Value } from "./unit.ts";

/** Rows with their columns in camel case and without NULLs: the form in which the ports describe them. */
export function* selectRows<T>(sql: Sql, ...values: Value[]): Unit<readonly T[]> {
  return (yield* all<object>(sql, ...values)).map((row) => camelCaseRow<T>(row));
}

/** An undefined column is written as NULL. Columns must not depend on data: each set of them is one statement. */
export function* insertRow(
  table: string,
  row: { readonly [column: string]: Value | undefined },
): Unit<void> {
  const columns = Object.keys(row);
  yield* change(
    `INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map(() => "?").join()})`,
    ...Object.values(row).map((value) => value ?? null),
  );
}

/** The number after the highest one; the caller's transaction keeps others from taking the same one. */
export function* nextNumber(selectLast: string, ...values: Value[]): Unit<number> {
  const row = yield* get<{ last: number | null }>(selectLast, ...values);
  return (row?.last ?? 0) + 1;
}

/** The members without those that are null. */
export function withoutNulls<T extends object>(
  members: T,
): { readonly [name in keyof T]?: NonNullable<T[name]> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as {
    readonly [name in keyof T]?: NonNullable<T[name]>;
  };
}

const memberNames = new Map<string, string>();

function camelCaseRow<T>(row: object): T {
  const members: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) {
    if (value !== null) members[memberName(column)] = value;
  }
  return members as T;
}

function memberName(column: string): string {
  const known = memberNames.get(column);
  if (known !== undefined) return known;
  const name = column.replace(/_([a-z])/gu, (_, letter: string) => letter.toUpperCase());
  memberNames.set(column, name);
  return name;
}
