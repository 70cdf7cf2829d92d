import { mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  inFolder,
  listRuns,
  runSignoff,
  standIns,
  writeScript,
} from "../support/signoff-process.ts";
import { operateOnStore } from "../support/store-surgery.ts";

const bottles = "eco-friendly water bottles";
const approvedAtOnce = { creator: ["Hydrate Green, Save Our Seas"], reviewer: ["SHIP IT!"] };
const everyCommand = [
  ["draft", bottles, ...standIns],
  ["runs", "list"],
  ["runs", "show", "3f"],
  ["doctor"],
];

/** One paragraph that names the file and a way on, whatever the command. */
async function expectRefusal(cwd: string, args: readonly string[], code: number): Promise<void> {
  const refused = await runSignoff(args, { cwd });
  expect(refused, args.join(" ")).toMatchObject({ code, stdout: "", signal: null });
  const said = refused.stderr.replace(/\s+/gu, " ");
  expect(said).toContain(".signoff");
  expect(said).toMatch(/Check|Move|Update|Restore|Name|Put/u);
  expect(said).not.toMatch(/ at .*\.js|bug in signoff/u);
}

describe("a project whose store is not one", () => {
  it("has a file where the folder belongs", async () => {
    await inFolder(async (cwd) => {
      await writeFile(join(cwd, ".signoff"), "a note to myself");
      await expectRefusal(cwd, ["draft", bottles, ...standIns], 5);
      expect(await readFile(join(cwd, ".signoff"), "utf8")).toBe("a note to myself");
    });
  });

  it("has a folder where the store belongs", async () => {
    await inFolder(async (cwd) => {
      await mkdir(join(cwd, ".signoff", "signoff.db"), { recursive: true });
      for (const args of everyCommand) await expectRefusal(cwd, args, 5);
    });
  });

  it("has garbage in the store, which stays as it is", async () => {
    await inFolder(async (cwd) => {
      const path = join(cwd, ".signoff", "signoff.db");
      await mkdir(join(cwd, ".signoff"));
      const garbage = "this was a shopping list, once".repeat(400);
      await writeFile(path, garbage);
      for (const args of everyCommand) await expectRefusal(cwd, args, 5);
      expect(await readFile(path, "utf8")).toBe(garbage);
    });
  });

  it("has a store that was cut short", async () => {
    await inFolder(async (cwd) => {
      await runSignoff(["draft", bottles, ...standIns], { cwd });
      await truncate(join(cwd, ".signoff", "signoff.db"), 8_192 + 100);
      for (const args of everyCommand) {
        const reported = await runSignoff(args, { cwd });
        expect(reported.code, `${args.join(" ")}: ${reported.stderr}`).toBe(5);
        expect(reported.stderr).not.toMatch(/bug in signoff/u);
      }
    });
  });

  it("has the store of a newer version", async () => {
    await inFolder(async (cwd) => {
      await runSignoff(["draft", bottles, ...standIns], { cwd });
      operateOnStore(cwd, "INSERT INTO schema_migrations (name) VALUES ('m9999_from_tomorrow')");
      for (const args of everyCommand) await expectRefusal(cwd, args, 5);
    });
  });

  it("has the database of another program", async () => {
    await inFolder(async (cwd) => {
      await mkdir(join(cwd, ".signoff"));
      operateOnStore(cwd, "CREATE TABLE recipes_of_grandmother (name TEXT)");
      for (const args of everyCommand) await expectRefusal(cwd, args, 5);
    });
  });

  it("has a store that lost a table", async () => {
    await inFolder(async (cwd) => {
      await runSignoff(["draft", bottles, ...standIns], { cwd });
      operateOnStore(cwd, "PRAGMA foreign_keys = OFF; DROP TABLE attempts");
      await expectRefusal(cwd, ["runs", "list"], 5);
      await expectRefusal(cwd, ["draft", bottles, ...standIns], 5);
    });
  });

  it.each([
    ["a job", 'UPDATE jobs SET input = \'{"brief": "hyd\' WHERE input IS NOT NULL'],
    ["an event", "UPDATE events SET data = '\u0001' WHERE data IS NOT NULL"],
    ["the form of an event", `UPDATE events SET data = '{"turn":"one"}' WHERE data IS NOT NULL`],
    ["settings", "UPDATE jobs SET settings = '{'"],
  ])("has flipped bits in %s", async (_, sql) => {
    await inFolder(async (cwd) => {
      await runSignoff(["draft", bottles, ...standIns], { cwd });
      const [run] = await listRuns({ cwd });
      operateOnStore(cwd, sql);
      for (const args of [
        ["runs", "show", run?.run_id ?? ""],
        ["runs", "export", run?.run_id ?? ""],
      ]) {
        const reported = await runSignoff(args, { cwd });
        expect(reported.code, reported.stderr).toBe(5);
        expect(reported.stderr.replace(/\s+/gu, " ")).toMatch(
          /store is damaged.*store re(?:cover|store)/u,
        );
      }
    });
  });

  it("has a store that was emptied, which is not taken for a new one", async () => {
    await inFolder(async (cwd) => {
      await runSignoff(["draft", bottles, ...standIns], { cwd });
      await truncate(join(cwd, ".signoff", "signoff.db"), 0);
      for (const args of everyCommand) await expectRefusal(cwd, args, 5);
      await rm(join(cwd, ".signoff", "signoff.db"));
      expect(await runSignoff(["draft", bottles, ...standIns, "--new"], { cwd })).toMatchObject({
        code: 0,
      });
    });
  });

  it("has a link in its place that leads out of the project", async () => {
    await inFolder(async (outside) => {
      await inFolder(async (cwd) => {
        await symlink(outside, join(cwd, ".signoff"));
        for (const args of everyCommand) await expectRefusal(cwd, args, 5);
        await rm(join(cwd, ".signoff"));
        await mkdir(join(cwd, ".signoff"));
        for (const name of ["runs", "locks", "signoff.db-wal", "signoff.log"]) {
          const link = join(cwd, ".signoff", name);
          await symlink(join(outside, name), link);
          const draft = ["draft", bottles, ...standIns, "--log-level", "info"];
          await expectRefusal(cwd, draft, 5);
          await rm(link);
        }
        expect(await readdir(outside)).toEqual([]);
      });
    });
  });

  it("is readable by its owner alone, also where an older version made it", async () => {
    await inFolder(async (cwd) => {
      await mkdir(join(cwd, ".signoff"), { mode: 0o755 });
      await writeFile(join(cwd, ".signoff", "signoff.db"), "", { mode: 0o644 });
      await runSignoff(["draft", bottles, ...standIns], { cwd });
      const found = await readdir(join(cwd, ".signoff"), { recursive: true });
      for (const name of ["", ...found]) {
        const { mode } = await stat(join(cwd, ".signoff", name));
        if (name !== ".gitignore") expect(mode & 0o077, name).toBe(0);
      }
    });
  });

  it("cannot write its records: the replies are kept, and the run goes on when it can", async () => {
    await inFolder(async (cwd) => {
      await mkdir(join(cwd, ".signoff"));
      await writeFile(join(cwd, ".signoff", "runs"), "in the way");
      const args = ["draft", bottles, "--script", await writeScript(cwd, approvedAtOnce)];
      const stuck = await runSignoff([...args, "--json"], { cwd });
      expect(stuck.code).toBe(5);
      expect(stuck.stderr).not.toContain("bug in signoff");
      await rm(join(cwd, ".signoff", "runs"));
      const again = await runSignoff([...args, "--json"], { cwd });
      expect(again.code).toBe(0);
      expect(JSON.parse(again.stdout)).toMatchObject({ usage: { calls: 2, replayed: 2 } });
      expect(await runSignoff(["doctor"], { cwd })).toMatchObject({ code: 0 });
    });
  });
});

