import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, describe, expect, it } from "vitest";
import { runId } from "../../../domain/values/ids.ts";
import {
  attemptEnd,
  begin,
  creatorFacts,
  heldRun,
  minute,
  recorded,
  sloganRun,
} from "../../../testing/run-store-stories.ts";
import { storeConformance } from "../../../testing/store-conformance.ts";
import { copyStore } from "../statements/copy-store.ts";
import { openMemoryStore, openStore } from "./open-store.ts";

const undo: (() => void)[] = [];
afterEach(() => {
  for (const step of undo.splice(0).reverse()) {
    step();
  }
});

function openFile() {
  const folder = mkdtempSync(join(tmpdir(), "signoff-store-"));
  const store = openStore({ path: join(folder, "signoff.db"), mode: "write" });
  undo.push(() => {
    store.close();
    rmSync(folder, { recursive: true });
  });
  return store;
}

describe("a store in a file", () => {
  for (const { title, run } of storeConformance) {
    it(title, () => run(openFile()));
  }

  it("gives one reading one state of the store, whatever is written meanwhile", async () => {
    const store = openFile();
    await store.runs.create(sloganRun("early"));
    const seen = await store.read(async ({ runs, stats }) => {
      const before = await runs.list({ limit: 9 });
      await heldRun(store.runs, "meanwhile");
      const after = await stats.runs(minute(0));
      return [before.length, after.reduce((sum, row) => sum + row.runs, 0)];
    });
    expect(seen).toEqual([1, 1]);
    expect(await store.runs.load(runId("meanwhile"))).toBeDefined();
  });

  it("keeps a long text once, and drops it with the last run that names it", async () => {
    const store = openFile();
    for (const name of ["rye", "oats"]) {
      const lease = await heldRun(store.runs, name);
      await begin(store.runs, lease, {});
      const facts = {
        ...creatorFacts,
        system: "shared ".repeat(20_000),
        user: name.repeat(20_000),
      };
      await store.runs.record(lease, recorded("short"), [], { facts, end: attemptEnd(1) });
      await store.runs.end(lease, { kind: "finished", result: null }, [], minute(5));
    }
    const texts = async () => (await store.read(({ storage }) => storage.size())).texts;
    expect(await texts()).toBe(3);
    const removed = await store.transaction(async ({ removal }) => {
      await removal.remove(runId("rye"));
      return removal.removeUnnamedTexts();
    });
    expect([removed, await texts()]).toEqual([1, 2]);
  });

  it("can be copied while it is open", async () => {
    const [from, to] = [openFile(), openFile()];
    await heldRun(from.runs, "slogan");
    const copied = await copyStore(from.copyEnd(), to.copyEnd());
    expect(copied.every(({ isEqual }) => isEqual)).toBe(true);
    expect(await to.runs.load(runId("slogan"))).toEqual(await from.runs.load(runId("slogan")));
  });

  it("says what is missing in it, and nothing of a whole one", async () => {
    const store = openFile();
    const long = { ...sloganRun("slogan").job, input: "bread ".repeat(10_000) };
    await store.runs.create({ ...sloganRun("slogan"), job: long });
    expect(await store.damage()).toEqual([]);
    const other = new Database(store.path);
    other.exec("DELETE FROM texts");
    other.close();
    expect(await store.damage()).toEqual([
      expect.stringMatching(/^jobs names the text [0-9a-f]{64}, which is missing$/u),
    ]);
  });

  it("refuses writes inside a reading", async () => {
    const store = openFile();
    const writing = store.read((repos) => repos.removal.removeUnnamedTexts());
    await expect(writing).rejects.toMatchObject({ code: "store-unwritable" });
  });
});

describe("a store in memory", () => {
  for (const { title, run } of storeConformance) {
    it(title, async () => {
      const store = openMemoryStore();
      undo.push(() => store.close());
      await run(store);
    });
  }
});
