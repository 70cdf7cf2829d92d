import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { openStore } from "./open-store.ts";

/** A loop of the stage `shop` with one recorded call and one event. */
const loop = `
  INSERT INTO texts (digest, plain) VALUES ('t1', 'a long answer'), ('t2', 'a long prompt');
  INSERT INTO jobs (id, input, settings) VALUES ('pack-loop/shop/1', '{}', '{}');
  INSERT INTO runs (run, job, kind, input_digest, created_at, top, state, epoch, projected_seq,
      accepts_changes, spent_micro_usd, spent_tokens, spent_millis,
      reserved_micro_usd, reserved_tokens, reserved_millis, updated_at)
    VALUES ('r1', 'pack-loop/shop/1', 'pack-loop', 'd', '2026-01-01', 'r1', 'finished', 1, 0,
      0, 0, 0, 0, 0, 0, 0, '2026-01-01');
  INSERT INTO calls (run, key, digest, value, value_text, prompt_text) VALUES ('r1', 'k', 'd', '{}', 't1', 't2');
  INSERT INTO events (run, seq, kind, data) VALUES ('r1', 1, 'asked', '{}');`;

it("notices a change of anything that was recorded of a call or an event", async () => {
  const folder = mkdtempSync(join(tmpdir(), "signoff-digests-"));
  const path = join(folder, "signoff.db");
  const store = openStore({ path, mode: "write" });
  const other = new Database(path);
  onTestFinished(() => {
    other.close();
    store.close();
    rmSync(folder, { recursive: true });
  });
  other.exec(loop);
  const digest = async () => {
    const { "store: run r1": one } = await store.read(({ stages }) => stages.digests("shop"));
    return one;
  };
  const columnsOf = (table: string) =>
    (other.pragma(`table_info(${table})`) as { name: string; type: string }[])
      .filter(({ name, type }) => type === "TEXT" && name !== "run")
      .map(({ name }) => `UPDATE ${table} SET ${name} = 'forged'`);
  const before = await digest();
  expect(before).toBeDefined();
  const changes = [
    ...columnsOf("calls"),
    ...columnsOf("events"),
    "UPDATE texts SET plain = 'forged' WHERE digest = 't1'",
    "UPDATE texts SET plain = 'forged' WHERE digest = 't2'",
  ];
  const unnoticed: string[] = [];
  for (const change of changes) {
    other.exec(`BEGIN; ${change}; COMMIT;`);
    if ((await digest()) === before) unnoticed.push(change);
    other.exec(`DELETE FROM events; DELETE FROM calls; DELETE FROM runs; DELETE FROM jobs;
      DELETE FROM texts; ${loop}`);
    expect(await digest()).toBe(before);
  }
  expect(unnoticed).toEqual([]);
});
