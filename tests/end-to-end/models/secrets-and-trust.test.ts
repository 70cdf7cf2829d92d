import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sendJson } from "../../support/loopback-server.ts";
import { openModelServer } from "../../support/model-servers.ts";
import { compatibleWire, openAiWire, secretKey } from "../../support/provider-wires.ts";
import { type EndedProcess, inFolder, runSignoff } from "../../support/signoff-process.ts";
import { smallProgram } from "../../support/small-programs.ts";

const bottles = "eco-friendly water bottles";

/** Every byte under a folder. */
async function bytesIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map((file) => readFile(join(file.parentPath, file.name), "latin1"));
  return (await Promise.all(texts)).join("\n");
}

describe("a key", () => {
  it("appears in no file, log, event, export or error, whatever the server says back", async () => {
    await inFolder(async (cwd) => {
      const server = await openModelServer({
        wire: openAiWire,
        story: {
          writer: [`Hydrate ${secretKey}`, "Hydrate Green"],
          reviewer: [`No ${secretKey}`, "SHIP IT!"],
        },
        instead: ({ number }, response) => {
          if (number !== 2) return false;
          sendJson(response, 500, openAiWire.error(`your key is ${secretKey}`, secretKey));
          return true;
        },
      });
      const env = {
        ...{ OPENAI_BASE_URL: server.url, OPENAI_API_KEY: secretKey },
        SIGNOFF_FIXED_TIME: "2026-11-15T12:00:00.000Z",
      };
      const said: EndedProcess[] = [];
      const run = async (...args: string[]) => {
        const ended = await runSignoff(args, { cwd, env });
        said.push(ended);
        return ended;
      };
      const logs = ["--log-level", "debug", "--metrics-file", "metrics.prom"];
      const drafted = await run("draft", bottles, "--model", "openai/gpt-4o", "--verbose", ...logs);
      expect(drafted.code).toBe(0);
      const [id = ""] = await readdir(join(cwd, ".signoff", "runs"));
      expect((await run("runs", "export", id)).stdout).toContain("[redacted]");
      await run("runs", "show", id, "--json");
      await run("config", "show");
      await run("models", "--json");
      await run("inbox", "--json");
      expect(server.asked[0]?.seen.headers.authorization).toBe(`Bearer ${secretKey}`);
      expect(await readFile(join(cwd, ".signoff", "signoff.log"), "utf8")).toContain("call-failed");
      expect(await bytesIn(cwd)).not.toContain(secretKey);
      expect(JSON.stringify(said)).not.toContain(secretKey);
    });
  });

  it("that is refused is never shown", async () => {
    await inFolder(async (cwd) => {
      const server = await openModelServer({
        wire: openAiWire,
        instead: (_, response) => {
          sendJson(response, 401, openAiWire.error(`Incorrect API key provided: ${secretKey}`));
          return true;
        },
      });
      const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: secretKey };
      const args = ["draft", bottles, "--model", "openai/gpt-4o", "--debug"];
      const ended = await runSignoff(args, { cwd, env });
      expect(ended.code).toBe(5);
      expect(server.asked).toHaveLength(1);
      expect(`${ended.stdout}${ended.stderr}`).toContain("OPENAI_API_KEY");
      expect(`${ended.stdout}${ended.stderr}${await bytesIn(cwd)}`).not.toContain(secretKey);
    });
  });
});

describe("a cloned project", () => {
  it("runs no program and sends no key before trust, and both after it", async () => {
    await inFolder(async (cwd) => {
      const mark = join(cwd, "owned");
      const program = await smallProgram(`: > ${mark}\necho "SHIP IT!"`);
      const server = await openModelServer({ wire: compatibleWire });
      await writeFile(
        join(cwd, "signoff.yaml"),
        [
          "version: 1",
          "models: { writer: compatible/lab/bottle-7b, reviewer: command/judge }",
          `providers: { compatible: { lab: { base_url: "${server.url}/v1", api_key_env: LAB_KEY } } }`,
          `commands: { judge: { argv: ["${program}"] } }`,
        ].join("\n"),
      );
      const env = { LAB_KEY: secretKey };
      const run = (...args: string[]) => runSignoff(args, { cwd, env });
      for (const args of [
        ["draft", bottles],
        ["draft", bottles, "--model", "command/judge"],
        ["draft", bottles, "--reviewer", "x=compatible/lab/bottle-7b"],
      ]) {
        const ended = await run(...args);
        expect(ended).toMatchObject({ code: 2, stdout: "" });
        expect(ended.stderr).toContain("signoff trust");
      }
      await run("models");
      await run("recipes", "list");
      const shown = await run("trust");
      expect(shown.code).toBe(3);
      expect(shown.stdout).toContain("LAB_KEY");
      expect(shown.stdout).toContain(JSON.stringify(program).slice(1, 20));
      expect(server.seen).toEqual([]);
      expect(existsSync(mark)).toBe(false);
      expect(await run("trust", "--yes")).toMatchObject({ code: 0 });
      expect(await run("draft", bottles)).toMatchObject({ code: 0 });
      expect(existsSync(mark)).toBe(true);
      expect(server.asked[0]?.seen.headers.authorization).toBe(`Bearer ${secretKey}`);
    });
  });

  it("cannot name a program in a recipe or in .env", async () => {
    await inFolder(async (cwd) => {
      await writeFile(join(cwd, ".env"), "SIGNOFF_MODEL=command/claude\n");
      const ended = await runSignoff(["draft", bottles], { cwd });
      expect(ended).toMatchObject({ code: 2, stdout: "" });
      expect(ended.stderr).toContain("command/claude");
      await rm(join(cwd, ".env"));
      const folder = join(cwd, "signoff", "recipes");
      await mkdir(folder, { recursive: true });
      const { stdout: slogan } = await runSignoff(["recipes", "show", "slogan"], { cwd });
      const named = slogan.replace("writer: { ", "writer: { model: command/claude, ");
      expect(named).not.toBe(slogan);
      await writeFile(join(folder, "slogan.md"), named);
      const byRecipe = await runSignoff(["draft", bottles], { cwd });
      expect(byRecipe).toMatchObject({ code: 2, stdout: "" });
      expect(byRecipe.stderr).toContain("command/claude");
    });
  });
});
