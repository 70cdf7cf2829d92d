import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runId } from "../../../domain/values/ids.ts";
import { heldRun, recorded, sloganRun } from "../../../testing/run-store-stories.ts";
import { openStore } from "./open-store.ts";
import { backUpStore, recoverStore, restoreStore } from "./rescue-store.ts";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "signoff-rescue-"));
  path = join(folder, "signoff.db");
  await addRun("slogan");
});
afterEach(() => rmSync(folder, { recursive: true }));

async function addRun(name: string): Promise<void> {
  const store = openStore({ path, mode: "write" });
  const lease = await heldRun(store.runs, name);
  await store.runs.record(lease, recorded(`a reply to ${name}`), []);
  store.close();
}

async function statesOf(...names: readonly string[]) {
  const store = openStore({ path, mode: "read" });
  const records = await Promise.all(names.map((name) => store?.runs.load(runId(name))));
  store?.close();
  return records.map((record) => record?.state);
}

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

describe("a backup of a store", () => {
  it("has what was in the store, readable by its owner only, and nothing is left beside it", async () => {
    const target = join(folder, "monday.db");
    const open = openStore({ path, mode: "write" });
    backUpStore(path, target);
    open.close();
    await addRun("later");
    expect(modeOf(target)).toBe("600");
    expect(readdirSync(folder).sort()).toEqual(["monday.db", "signoff.db"]);
    path = target;
    expect(await statesOf("slogan", "later")).toEqual(["running", undefined]);
  });

  it("overwrites no file, but what an interrupted backup left", () => {
    const target = join(folder, "monday.db");
    writeFileSync(`${target}.part`, "half a backup");
    backUpStore(path, target);
    const before = readFileSync(target);
    expect(() => backUpStore(path, target)).toThrow(
      expect.objectContaining({ code: "backup-exists", facts: { target } }),
    );
    expect(readFileSync(target)).toEqual(before);
  });

  it("that cannot be written leaves nothing", () => {
    expect(() => backUpStore(path, join(folder, "nowhere", "monday.db"))).toThrow(
      expect.objectContaining({ code: "store-unwritable" }),
    );
    expect(readdirSync(folder)).toEqual(["signoff.db"]);
  });
});

describe("restoring a store", () => {
  const backup = () => join(folder, "monday.db");

  it("puts the backup in its place and keeps what was there", async () => {
    backUpStore(path, backup());
    await addRun("later");
    const kept = restoreStore(path, backup());
    expect(kept).toBe(`${path}.replaced`);
    expect(modeOf(path)).toBe("600");
    expect(await statesOf("slogan", "later")).toEqual(["running", undefined]);
    const again = restoreStore(path, kept ?? "");
    expect(again).toBe(`${path}.replaced-2`);
    expect(await statesOf("slogan", "later")).toEqual(["running", "running"]);
  });

  it("moves the log of the store aside together with it", async () => {
    backUpStore(path, backup());
    // A process that was killed leaves its log, which belongs to the old file.
    const writer = openStore({ path, mode: "write" });
    await writer.runs.create(sloganRun("in the log"));
    copyFileSync(path, join(folder, "killed.db"));
    copyFileSync(`${path}-wal`, join(folder, "killed.db-wal"));
    writer.close();
    path = join(folder, "killed.db");
    const kept = restoreStore(path, backup());
    expect(await statesOf("slogan", "in the log")).toEqual(["running", undefined]);
    path = kept ?? "";
    expect(await statesOf("in the log")).toEqual(["queued"]);
  });

  it("works where there is no store yet, in a folder that is made for it", async () => {
    backUpStore(path, backup());
    path = join(folder, "new", ".signoff", "signoff.db");
    expect(restoreStore(path, backup())).toBeUndefined();
    expect(modeOf(join(folder, "new", ".signoff"))).toBe("700");
    expect(await statesOf("slogan")).toEqual(["running"]);
  });

  it("refuses a file that is missing, none of ours, empty or damaged, and changes nothing", () => {
    const before = readFileSync(path);
    const refused = (file: string, code: string) =>
      expect(() => restoreStore(path, join(folder, file))).toThrow(
        expect.objectContaining({ code }),
      );
    refused("missing.db", "backup-missing");
    new Database(join(folder, "photos.db")).exec("CREATE TABLE photos (name TEXT)").close();
    refused("photos.db", "store-foreign");
    writeFileSync(join(folder, "empty.db"), "");
    refused("empty.db", "store-damaged");
    damage(path, join(folder, "damaged.db"));
    refused("damaged.db", "store-damaged");
    expect(readFileSync(path)).toEqual(before);
    expect(existsSync(`${path}.incoming`)).toBe(false);
  });

  it("refuses while another process has the store open, and keeps it", async () => {
    backUpStore(path, backup());
    const other = new Database(path);
    other.exec("BEGIN IMMEDIATE");
    expect(() => restoreStore(path, backup())).toThrow(
      expect.objectContaining({ code: "store-busy" }),
    );
    other.close();
    expect(existsSync(`${path}.replaced`)).toBe(false);
    expect(await statesOf("slogan")).toEqual(["running"]);
  });
});

