import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { WorkflowError } from "../../../domain/values/workflow-error.ts";
import { wayOn } from "../statements/damage.ts";
import { migrations } from "../statements/migrations/migrations.ts";
import type { Value } from "../statements/unit.ts";
import { Connection } from "./connection.ts";
import { isOutdated, migrate } from "./migrations.ts";
import { storeError } from "./store-error.ts";

/** Copies a store to a new file while others write to it; the copy is one state of the store, checked. */
export function backUpStore(path: string, target: string): void {
  if (existsSync(target)) {
    throw new WorkflowError(`${target} exists and is not overwritten.`, {
      code: "backup-exists",
      facts: { target },
      hint: "Name a file that does not exist.",
    });
  }
  const unfinished = `${target}.part`;
  rmSync(unfinished, { force: true });
  const store = new Connection({ path });
  try {
    store.run("VACUUM INTO ?", unfinished);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw storeError(error, target);
  } finally {
    store.close();
  }
  requireSound(unfinished, wayOn);
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, target);
}

/** Puts a backup in the place of the store, which is kept beside it. Returns where. */
export function restoreStore(path: string, backup: string): string | undefined {
  requireSound(backup, "Name a file that `signoff store backup` has written.");
  const incoming = `${path}.incoming`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  copyFileSync(backup, incoming);
  chmodSync(incoming, 0o600);
  return exchange(path, incoming);
}

/** What became of one table. */
export interface RecoveredTable {
  readonly table: string;
  readonly rows: number;
  /** False if a part of the table could not be read. */
  readonly isWhole: boolean;
  /** Rows that were read but refer to a run that was not. */
  readonly orphans: number;
}

export interface Recovered {
  readonly tables: readonly RecoveredTable[];
  /** The damaged store, kept. */
  readonly kept: string | undefined;
}

/** Builds a new store from every row that SQLite can still read, from both ends of each table. */
export function recoverStore(path: string): Recovered {
  const incoming = `${path}.incoming`;
  rmSync(incoming, { force: true });
  const damaged = new Connection({ path, queryOnly: true });
  const fresh = new Connection({ path: incoming });
  try {
    migrate(fresh, appliedIn(damaged));
    fresh.execute("PRAGMA foreign_keys = OFF");
    fresh.begin("FULL");
    const copied = tablesOf(fresh).map((table) => copyTable(damaged, fresh, table));
    const tables = copied.map((each) => ({ ...each, orphans: dropOrphans(fresh, each.table) }));
    if (tables.every(({ rows, orphans, isWhole }) => !isWhole && rows === orphans)) {
      throw nothingLeft(path);
    }
    fresh.commit();
    fresh.execute("PRAGMA foreign_keys = ON");
    migrate(fresh, migrations);
    fresh.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    fresh.close();
    damaged.close();
    chmodSync(incoming, 0o600);
    return { tables, kept: exchange(path, incoming) };
  } catch (error) {
    for (const connection of [fresh, damaged]) connection.close();
    rmSync(incoming, { force: true });
    throw error;
  }
}

/** An empty store in its place would look as if nothing had ever run. */
function nothingLeft(path: string): WorkflowError {
  return new WorkflowError(`nothing in the store can be read: ${path}`, {
    code: "store-damaged",
    facts: { path },
    hint: "Restore a backup with `signoff store restore`, or move the file away to start over.",
  });
}

/** The migrations of a store whose list can still be read; else those of this version. */
function appliedIn(damaged: Connection) {
  try {
    const rows = damaged.all<{ name: string }>("SELECT name FROM schema_migrations");
    const names = new Set(rows.map(({ name }) => name));
    const known = migrations.filter(({ name }) => names.has(name));
    return known.length === 0 ? migrations : known;
  } catch {
    return migrations;
  }
}

function tablesOf(connection: Connection): readonly string[] {
  return connection
    .all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'schema_migrations'",
    )
    .map(({ name }) => name);
}

function columnsOf(connection: Connection, table: string): readonly { name: string; pk: number }[] {
  return connection.all<{ name: string; pk: number }>(`PRAGMA table_info("${table}")`);
}

