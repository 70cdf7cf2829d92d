import { closeSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { holdSignoffAt } from "../support/held-process.ts";
import {
  inFolder,
  listRuns,
  runSignoff,
  standIns,
  startSignoff,
  writeScript,
} from "../support/signoff-process.ts";

const bottles = "eco-friendly water bottles";
const storeOf = (cwd: string) => join(cwd, ".signoff", "signoff.db");
const script = { creator: ["Hydrate Green"], reviewer: ["SHIP IT!"] };

describe("store backup and restore", () => {
  it("copies the store while a run writes, and brings back what it held", async () => {
    await inFolder(async (cwd) => {
      const args = ["draft", bottles, "--script", await writeScript(cwd, script), "--quiet"];
      const held = await holdSignoffAt("reply-recorded", args, { cwd });
      expect(await runSignoff(["store", "backup", "copy.db"], { cwd })).toMatchObject({ code: 0 });
      const busy = await runSignoff(["store", "restore", "copy.db"], { cwd });
      expect(busy).toMatchObject({ code: 5, stdout: "" });
      await held.release();
      await held.ended;
      expect(statSync(join(cwd, "copy.db")).mode & 0o077).toBe(0);
      const again = await runSignoff(["store", "backup", "copy.db"], { cwd });
      expect(again.code).toBe(5);
      const restored = await runSignoff(["store", "restore", "copy.db", "--json"], { cwd });
      expect(restored.code).toBe(0);
      expect(statSync(JSON.parse(restored.stdout).kept).size).toBeGreaterThan(0);
      expect(await listRuns({ cwd })).toMatchObject([{ state: "interrupted" }]);
      expect(await runSignoff(args, { cwd })).toMatchObject({ code: 0 });
    });
  });

  it("refuses a backup that is none, and leaves the store as it was", async () => {
    await inFolder(async (cwd) => {
      await runSignoff(["draft", bottles, ...standIns], { cwd });
      const before = readFileSync(storeOf(cwd));
      for (const file of ["nothing.db", "package.json", "."]) {
        const refused = await runSignoff(["store", "restore", file], { cwd });
        expect(refused.code, refused.stderr).toBe(5);
        expect(refused.stderr).not.toContain("bug in signoff");
      }
      expect(readFileSync(storeOf(cwd)).equals(before)).toBe(true);
    });
  });
});

describe("store recover", () => {
  it("keeps every row that can be read and says what is lost", async () => {
    await inFolder(async (cwd) => {
      for (const brief of ["one", "two", "three"])
        await runSignoff(["draft", brief, ...standIns], { cwd });
      const file = storeOf(cwd);
      const database = new Database(file);
      const [page] = database.pragma("page_size") as [{ page_size: number }];
      const { root } = database
        .prepare("SELECT rootpage AS root FROM sqlite_schema WHERE name = 'events'")
        .get() as { root: number };
      database.close();
      const handle = openSync(file, "r+");
      writeSync(
        handle,
        Buffer.alloc(page.page_size, 0x5a),
        0,
        page.page_size,
        (root - 1) * page.page_size,
      );
      closeSync(handle);
      expect(await startSignoff(["doctor"], { cwd }).ended).toMatchObject({ code: 5 });
      const recovered = await startSignoff(["store", "recover", "--json"], { cwd }).ended;
      expect(recovered.code, recovered.stderr).toBe(1);
      const { tables } = JSON.parse(recovered.stdout) as {
        tables: { table: string; rows: number; isWhole: boolean }[];
      };
      expect(tables.find(({ table }) => table === "events")).toMatchObject({ isWhole: false });
      expect(tables.find(({ table }) => table === "runs")).toMatchObject({
        rows: 3,
        isWhole: true,
      });
      expect(await listRuns({ cwd })).toHaveLength(3);
      expect(await runSignoff(["store", "recover"], { cwd })).toMatchObject({ code: 0 });
    });
  });
});
