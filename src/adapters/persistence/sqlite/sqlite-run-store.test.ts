import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { key, runId } from "../../../domain/values/ids.ts";
import { runStoreConformance } from "../../../testing/run-store-conformance.ts";
import {
  attemptEnd,
  begin,
  creatorFacts,
  heldRun,
  recorded,
  takeLease,
} from "../../../testing/run-store-stories.ts";
import { Connection } from "./connection.ts";
import { openMemoryStore, openStore } from "./open-store.ts";

const undo: (() => void)[] = [];
afterEach(() => {
  for (const step of undo.splice(0).reverse()) {
    step();
  }
});

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "signoff-store-"));
  undo.push(() => rmSync(folder, { recursive: true }));
  return join(folder, ".signoff", "signoff.db");
}

function open(path: string) {
  const store = openStore({ path, mode: "write" });
  undo.push(() => store.close());
  return store;
}

describe("a run store in a file", () => {
  for (const { title, run } of runStoreConformance) {
    it(title, () => run(open(newFile()).runs));
  }

  it("shows what one opening writes to another, and keeps their leases apart", async () => {
    const path = newFile();
    const [mine, yours] = [open(path).runs, open(path).runs];
    const first = await heldRun(mine, "slogan");
    await mine.record(first, recorded("mine"), []);
    expect(await yours.find(first.run, recorded("").key)).toEqual(recorded("mine"));
    const second = await takeLease(yours, first.run, 2);
    const late = mine.record(first, recorded("late", key("turn", 2)), []);
    await expect(late).rejects.toMatchObject({ code: "lease-lost" });
    await yours.record(second, recorded("yours", key("turn", 2)), []);
    expect(await mine.find(first.run, key("turn", 2))).toEqual(recorded("yours", key("turn", 2)));
  });

  it("stores replies and prompts verbatim, readable with any SQLite tool", async () => {
    const path = newFile();
    const store = open(path);
    const lease = await heldRun(store.runs, "slogan");
    await begin(store.runs, lease, {});
    const call = { facts: { ...creatorFacts, user: 'Say "warm",\ntwice.' }, end: attemptEnd(1) };
    await store.runs.record(lease, recorded('{"slogan":"Warm."}'), [], call);
    const connection = new Connection({ path, queryOnly: true });
    undo.push(() => connection.close());
    expect(connection.get("SELECT reply, value, prompt FROM calls")).toEqual({
      reply: '{"slogan":"Warm."}',
      value: '{"text":"","finish":"complete"}',
      prompt: 'Say "warm",\ntwice.',
    });
  });

  it("has everything after it was closed with writes still waiting", async () => {
    const path = newFile();
    const store = open(path);
    const lease = await heldRun(store.runs, "slogan");
    const waiting = store.runs.record(lease, recorded("just in time"), []);
    store.close();
    await waiting;
    const again = open(path).runs;
    expect(await again.find(runId("slogan"), recorded("").key)).toEqual(recorded("just in time"));
  });
});

describe("a run store in memory", () => {
  for (const { title, run } of runStoreConformance) {
    it(title, async () => {
      const store = openMemoryStore();
      undo.push(() => store.close());
      await run(store.runs);
    });
  }
});
