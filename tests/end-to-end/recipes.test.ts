import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inFolder, runSignoff } from "../support/signoff-process.ts";

const texts = [
  ...["release_note", "readme_intro", "product_description", "email", "abstract"],
  ...["pull_request", "changelog_entry", "slogan"],
];

it("a recipe is begun, checked and tried by the commands that are printed", async () => {
  await inFolder(async (cwd) => {
    const run = (...args: string[]) => runSignoff(args, { cwd });
    const made = await run("recipes", "new", "press_release", "--like", "release_note");
    expect(made.code).toBe(0);
    const file = join("signoff", "recipes", "press_release.md");
    expect(made.stdout).toContain(`  signoff recipes check ${file}\n`);
    expect(made.stdout).toContain("  signoff recipes try press_release 'what it is about'\n");
    const text = await readFile(join(cwd, file), "utf8");
    expect(text).toMatch(/^---\nid: press_release\ntitle: "Press release"\n/u);
    expect(await run("recipes", "check", file)).toMatchObject({ code: 0 });
    const tried = await run("recipes", "try", "press_release", "a night train to Lisbon");
    expect(tried.code).toBe(0);
    expect(tried.stdout).toContain("decided by a built-in");
    expect(tried.stdout).not.toMatch(/^ {2}(?:record|next) /mu);
    expect(existsSync(join(cwd, ".signoff"))).toBe(false);
    expect(await run("recipes", "new", "press_release")).toMatchObject({ code: 2 });
    expect(await run("recipes", "new", "Press Release")).toMatchObject({ code: 2 });
    expect(await run("recipes", "new", "plain_one")).toMatchObject({ code: 0 });
    expect(await run("recipes", "check")).toMatchObject({ code: 0 });
  });
});

it("every fault of a recipe is reported on one line, with its place", async () => {
  await inFolder(async (cwd) => {
    const checks = ["  - { kind: max_len }", '  - { kind: pattern, pattern: "(", message: m }'];
    const front = ["---", "id: x", "title: X", "max_turns: 99", "checks:"];
    const body = ["---", "## Writer", "Write.", "## Reviewer", "Judge."];
    await writeFile(join(cwd, "x.md"), [...front, ...checks, ...body].join("\n"));
    const wrong = await runSignoff(["recipes", "check", "x.md"], { cwd });
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("x.md:4:1 max_turns: must be at most 10\n");
    expect(wrong.stderr).toContain("x.md:6:7 checks[0].kind: must be max_length,");
    const other = [...front.slice(0, 3), "checks:", checks[1], ...body].join("\n");
    await writeFile(join(cwd, "x.md"), other);
    const pattern = await runSignoff(["recipes", "check", "x.md"], { cwd });
    expect(pattern.stderr).toContain("x.md:5 checks[0].pattern: is not a pattern");
    const missing = await runSignoff(["recipes", "check", "nowhere.md"], { cwd });
    expect(missing.stderr.replace(/\s+/gu, " ")).toContain(
      "There is no file nowhere.md. Give the path of a text file.",
    );
  });
});

it.each(texts)("the stand-ins can show what %s is", async (recipe) => {
  await inFolder(async (cwd) => {
    const tried = await runSignoff(["recipes", "try", recipe, "--json"], { cwd });
    expect(tried.code).toBe(0);
    expect(JSON.parse(tried.stdout)).toMatchObject({ recipe, outcome: "approved" });
  });
});
