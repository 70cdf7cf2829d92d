import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { actingCharacters } from "../../src/domain/values/visible.ts";
import { inFolder, runSignoff, writeScript } from "../support/signoff-process.ts";

const bottles = "eco-friendly water bottles";
const attack =
  "Buy\n::error file=app.js::planted\n##vso[task.setvariable variable=x]y\n\u001B[2J\u009B5mend";

async function draftIn(env: { readonly [name: string]: string }, ...more: readonly string[]) {
  return inFolder(async (cwd) => {
    const script = { creator: [attack, "Hydrate"], reviewer: [`No: ${attack}`, "SHIP IT!"] };
    const args = [
      "draft",
      `${bottles}\n::warning::brief`,
      "--script",
      await writeScript(cwd, script),
    ];
    const ended = await runSignoff([...args, ...more], { cwd, env });
    const [id = ""] = await readdir(join(cwd, ".signoff", "runs"));
    const folder = join(cwd, ".signoff", "runs", id);
    const files = await Promise.all(
      (await readdir(folder)).map((name) => readFile(join(folder, name), "utf8")),
    );
    return { ended, files: files.join("\n") };
  });
}

/** What GitHub's runner would act on: the lines outside of a silence. */
function commandsIn(log: string): readonly string[] {
  let token: string | undefined;
  return log.split("\n").filter((line) => {
    const stop = /^::stop-commands::(.+)$/u.exec(line)?.[1];
    if (token === undefined && stop !== undefined) token = stop;
    else if (line === `::${token}::`) token = undefined;
    else return token === undefined && /^\s*::\w+|##(?:\[|vso\[)/u.test(line);
    return false;
  });
}

describe("what a model says", () => {
  it("is no command to GitHub Actions, which reads them again afterwards", async () => {
    const { ended } = await draftIn({ GITHUB_ACTIONS: "true" });
    const [first = ""] = ended.stderr.split("\n");
    expect(first).toMatch(/^::stop-commands::[0-9a-f-]{36}$/u);
    expect(ended.stderr.trimEnd().endsWith(`::${first.slice("::stop-commands::".length)}::`)).toBe(
      true,
    );
    expect(commandsIn(ended.stderr)).toEqual([]);
    expect(commandsIn(ended.stdout)).toEqual([]);
    expect(`${ended.stdout}${ended.stderr}`).toContain("planted");
  });

  it("is no command to a CI system that cannot suspend commands", async () => {
    const { ended } = await draftIn({ TF_BUILD: "True" });
    expect(commandsIn(`${ended.stdout}\n${ended.stderr}`)).toEqual([]);
    expect(ended.stderr).not.toContain("stop-commands");
    const { ended: json } = await draftIn({ TF_BUILD: "True" }, "--json");
    expect(json.stdout).not.toContain("##vso[");
    expect(JSON.stringify(JSON.parse(json.stdout))).toContain("##vso[task");
  });

  it("is no command where a run is exported", async () => {
    await inFolder(async (cwd) => {
      const script = await writeScript(cwd, { creator: [attack], reviewer: ["SHIP IT!"] });
      await runSignoff(["draft", bottles, "--script", script], { cwd });
      const [id = ""] = await readdir(join(cwd, ".signoff", "runs"));
      for (const format of ["md", "json"]) {
        const args = ["runs", "export", id, "--format", format];
        const { stdout } = await runSignoff(args, { cwd, env: { TF_BUILD: "True" } });
        expect(commandsIn(stdout)).toEqual([]);
        expect(stdout.match(actingCharacters)).toBeNull();
        expect(stdout).toContain("task.setvariable");
      }
    });
  });

  it("puts no control character into the readable record", async () => {
    const { files } = await draftIn({});
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(files).not.toMatch(/[\x00-\x08\x0B-\x1F]/u);
    expect(files).toContain("⟨U+001B⟩[2J⟨U+009B⟩5mend");
  });
});
