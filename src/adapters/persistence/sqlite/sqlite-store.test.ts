import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { runId } from "../../../domain/values/ids.ts";
import { heldRun, minute, sloganRun } from "../../../testing/run-store-stories.ts";
import { storeConformance } from "../../../testing/store-conformance.ts";
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
