import { renameSync, rmSync } from "node:fs";
import { WorkflowError } from "../../../domain/values/workflow-error.ts";
import { appliedTable, type Migration } from "../statements/migrations/migrations.ts";
import { Connection } from "./connection.ts";
import { storeError } from "./store-error.ts";

/** Whether the store lacks a migration of this version; refuses a store of another program or a newer version. */
export function isOutdated(connection: Connection, known: readonly Migration[]): boolean {
  return pendingMigrations(connection, known).pending.length > 0;
}

/**
 * Brings the schema up to date in one transaction. A store with data is backed up beside itself first, while the
 * write lock is held, so that the backup is exactly what the migration started from.
 */
export function migrate(connection: Connection, known: readonly Migration[]): void {
  if (!isOutdated(connection, known)) return;
  connection.begin("FULL");
  try {
    const { applied, pending } = pendingMigrations(connection, known);
    const first = pending[0];
    if (applied.length > 0 && first !== undefined) {
      backUp(connection.path, first.name);
    }
    connection.execute(
      `CREATE TABLE IF NOT EXISTS ${appliedTable} (name TEXT NOT NULL PRIMARY KEY) STRICT`,
    );
    for (const migration of pending) {
      connection.execute(migration.sql);
      connection.run(`INSERT INTO ${appliedTable} (name) VALUES (?)`, migration.name);
    }
    connection.commit();
  } catch (error) {
    connection.rollback();
    throw error;
  }
}

export function backupPath(path: string, migration: string): string {
  return `${path}.before-${migration}`;
}

function pendingMigrations(connection: Connection, known: readonly Migration[]) {
  const applied = appliedNames(connection);
  const names = new Set(known.map(({ name }) => name));
  const unknown = applied.filter((name) => !names.has(name));
  if (unknown.length > 0) {
    throw new WorkflowError(
      `the store was written by a newer version of signoff: ${connection.path} has ${unknown.join(", ")}`,
      {
        code: "store-newer",
        facts: { path: connection.path, migrations: unknown },
        hint: "Update signoff, or use another store.",
      },
    );
  }
  const done = new Set(applied);
  return { applied, pending: known.filter(({ name }) => !done.has(name)) };
}

function appliedNames(connection: Connection): readonly string[] {
  const tables = connection.all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
  );
  if (tables.length === 0) return [];
  if (!tables.some(({ name }) => name === appliedTable)) {
    throw new WorkflowError(`the database is not a signoff store: ${connection.path}`, {
      code: "store-foreign",
      facts: { path: connection.path },
      hint: "Name another file; this one belongs to another program.",
    });
  }
  return connection
    .all<{ name: string }>(`SELECT name FROM ${appliedTable} ORDER BY name`)
    .map(({ name }) => name);
}

function backUp(path: string, migration: string): void {
  if (path === ":memory:") return;
  const target = backupPath(path, migration);
  const unfinished = `${target}.part`;
  const reader = new Connection({ path });
  try {
    rmSync(unfinished, { force: true });
    reader.run("VACUUM INTO ?", unfinished);
    renameSync(unfinished, target);
  } catch (error) {
    throw storeError(error, target);
  } finally {
    reader.close();
  }
}
