import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Connection } from "./connection.ts";
import { backupPath, type Migration, migrate, migrations } from "./migrations.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "signoff-migrate-"));
  path = join(folder, "signoff.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A store as the first release leaves it. Written in SQL of its time, so it stays what it was. */
function buildFirstStore(): Connection {
  const connection = new Connection({ path });
  migrate(connection, migrations.slice(0, 1));
  connection.execute(`
    INSERT INTO jobs (id, input, settings) VALUES ('job', '{"brief":"bread"}', '{}');
    INSERT INTO runs (run, job, kind, input_digest, created_at, top, state, epoch, projected_seq,
      accepts_changes, spent_micro_usd, spent_tokens, spent_millis, reserved_micro_usd,
      reserved_tokens, reserved_millis, updated_at)
    VALUES ('slogan', 'job', 'draft', 'd', '2026-11-15T10:00:00.000Z', 'slogan', 'stopped', 1, 0,
      0, 0, 15, 2000, 0, 0, 0, '2026-11-15T10:05:00.000Z');
    INSERT INTO calls (run, key, digest, value) VALUES ('slogan', 'turn/1', 'd', '"Warm."');
  `);
  return connection;
}

const later: Migration = {
  name: "m9001_labels",
  sql: "ALTER TABLE runs ADD COLUMN label TEXT; UPDATE runs SET label = 'old';",
};
const broken: Migration = { name: "m9002_broken", sql: "ALTER TABLE breads ADD COLUMN x TEXT" };

describe("migrations", () => {
  it("have unique names in ascending order", () => {
    const names = migrations.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)].sort());
    expect(names[0]).toBe("m0001_runs");
  });

  it("bring the first store up to date with all that it holds", () => {
    const connection = buildFirstStore();
    migrate(connection, [...migrations, later]);
    expect(connection.get("SELECT run, label FROM runs")).toEqual({ run: "slogan", label: "old" });
    expect(connection.get("SELECT value FROM calls")).toEqual({ value: '"Warm."' });
    migrate(connection, [...migrations, later]);
    connection.close();
  });

  it("leave a copy of the store as it was before", () => {
    const connection = buildFirstStore();
    migrate(connection, [...migrations, later]);
    connection.close();
    const copy = new Connection({
      path: backupPath(path, migrations[1]?.name ?? later.name),
      queryOnly: true,
    });
    expect(copy.get("SELECT value FROM calls")).toEqual({ value: '"Warm."' });
    expect(() => copy.get("SELECT label FROM runs")).toThrow(/label/);
    copy.close();
  });

  it("change nothing when one of them fails", () => {
    const connection = buildFirstStore();
    expect(() => migrate(connection, [...migrations, later, broken])).toThrow(/breads/);
    expect(() => connection.get("SELECT label FROM runs")).toThrow(/label/);
    migrate(connection, [...migrations, later]);
    connection.close();
  });

  it("make no copy of a store that is new", () => {
    const connection = new Connection({ path });
    migrate(connection, migrations);
    connection.close();
    expect(existsSync(backupPath(path, "m0001_runs"))).toBe(false);
  });
});
