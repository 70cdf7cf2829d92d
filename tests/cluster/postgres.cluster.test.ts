import pg from "pg";
import { expect, inject, it, onTestFinished } from "vitest";
import { createDatabase, execute, startPostgres } from "../support/postgres.ts";

it("gives each test a database of its own on one server", async () => {
  const [one, other] = await Promise.all(
    [1, 2].map(async () => {
      const database = await createDatabase(inject("postgres"));
      onTestFinished(() => database.drop());
      return database;
    }),
  );
  await execute(one?.url ?? "", "CREATE TABLE loaves (name text)");
  await expect(execute(other?.url ?? "", "TABLE loaves")).rejects.toThrow("does not exist");
});

it("keeps what was committed when the server is killed and started again", async () => {
  const server = await startPostgres();
  onTestFinished(() => server.remove());
  await execute(server.url, "CREATE TABLE loaves (name text)");
  await server.kill();
  await expect(execute(server.url, "SELECT 1")).rejects.toThrow();
  await server.start();
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  expect((await client.query("TABLE loaves")).rows).toEqual([]);
  await client.end();
});
