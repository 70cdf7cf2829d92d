import { randomUUID } from "node:crypto";
import { expect, inject, it, onTestFinished } from "vitest";
import { createDatabase } from "../../../../tests/support/postgres.ts";
import { Connection } from "../sqlite/connection.ts";
import { migrate } from "../sqlite/migrations.ts";
import { type Migration, migrations } from "../statements/migrations/migrations.ts";
import { migratePostgres } from "./migrate.ts";
import { openPostgres, withClient } from "./open-postgres.ts";

async function location() {
  const database = await createDatabase(inject("postgres"));
  onTestFinished(() => database.drop());
  return { url: database.url, schema: `signoff_${randomUUID()}` };
}

interface Column {
  readonly table_name: string;
  readonly column_name: string;
  readonly is_nullable: string;
  readonly data_type: string;
  readonly collation_name: string | null;
}

it("gives both databases the same tables, columns, types, keys and indexes", async () => {
  const there = await location();
  const found = await withClient(there, async (client) => {
    await migratePostgres(client, there.schema);
    const { rows: columns } = await client.query<Column>(
      `SELECT table_name, column_name, is_nullable, data_type, collation_name
       FROM information_schema.columns WHERE table_schema = $1`,
      [there.schema],
    );
    const { rows: keys } = await client.query<{ tab: string; col: string; at: number }>(
      `SELECT c.relname AS tab, a.attname AS col, array_position(i.indkey::int2[], a.attnum) AS at
       FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
       WHERE c.relnamespace = $1::regnamespace AND i.indisprimary`,
      [`"${there.schema}"`],
    );
    const { rows: indexes } = await client.query<{ name: string }>(
      `SELECT indexname AS name FROM pg_indexes WHERE schemaname = $1
       AND indexname !~ '_(pkey|key)\\d*$'`,
      [there.schema],
    );
    return { columns, keys, indexes };
  });
  const sqlite = new Connection({ path: ":memory:" });
  migrate(sqlite, migrations);
  const here = sqlite.all<{ tab: string; col: string; type: string; required: number; pk: number }>(
    `SELECT m.name AS tab, c.name AS col, c.type, c."notnull" AS required, c.pk
     FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'`,
  );
  const types: { readonly [sqlite: string]: string } = {
    TEXT: 'text "C"',
    INTEGER: "bigint",
    BLOB: "bytea",
  };
  expect(
    found.columns
      .filter(({ table_name }) => table_name !== "current_acceptances")
      .map((one) => {
        const collation = one.collation_name === null ? "" : ` "${one.collation_name}"`;
        const isRequired = one.is_nullable === "NO";
        return `${one.table_name}.${one.column_name} ${one.data_type}${collation} ${isRequired}`;
      })
      .sort(),
  ).toEqual(
    here.map((one) => `${one.tab}.${one.col} ${types[one.type]} ${one.required === 1}`).sort(),
  );
  expect(found.keys.map((one) => `${one.tab}.${one.col} ${Number(one.at) + 1}`).sort()).toEqual(
    here
      .filter(({ pk }) => pk > 0)
      .map((one) => `${one.tab}.${one.col} ${one.pk}`)
      .sort(),
  );
  const mine = sqlite.all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL",
  );
  expect(found.indexes.map(({ name }) => name).sort()).toEqual(mine.map(({ name }) => name).sort());
});

it("is opened only if it was migrated, and by a version that knows it", async () => {
  const there = await location();
  await expect(openPostgres(there)).rejects.toMatchObject({ code: "store-not-migrated" });
  await withClient(there, (client) =>
    migratePostgres(client, there.schema, { known: migrations.slice(0, -1) }),
  );
  await expect(openPostgres(there)).rejects.toMatchObject({ code: "store-not-migrated" });
  const added = await withClient(there, (client) => migratePostgres(client, there.schema));
  expect(added).toEqual([migrations.at(-1)?.name]);
  const later = ["m9998_later", "m9999_later"].map((name) => ({ name, sql: "SELECT 1;" }));
  const migrateTo = (known: readonly Migration[]) =>
    withClient(there, (client) => migratePostgres(client, there.schema, { known }));
  await migrateTo([...migrations, ...later.slice(0, 1)]);
  // While machines are updated one after the other, the schema is one step ahead of some.
  await (await openPostgres(there)).close();
  await migrateTo([...migrations, ...later]);
  await expect(openPostgres(there)).rejects.toMatchObject({ code: "store-newer" });
});
