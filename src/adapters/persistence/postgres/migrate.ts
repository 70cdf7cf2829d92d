import type { Client } from "pg";
import { WorkflowError } from "../../../domain/values/workflow-error.ts";
import { appliedTable, type Migration, migrations } from "../statements/migrations/migrations.ts";
import { postgresSchema } from "./schema.ts";

/** Creates the project's schema, or brings it up to date, in one transaction. Returns the names of what was added. */
export async function migratePostgres(
  client: Client,
  schema: string,
  {
    known = migrations,
    grant,
  }: { readonly known?: readonly Migration[]; readonly grant?: string } = {},
): Promise<readonly string[]> {
  const quoted = client.escapeIdentifier(schema);
  await client.query("BEGIN");
  try {
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [schema]);
    const present = await client.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema]);
    if (present.rowCount === 0) await client.query(`CREATE SCHEMA ${quoted}`);
    await client.query(`SET LOCAL search_path = ${quoted}`);
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${appliedTable} (name TEXT COLLATE "C" NOT NULL PRIMARY KEY)`,
    );
    const { pending } = await compareMigrations(client, known);
    for (const { name, sql } of pending) {
      await client.query(postgresSchema(sql));
      await client.query(`INSERT INTO ${appliedTable} (name) VALUES ($1)`, [name]);
    }
    if (grant !== undefined) await grantRows(client, quoted, client.escapeIdentifier(grant));
    await client.query("COMMIT");
    return pending.map(({ name }) => name);
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/** Everything that work needs, and nothing that changes the schema. */
async function grantRows(client: Client, schema: string, role: string): Promise<void> {
  await client.query(`GRANT USAGE ON SCHEMA ${schema} TO ${role}`);
  await client.query(
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role}`,
  );
}

/** What the schema has and lacks; refuses one that a newer version has changed. */
async function compareMigrations(
  client: Client,
  known: readonly Migration[],
): Promise<{ readonly pending: readonly Migration[] }> {
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${appliedTable}`);
  const applied = new Set(rows.map(({ name }) => name));
  const names = new Set(known.map(({ name }) => name));
  const unknown = [...applied].filter((name) => !names.has(name));
  if (unknown.length > 0) throw newerSchema(unknown);
  return { pending: known.filter(({ name }) => !applied.has(name)) };
}

export function newerSchema(unknown: readonly string[]): WorkflowError {
  return new WorkflowError(
    `the database was migrated by a newer version of signoff: it has ${unknown.join(", ")}`,
    {
      code: "store-newer",
      facts: { migrations: unknown },
      hint: "Update signoff on this machine.",
    },
  );
}