function copyTable(damaged: Connection, fresh: Connection, table: string) {
  const there = namesIn(damaged, table);
  const columns = columnsOf(fresh, table);
  const shared = columns.map(({ name }) => name).filter((name) => there.includes(name));
  if (shared.length === 0) return { table, rows: 0, isWhole: false };
  const list = shared.map((name) => `"${name}"`).join(", ");
  const keys = columns.filter(({ pk }) => pk > 0).map(({ name }) => `"${name}" DESC`);
  const insert = `INSERT OR IGNORE INTO "${table}" (${list}) VALUES (${shared.map(() => "?").join(", ")})`;
  let rows = 0;
  const take = (order: string): boolean => {
    try {
      for (const row of damaged.each<Record<string, Value>>(
        `SELECT ${list} FROM "${table}" ${order}`,
      )) {
        rows += insertRow(
          fresh,
          insert,
          shared.map((name) => row[name] ?? null),
        );
      }
      return true;
    } catch {
      return false;
    }
  };
  const isWhole = take("");
  if (!isWhole) take(`ORDER BY ${keys.join(", ")}`);
  return { table, rows, isWhole };
}

function namesIn(damaged: Connection, table: string): readonly string[] {
  try {
    return columnsOf(damaged, table).map(({ name }) => name);
  } catch {
    return [];
  }
}

/** A row whose values no longer fit the schema is lost like one that cannot be read. */
function insertRow(fresh: Connection, insert: string, values: readonly Value[]): number {
  try {
    return fresh.run(insert, ...values);
  } catch {
    return 0;
  }
}

function dropOrphans(fresh: Connection, table: string): number {
  const refers = fresh
    .all<{ table: string; from: string; to: string }>(`PRAGMA foreign_key_list("${table}")`)
    .map(
      ({ table: target, from, to }) =>
        `("${from}" IS NOT NULL AND "${from}" NOT IN (SELECT "${to}" FROM "${target}"))`,
    );
  return refers.length === 0 ? 0 : fresh.run(`DELETE FROM "${table}" WHERE ${refers.join(" OR ")}`);
}

/** A file that is a whole store of this version or an older one. */
function requireSound(path: string, hint: string): void {
  if (!existsSync(path)) {
    throw new WorkflowError(`There is no file ${path}.`, {
      code: "backup-missing",
      facts: { path },
    });
  }
  if (isSound(path)) return;
  throw new WorkflowError(`${path} is not a whole store.`, {
    code: "store-damaged",
    facts: { path },
    hint,
  });
}

function isSound(path: string): boolean {
  let copy: Connection | undefined;
  try {
    copy = new Connection({ path, queryOnly: true });
    isOutdated(copy, migrations);
    const found = copy.all<{ quick_check: string }>("PRAGMA quick_check");
    const isStore = copy.get("SELECT 1 FROM sqlite_schema LIMIT 1") !== undefined;
    return isStore && found.every(({ quick_check: text }) => text === "ok");
  } catch (error) {
    if (error instanceof WorkflowError && error.code === "store-damaged") return false;
    throw error;
  } finally {
    copy?.close();
  }
}

/** Moves the store aside, with its log, and the new one into its place. */
function exchange(path: string, incoming: string): string | undefined {
  const kept = existsSync(path) ? freeName(`${path}.replaced`) : undefined;
  if (kept !== undefined) {
    requireUnused(path);
    renameSync(path, kept);
    for (const ending of ["-wal", "-shm"]) {
      if (existsSync(`${path}${ending}`)) renameSync(`${path}${ending}`, `${kept}${ending}`);
    }
  }
  renameSync(incoming, path);
  return kept;
}

function freeName(base: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (!existsSync(name)) return name;
  }
}

/** A process that has the store open would go on writing to the file that was moved aside. */
function requireUnused(path: string): void {
  let store: Connection | undefined;
  try {
    store = new Connection({ path, busyMillis: 0 });
    store.execute("PRAGMA locking_mode = EXCLUSIVE");
    store.run("BEGIN EXCLUSIVE");
    store.run("ROLLBACK");
  } catch (error) {
    if (error instanceof WorkflowError && error.code === "store-busy") throw error;
  } finally {
    store?.close();
  }
}
