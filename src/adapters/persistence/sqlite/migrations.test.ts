import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { digest } from "../../../domain/values/digest.ts";
import { key, runId } from "../../../domain/values/ids.ts";
import { accountFromLedger } from "../statements/attempts.ts";
import { type Migration, migrations } from "../statements/migrations/migrations.ts";
import { findFacts, findRecord, keepEvents, loadEvents } from "../statements/records.ts";
import { reviewRunRepo } from "../statements/repos/review-runs.ts";
import { Connection } from "./connection.ts";
import { backupPath, migrate } from "./migrations.ts";
import { runUnit } from "./run-unit.ts";

const asked = digest("a".repeat(64));

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
    INSERT INTO texts (digest, plain) VALUES ('brief', '"You write \\"slogans\\"."');
    INSERT INTO calls (run, key, digest, value, role, model, system_text, prompt, expects, settings,
      format_version)
    VALUES ('slogan', 'turn/2', '${asked}', '{"text":"Warm.","finish":"complete"}', 'creator', 'm',
      'brief', '"Once\\nmore."', 'text', '{}', 'drafting/1');
    INSERT INTO events (run, seq, kind, data, data_text)
    VALUES ('slogan', 2, 'written', NULL, 'page'), ('slogan', 1, 'begun', '1', NULL);
    INSERT INTO texts (digest, plain) VALUES ('page', '"Warm."');
    INSERT INTO attempts (run, key, attempt, state, model, started_at, millis, input_tokens,
      output_tokens, micro_usd, reserved_micro_usd, reserved_tokens, reserved_millis)
    VALUES ('slogan', 'turn/1', 1, 'failed', 'm', '', 500, NULL, NULL, NULL, 7, 100, 0),
      ('slogan', 'turn/1', 2, 'replied', 'm', '', 1000, 8, 7, 3, 7, 100, 0),
      ('slogan', 'turn/2', 1, 'replied', 'm', '', 500, NULL, NULL, NULL, 7, 100, 0),
      ('slogan', 'turn/2', 2, 'lost', 'm', '', NULL, NULL, NULL, NULL, 7, 100, 0),
      ('slogan', 'turn/2', 3, 'started', 'm', '', NULL, NULL, NULL, NULL, 7, 100, 0);
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

  it("let each old ledger line hold what it cost, or its reservation where that is unknown", () => {
    const connection = buildFirstStore();
    migrate(connection, migrations);
    expect(runUnit(connection, accountFromLedger("slogan"))).toEqual({
      spent_micro_usd: 0 + 3 + 7 + 7,
      spent_tokens: 0 + 15 + 100 + 100,
      spent_millis: 500 + 1000 + 500,
      reserved_micro_usd: 7,
      reserved_tokens: 100,
      reserved_millis: 0,
    });
    connection.close();
  });

  it("make figures that cannot be true unknown, so that sums work again", () => {
    const connection = new Connection({ path });
    migrate(connection, migrations.slice(0, 7));
    connection.execute(`
      INSERT INTO jobs (id, input, settings) VALUES ('job', '{}', '{}');
      INSERT INTO runs (run, job, kind, input_digest, created_at, top, state, epoch, projected_seq,
        accepts_changes, budget_tokens, spent_micro_usd, spent_tokens, spent_millis,
        reserved_micro_usd, reserved_tokens, reserved_millis, updated_at)
      VALUES ('slogan', 'job', 'draft', 'd', '', 'slogan', 'stopped', 1, 0, 0, 5000, -7,
        4000000000000000000, 0, 0, 0, 0, '');
      INSERT INTO attempts (run, key, attempt, state, model, started_at, millis, input_tokens,
        output_tokens, cached_input_tokens, micro_usd, held_micro_usd, held_tokens, held_millis)
      VALUES
        ('slogan', 'a', 1, 'replied', 'm', '', 1, 4000000000000000000, 5, 0, NULL, 0, 4000000000000000000, 1),
        ('slogan', 'b', 1, 'replied', 'm', '', 1, 4000000000000000000, 5, 0, NULL, 0, 4000000000000000000, 1),
        ('slogan', 'c', 1, 'replied', 'm', '', 1, 4000000000000000000, 5, 0, NULL, 0, 4000000000000000000, 1),
        ('slogan', 'd', 1, 'replied', 'm', '', 1, -20, -5, 0, -7, -7, -25, 1),
        ('slogan', 'e', 1, 'replied', 'm', '', 1, 20, 5, 30, 3, 3, 25, 1);
    `);
    expect(() => runUnit(connection, accountFromLedger("slogan"))).toThrow(/overflow/);
    migrate(connection, migrations);
    expect(runUnit(connection, accountFromLedger("slogan"))).toMatchObject({
      spent_tokens: 25,
      spent_micro_usd: 3,
    });
    expect(
      connection.get("SELECT spent_tokens, spent_micro_usd FROM runs WHERE run = 'slogan'"),
    ).toEqual({ spent_tokens: 25, spent_micro_usd: 3 });
    expect(
      connection.all("SELECT input_tokens, cached_input_tokens FROM attempts ORDER BY key"),
    ).toEqual([
      ...Array.from({ length: 4 }, () => ({ input_tokens: null, cached_input_tokens: null })),
      { input_tokens: 20, cached_input_tokens: null },
    ]);
    connection.close();
  });

  it("leave the calls of an old store readable", () => {
    const connection = buildFirstStore();
    migrate(connection, migrations);
    const [run, at] = [runId("slogan"), key("turn", 2)];
    expect(runUnit(connection, findRecord(run, at))).toEqual({
      key: at,
      digest: asked,
      value: { text: "Warm.", finish: "complete" },
    });
    expect(runUnit(connection, findFacts(run, at))).toMatchObject({
      system: 'You write "slogans".',
      user: "Once\nmore.",
    });
    connection.close();
  });

  it("leave the events of an old store where they were, and others follow them", () => {
    const connection = buildFirstStore();
    migrate(connection, migrations);
    const run = runId("slogan");
    const lease = { run, epoch: 1, token: "t" };
    const again = [
      { run, seq: 2, kind: "written again", data: null },
      { run, seq: 3, kind: "signed", data: null },
    ];
    runUnit(connection, keepEvents(lease, again));
    expect(runUnit(connection, loadEvents(run, { afterSeq: 0, limit: 9 }))).toEqual([
      { run, seq: 1, kind: "begun", data: 1 },
      { run, seq: 2, kind: "written", data: "Warm." },
      { run, seq: 3, kind: "signed", data: null },
    ]);
    connection.close();
  });

  it("leave of the states of reviews the facts behind them", async () => {
    const connection = new Connection({ path });
    migrate(connection, migrations.slice(0, 6));
    const review = (run: string, number: number, rest: string): string =>
      `INSERT INTO review_runs (run, number, plan, shape, model, asked_model, format, created_at,
         state, reason, finished_at) VALUES ('${run}', ${number}, 'p', 'bundle', 'm', 'm', 'gates/1',
         '2026-11-15T10:00:00.000Z', ${rest});`;
    connection.execute(
      [
        review("filed", 1, "'completed', NULL, '2026-11-15T10:05:00.000Z'"),
        review("imported", 2, "'completed', NULL, NULL"),
        review("unreadable", 3, "'failed', 'missing gate reviews', '2026-11-15T10:05:00.000Z'"),
        review("interrupted", 4, "'running', NULL, NULL"),
        review("prompted", 5, "'waiting', NULL, NULL"),
        `INSERT INTO jobs (id, input, settings) VALUES ('job', 'null', '{}');
         INSERT INTO runs (run, job, kind, input_digest, created_at, top, state, epoch, projected_seq,
           accepts_changes, spent_micro_usd, spent_tokens, spent_millis, reserved_micro_usd,
           reserved_tokens, reserved_millis, updated_at)
         VALUES ('prompted', 'job', 'gate-review', 'd', '', 'prompted', 'waiting', 1, 0, 0, 0, 0, 0, 0,
           0, 0, '');`,
      ].join("\n"),
    );
    migrate(connection, migrations);
    const states = runUnit(connection, reviewRunRepo.ofPlan("p")).map(({ run, state }) => [
      run,
      state,
    ]);
    expect(states).toEqual([
      ["filed", "completed"],
      ["imported", "completed"],
      ["unreadable", "failed"],
      ["interrupted", "running"],
      ["prompted", "waiting"],
    ]);
    const open = runUnit(connection, reviewRunRepo.open());
    expect(open.map(({ run }) => run)).toEqual(["interrupted", "prompted"]);
    connection.close();
  });

  it("leave a backup of the store", () => {
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

  it("make no copy of a store in memory", () => {
    const connection = new Connection({ path: ":memory:" });
    migrate(connection, migrations.slice(0, 1));
    migrate(connection, migrations);
    connection.close();
    expect(existsSync(backupPath(":memory:", migrations[1]?.name ?? ""))).toBe(false);
  });
});