describe("recovering a store", () => {
  it("keeps every row of a store that is whole, and the old file beside it", async () => {
    const { tables, kept } = recoverStore(path);
    expect(kept).toBe(`${path}.replaced`);
    expect(modeOf(path)).toBe("600");
    expect(tables.filter(({ rows }) => rows > 0)).toEqual(
      ["jobs", "runs", "calls"].map((table) => ({ table, rows: 1, isWhole: true, orphans: 0 })),
    );
    expect(tables.every(({ isWhole }) => isWhole)).toBe(true);
    expect(await statesOf("slogan")).toEqual(["running"]);
    expect(existsSync(`${path}.incoming`)).toBe(false);
  });

  it("drops rows whose run is gone, and names them", async () => {
    const broken = new Database(path);
    broken.pragma("foreign_keys = OFF");
    broken.exec("DELETE FROM runs");
    broken.close();
    const { tables } = recoverStore(path);
    expect(tables.find(({ table }) => table === "calls")).toEqual({
      ...{ table: "calls", rows: 1, isWhole: true, orphans: 1 },
    });
    expect(await statesOf("slogan")).toEqual([undefined]);
    const recovered = openStore({ path, mode: "read" });
    expect(await recovered?.damage()).toEqual([]);
    recovered?.close();
  });

  it("reads a table with a damaged page from both ends", async () => {
    const names = Array.from({ length: 300 }, (_, at) => `slogan ${String(at).padStart(3, "0")}`);
    const store = openStore({ path, mode: "write" });
    for (const name of names) await store.runs.create(sloganRun(name));
    store.close();
    damage(path, path, "jobs");
    const { tables } = recoverStore(path);
    const jobs = tables.find(({ table }) => table === "jobs");
    expect(jobs?.isWhole).toBe(false);
    expect(jobs?.rows).toBeGreaterThan(200);
    expect(jobs?.rows).toBeLessThan(301);
    const runs = tables.find(({ table }) => table === "runs");
    expect(runs).toMatchObject({ rows: 301, isWhole: true });
    expect(runs?.orphans).toBe(301 - (jobs?.rows ?? 0));
    expect(await statesOf("slogan", "slogan 299")).toEqual(["running", "queued"]);
  });

  it("leaves a store alone of which nothing can be read", () => {
    writeFileSync(path, "");
    const nothing = { code: "store-damaged", message: expect.stringContaining("nothing in the") };
    expect(() => recoverStore(path)).toThrow(expect.objectContaining(nothing));
    expect(readdirSync(folder)).toEqual(["signoff.db"]);
  });

  it("leaves a file alone that is no database", () => {
    writeFileSync(path, "# Notes of the podcast\n".repeat(500));
    expect(() => recoverStore(path)).toThrow(expect.objectContaining({ code: "store-damaged" }));
    expect(readFileSync(path, "utf8")).toMatch(/^# Notes/u);
    expect(readdirSync(folder)).toEqual(["signoff.db"]);
  });
});

/** Overwrites a leaf page in the middle of a table, or the last page of the file. */
function damage(from: string, to: string, table?: string): void {
  const database = new Database(from);
  database.pragma("wal_checkpoint(TRUNCATE)");
  const pages = database
    .prepare("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno")
    .pluck()
    .all(table ?? "calls") as readonly number[];
  const size = database.pragma("page_size", { simple: true }) as number;
  database.close();
  const bytes = readFileSync(from);
  const page = pages[Math.floor(pages.length / 2)] ?? 1;
  bytes.fill(0xff, (page - 1) * size, page * size);
  writeFileSync(to, bytes);
}