describe("a script that is not one", () => {
  it.each([
    ["not JSON", "creator: Hydrate Green"],
    ["a list", "[]"],
    ["a number", "7"],
    ["empty", ""],
    ["of unknown roles", '{"writer": ["Hydrate Green"]}'],
    ["with a reply that is none", '{"creator": [7], "reviewer": []}'],
    ["nested without end", `${'{"creator":['.repeat(50_000)}`],
    ["with a prototype in it", '{"__proto__": {"creator": ["Hydrate Green"]}, "x": 1}'],
    ["that writes files", '{"creator": [{"mutate_files": {"../x": "y"}}], "reviewer": []}'],
    ["of binary", "\u0000\u0001\u0002"],
  ])("%s is refused with its name", async (_title, text) => {
    await inFolder(async (cwd) => {
      await writeFile(join(cwd, "replies.json"), text);
      const refused = await runSignoff(["draft", bottles, "--script", "replies.json"], { cwd });
      expect(refused).toMatchObject({ code: 2, stdout: "" });
      expect(refused.stderr).toContain("replies.json");
    });
  });

  it("that runs out says how many replies it had", async () => {
    await inFolder(async (cwd) => {
      const script = await writeScript(cwd, { creator: ["Hydrate Green"], reviewer: [] });
      const reported = await runSignoff(["draft", bottles, "--script", script], { cwd });
      expect(reported.code).toBe(5);
      expect(reported.stderr).toContain("0 replies");
    });
  });

  it("a folder is refused too", async () => {
    await inFolder(async (cwd) => {
      await mkdir(join(cwd, "replies"));
      const refused = await runSignoff(["draft", bottles, "--script", "replies"], { cwd });
      expect(refused).toMatchObject({ code: 2, stdout: "" });
    });
  });
});
