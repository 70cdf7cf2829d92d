import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { atTerminal, keys } from "../support/at-terminal.ts";
import { inFolder, runSignoff } from "../support/signoff-process.ts";

/** A draft that ended without approval, and the commands that the inbox prints for it. */
async function unsigned(cwd: string): Promise<readonly string[]> {
  const replies = { creator: ["Sleep to Lisbon"], reviewer: ["Say how one gets there."] };
  writeFileSync(join(cwd, "replies.json"), JSON.stringify(replies));
  const script = ["--model", "script:replies.json", "--reviewer-model", "script:replies.json"];
  await runSignoff(["draft", "a night train", ...script, "--max-turns", "1"], { cwd });
  const { stdout } = await runSignoff(["inbox"], { cwd });
  return [...stdout.matchAll(/signoff (runs (?:approve|request-changes|edit) .*)$/gmu)].map(
    ([, command = ""]) => command.trim(),
  );
}

it("the inbox prints commands that ask at a terminal for what a person has to say", () =>
  inFolder(async (cwd) => {
    const [approve = ""] = await unsigned(cwd);
    expect(approve).toMatch(/^runs approve [\w-]+$/u);
    const sitting = await atTerminal(approve.split(" "), { cwd }, [
      { seen: "Why do you approve this text?", press: [..."It rhymes", keys.enter] },
    ]);
    expect(sitting.code).toBe(0);
    const run = approve.split(" ").at(-1) ?? "";
    const { stdout } = await runSignoff(["runs", "show", run, "--json"], { cwd });
    expect(stdout).toContain("It rhymes");
  }));

it("without a terminal they name what is missing and change nothing", () =>
  inFolder(async (cwd) => {
    const commands = await unsigned(cwd);
    expect(commands).toHaveLength(3);
    const flags = ["--reason", "--comment", "--text"];
    for (const [at, command] of commands.entries()) {
      const ran = await runSignoff(command.split(" "), { cwd });
      expect(ran.code).toBe(2);
      expect(ran.stderr).toContain(`${flags[at]} is missing`);
      expect(ran.stderr.replace(/\s+/gu, " ")).toContain("at a terminal the command asks");
    }
    expect((await runSignoff(["inbox"], { cwd })).stdout).toContain("runs approve");
  }));

it("a text of one's own may come from a file", () =>
  inFolder(async (cwd) => {
    const edit = (await unsigned(cwd))[2]?.split(" ") ?? [];
    writeFileSync(join(cwd, "mine.txt"), "Wake up in Lisbon\n");
    const ran = await runSignoff([...edit, "--file", "mine.txt", "--json"], { cwd });
    expect(ran.stdout).toContain("Wake up in Lisbon");
    const both = await runSignoff([...edit, "--file", "mine.txt", "--text", "x"], { cwd });
    expect(both).toMatchObject({ code: 2 });
  }));
