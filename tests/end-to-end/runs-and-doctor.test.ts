import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { holdSignoffAt } from "../support/held-process.ts";
import { treeOf } from "../support/run-evidence.ts";
import {
  inFolder,
  listRuns,
  runSignoff,
  standIns,
  writeScript,
} from "../support/signoff-process.ts";
import { operateOnStore } from "../support/store-surgery.ts";

const bottles = "eco-friendly water bottles";
const twoTurns = {
  creator: ["Hydrate Green, Live Clean", "Hydrate Green, Save Our Seas"],
  reviewer: ["Good rhythm but vague. Be specific about impact.", "SHIP IT!"],
};

async function withFinishedRun(
  story: (cwd: string, run: string, folder: string) => Promise<void>,
): Promise<void> {
  await inFolder(async (cwd) => {
    const args = ["draft", bottles, "--script", await writeScript(cwd, twoTurns), "--quiet"];
    expect(await runSignoff(args, { cwd })).toMatchObject({ code: 0 });
    const [run] = await listRuns({ cwd });
    const id = run?.run_id ?? "";
    await story(cwd, id, join(cwd, ".signoff", "runs", id));
  });
}

async function withKilledRun(story: (cwd: string, run: string) => Promise<void>): Promise<void> {
  await inFolder(async (cwd) => {
    const args = ["draft", bottles, "--script", await writeScript(cwd, twoTurns)];
    await runSignoff(args, { cwd, env: { SIGNOFF_STOP_AT: "reply-recorded:3" } });
    const [run] = await listRuns({ cwd });
    await story(cwd, run?.run_id ?? "");
  });
}

describe("runs", () => {
  it("are listed newest first, and shown by the first characters of their id", async () => {
    await withFinishedRun(async (cwd, run) => {
      await runSignoff(["draft", "a night train", "--max-turns", "1", ...standIns], { cwd });
      const titles = (await listRuns({ cwd })).map(({ title }) => title);
      expect(titles).toEqual(["a night train", bottles]);
      const shown = await runSignoff(["runs", "show", run.slice(0, 13)], { cwd });
      expect(shown.code).toBe(0);
      for (const text of [...twoTurns.creator, "Approved after 2 turns"]) {
        expect(shown.stdout).toContain(text);
      }
      const why = await runSignoff(["runs", "show", run, "--why"], { cwd });
      expect(why.stdout).toContain("reviewer_ok_and_creator_done");
      const json = await runSignoff(["runs", "show", run, "--json"], { cwd });
      expect(JSON.parse(json.stdout)).toMatchObject({ run_id: run, turn_count: 2 });
      const several = await runSignoff(["runs", "show", ""], { cwd });
      expect(several).toMatchObject({ code: 2 });
      for (const act of ["resume", "cancel"]) {
        const over = await runSignoff(["runs", act, run], { cwd });
        expect(over).toMatchObject({ code: 2, stdout: "" });
        expect(over.stderr).toContain("is finished");
      }
    });
  });

  it("begin anew after a finished one, and only then, unless --new says so", async () => {
    await withKilledRun(async (cwd, run) => {
      const args = ["draft", bottles, "--script", "replies.json"];
      const anew = await runSignoff([...args, "--new"], { cwd });
      expect(anew.code).toBe(0);
      expect((await listRuns({ cwd })).map(({ state }) => state).sort()).toEqual([
        "finished",
        "interrupted",
      ]);
      const again = await runSignoff(args, { cwd });
      expect(again.stderr.replace(/\s+/gu, " ")).toContain(`Resuming unfinished run ${run}`);
      await runSignoff(args, { cwd });
      expect(await listRuns({ cwd })).toHaveLength(3);
    });
  });

  it("stop when another version asks differently, and go on once that is accepted", async () => {
    await withKilledRun(async (cwd, run) => {
      operateOnStore(cwd, "UPDATE calls SET digest = 'asked by an older version'");
      const resume = ["runs", "resume", run, "--json"];
      const refused = await runSignoff(resume, { cwd });
      expect(refused.code).toBe(2);
      expect(JSON.parse(refused.stdout)).toMatchObject({
        completion_reason: "error",
        turn_count: 1,
      });
      const reported = await runSignoff(["runs", "resume", run], { cwd });
      expect(reported.stdout).toContain("--accept-changes");
      const accepted = await runSignoff([...resume, "--accept-changes"], { cwd });
      expect(accepted.code).toBe(0);
      expect(JSON.parse(accepted.stdout)).toMatchObject({
        completion_reason: "approved",
        usage: { calls: 4, replayed: 3 },
      });
    });
  });

  it("keep the recipe they began with; a changed one is another question", async () => {
    await inFolder(async (cwd) => {
      const recipe = await readFile("recipes/slogan.md", "utf8");
      const ownRecipe = join(cwd, "signoff", "recipes", "slogan.md");
      const saveRecipe = (turns: number) =>
        writeFile(ownRecipe, recipe.replace("max_turns: 5", `max_turns: ${turns}`));
      await mkdir(dirname(ownRecipe), { recursive: true });
      await saveRecipe(3);
      const args = ["draft", bottles, "--script", await writeScript(cwd, twoTurns), "--json"];
      await runSignoff(args, { cwd, env: { SIGNOFF_STOP_AT: "reply-recorded:3" } });
      const [killed] = await listRuns({ cwd });
      await saveRecipe(4);
      const other = await runSignoff(args, { cwd });
      expect(JSON.parse(other.stdout)).toMatchObject({ max_turns: 4, usage: { replayed: 0 } });
      const { stdout } = await runSignoff(["runs", "resume", killed?.run_id ?? "", "--json"], {
        cwd,
      });
      expect(JSON.parse(stdout)).toMatchObject({
        run_id: killed?.run_id,
        max_turns: 3,
        completion_reason: "approved",
        usage: { replayed: 3 },
      });
    });
  });

  it("that cannot be read any more fail, and are never taken for accepted", async () => {
    await withKilledRun(async (cwd, run) => {
      operateOnStore(cwd, "UPDATE jobs SET input = '{}', input_text = NULL; DELETE FROM events;");
      const resumed = await runSignoff(["runs", "resume", run], { cwd });
      expect(resumed.code).not.toBe(0);
      expect(resumed.stderr).not.toBe("");
    });
  });
});

