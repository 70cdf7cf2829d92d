import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runId } from "../../../domain/values/ids.ts";
import { WorkflowError } from "../../../domain/values/workflow-error.ts";
import { heldRun, sloganRun } from "../../../testing/run-store-stories.ts";
import { openStore } from "./open-store.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "signoff-open-"));
  path = join(folder, "shop", ".signoff", "signoff.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("opening a store", () => {
  it("for writing makes the folder and keeps it out of git", () => {
    openStore({ path, mode: "write" }).close();
    expect(readFileSync(join(folder, "shop", ".signoff", ".gitignore"), "utf8")).toBe("*\n");
    expect(readdirSync(join(folder, "shop", ".signoff"))).toEqual([".gitignore", "signoff.db"]);
  });

  it("adds nothing to a folder that was there", () => {
    mkdirSync(join(folder, "shop"));
    openStore({ path: join(folder, "shop", "own.db"), mode: "write" }).close();
    expect(readdirSync(join(folder, "shop"))).toEqual(["own.db"]);
  });

  it("ends where a folder takes no others", () => {
    const place = { path: "/proc/signoff/shop/signoff.db", mode: "write" } as const;
    expect(() => openStore(place)).toThrow("the store cannot be opened or written");
  });

  it("for reading creates nothing and says when there is no store", () => {
    expect(openStore({ path, mode: "read" })).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("for reading shows the runs, refuses writes and leaves nothing behind", async () => {
    const writer = openStore({ path, mode: "write" });
    await heldRun(writer.runs, "slogan");
    writer.close();
    const reader = openStore({ path, mode: "read" });
    expect((await reader?.runs.load(runId("slogan")))?.state).toBe("running");
    await expect(reader?.runs.create(sloganRun("second"))).rejects.toMatchObject({
      code: "store-unwritable",
    });
    reader?.close();
    reader?.close();
    expect(readdirSync(join(folder, "shop", ".signoff"))).toEqual([".gitignore", "signoff.db"]);
  });

  it("refuses a file that is not a database and leaves it unchanged", () => {
    path = join(folder, "notes.db");
    writeFileSync(path, "# Notes of the podcast\n".repeat(500));
    for (const mode of ["read", "write"] as const) {
      expect(() => openStore({ path, mode: mode as "write" })).toThrow(
        expect.objectContaining({ code: "store-damaged" }),
      );
    }
    expect(readFileSync(path, "utf8")).toMatch(/^# Notes/);
  });

  it("refuses the database of another program", () => {
    path = join(folder, "photos.db");
    new Database(path).exec("CREATE TABLE photos (name TEXT)").close();
    const message = `the database is not a signoff store: ${path}`;
    expect(() => openStore({ path, mode: "write" })).toThrow(
      expect.objectContaining({ code: "store-foreign", facts: { path }, message }),
    );
  });

  it("refuses a store of a newer version by name, for reading and for writing", () => {
    openStore({ path, mode: "write" }).close();
    const database = new Database(path);
    const names = ["m9998_soon", "m9999_from_the_future"];
    for (const name of names)
      database.prepare("INSERT INTO schema_migrations (name) VALUES (?)").run(name);
    database.close();
    for (const mode of ["read", "write"] as const) {
      const open = () => openStore({ path, mode: mode as "write" });
      expect(open).toThrow(WorkflowError);
      expect(open).toThrow(`: ${path} has m9998_soon, m9999_from_the_future`);
      const facts = { path, migrations: names };
      expect(open).toThrow(expect.objectContaining({ code: "store-newer", facts }));
    }
  });

  it("refuses a store that was emptied beside records of runs, and takes an empty file for a new one", async () => {
    openStore({ path, mode: "write" }).close();
    const runs = join(folder, "shop", ".signoff", "runs");
    mkdirSync(runs);
    openStore({ path, mode: "write" }).close();
    writeFileSync(path, "");
    openStore({ path, mode: "write" }).close();
    writeFileSync(join(runs, "slogan.json"), "{}");
    openStore({ path, mode: "read" })?.close();
    writeFileSync(path, "");
    for (const mode of ["read", "write"] as const) {
      expect(() => openStore({ path, mode: mode as "write" })).toThrow(
        expect.objectContaining({
          code: "store-emptied",
          message: `the store is empty, though there are records of runs: ${path}`,
        }),
      );
    }
    expect(readFileSync(path, "utf8")).toBe("");
  });

  it("makes a store that others can read private, in a folder of ours only", () => {
    openStore({ path, mode: "write" }).close();
    chmodSync(path, 0o644);
    chmodSync(dirname(path), 0o755);
    openStore({ path, mode: "write" }).close();
    const modeOf = (place: string) => (statSync(place).mode & 0o777).toString(8);
    expect([path, dirname(path)].map(modeOf)).toEqual(["600", "700"]);
    const own = join(folder, "own.db");
    writeFileSync(own, "", { mode: 0o644 });
    openStore({ path: own, mode: "write" }).close();
    expect(modeOf(own)).toBe("644");
  });

  it("leaves the mode of a store that only its owner can read", () => {
    openStore({ path, mode: "write" }).close();
    chmodSync(path, 0o700);
    openStore({ path, mode: "write" }).close();
    expect((statSync(path).mode & 0o777).toString(8)).toBe("700");
  });

  it("uses a folder that someone else makes after it was found missing", () => {
    const shop = join(folder, "shop");
    // Missing when looked for; making the folders on the way to it makes it, too.
    openStore({ path: `${shop}/../shop/own.db`, mode: "write" }).close();
    expect(readdirSync(shop)).toEqual(["own.db"]);
  });

  it("says so when the folder cannot be made", () => {
    writeFileSync(join(folder, "shop"), "a file in the way");
    const facts = { path: dirname(path), cause: "ENOTDIR" };
    expect(() => openStore({ path, mode: "write" })).toThrow(
      expect.objectContaining({ code: "store-unwritable", facts }),
    );
    expect(existsSync(path)).toBe(false);
  });

  it("says so when another process does not let go of the store", async () => {
    const store = openStore({ path, mode: "write", busyMillis: 20 });
    const other = new Database(path);
    other.exec("BEGIN IMMEDIATE");
    await expect(store.runs.create(sloganRun("slogan"))).rejects.toMatchObject({
      code: "store-busy",
      retryable: true,
    });
    other.exec("ROLLBACK");
    other.close();
    expect((await store.runs.create(sloganRun("slogan"))).state).toBe("queued");
    store.close();
  });
});