describe("doctor", () => {
  it("has nothing to say in an empty folder, and makes nothing there", async () => {
    await inFolder(async (cwd) => {
      expect(await runSignoff(["doctor"], { cwd })).toMatchObject({ code: 0 });
      expect(await readdir(cwd)).toEqual([]);
    });
  });

  it("finds changed and missing record files and writes them again", async () => {
    await withFinishedRun(async (cwd, run, folder) => {
      const before = await treeOf(folder);
      await writeFile(join(folder, "approved.txt"), "Buy anything\n");
      await rm(join(folder, "turn_01.json"));
      const found = await runSignoff(["doctor", "--json"], { cwd });
      expect(found.code).toBe(1);
      expect(JSON.parse(found.stdout)).toMatchObject({
        findings: expect.arrayContaining([
          expect.objectContaining({ level: "error", text: expect.stringContaining(run) }),
        ]),
      });
      for (const name of ["approved.txt", "turn_01.json"]) expect(found.stdout).toContain(name);
      expect(await readFile(join(folder, "approved.txt"), "utf8")).toBe("Buy anything\n");
      expect(await runSignoff(["doctor", "--repair"], { cwd })).toMatchObject({ code: 0 });
      expect(await treeOf(folder)).toEqual(before);
      expect(await runSignoff(["doctor"], { cwd })).toMatchObject({ code: 0 });
    });
  });

  it("does not take the files of a run in progress for different ones", async () => {
    await inFolder(async (cwd) => {
      const args = ["draft", bottles, "--script", await writeScript(cwd, twoTurns), "--quiet"];
      const held = await holdSignoffAt("files-prepared", args, { cwd });
      expect(await runSignoff(["doctor"], { cwd })).toMatchObject({ code: 0 });
      await held.release();
      expect(await held.ended).toMatchObject({ code: 0 });
    });
  });

  it("writes the whole record again when its folder is gone", async () => {
    await withFinishedRun(async (cwd, _run, folder) => {
      const before = await treeOf(folder);
      await rm(folder, { recursive: true });
      expect(await runSignoff(["doctor"], { cwd })).toMatchObject({ code: 1 });
      expect(await runSignoff(["doctor", "--repair"], { cwd })).toMatchObject({ code: 0 });
      expect(await treeOf(folder)).toEqual(before);
    });
  });
});
