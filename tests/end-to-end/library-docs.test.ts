import { execFile } from "node:child_process";
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { env as surroundings } from "node:process";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { startDemoAssistant } from "../../src/adapters/assistant/demo/demo-assistant.ts";
import { openModelServer } from "../support/model-servers.ts";
import { compatibleWire } from "../support/provider-wires.ts";
import { inFolder, runSignoff } from "../support/signoff-process.ts";

const root = new URL("../../", import.meta.url).pathname;
const page = readFileSync(join(root, "docs", "library.md"), "utf8");
const blocks = new Map(
  [...page.matchAll(/```js\n\/\/ (\S+)\n([\s\S]*?)```/gu)].map(([, name = "", code = ""]) => [
    name,
    code,
  ]),
);
const run = promisify(execFile);
const bakery = join(root, "examples", "notes-with-gates", "make-repository.sh");

/** Runs a block of the page as a program of its own, with the built library. */
async function printed(name: string, cwd: string, env: Record<string, string> = {}) {
  const code = (blocks.get(name) ?? "")
    .replaceAll('"signoff/testing"', JSON.stringify(builtFile("testing.js")))
    .replaceAll('"signoff"', JSON.stringify(builtFile("index.js")));
  writeFileSync(join(cwd, name), code);
  const { PATH = "" } = surroundings;
  const home = { PATH, HOME: join(cwd, "no-such-home"), SIGNOFF_USER: "Ada" };
  const { stdout } = await run(process.execPath, [name], { cwd, env: { ...home, ...env } });
  return stdout.trim();
}

function builtFile(name: string): string {
  return pathToFileURL(join(root, "dist", "lib", name)).href;
}

it("has a test for every block", () => {
  expect([...blocks.keys()]).toEqual([
    ...["draft.mjs", "material.mjs", "review.mjs", "models.mjs", "store.mjs"],
    ...["episode.mjs", "notes.mjs", "pack.mjs", "stage.mjs"],
  ]);
});

it("drafts with functions", () =>
  inFolder(async (cwd) => {
    expect(await printed("draft.mjs", cwd)).toMatch(/^Sleep to Lisbon \(\d+ characters.* 1$/u);
  }));

it("takes material and a text of one's own", () =>
  inFolder(async (cwd) => {
    const fact = "Version 2 reads briefs from files. It needs Node 22.";
    for (const file of ["brief.md", "CHANGELOG.md"]) writeFileSync(join(cwd, file), fact);
    writeFileSync(join(cwd, "draft.md"), "Version 2 is great.\n");
    expect(await printed("material.mjs", cwd)).toBe("true 19");
  }));

it("reviews without writing", () =>
  inFolder(async (cwd) => {
    expect(await printed("review.mjs", cwd)).toBe("false Say how one gets there.");
  }));

it("takes models of the AI SDK", () =>
  inFolder(async (cwd) => {
    symlinkSync(join(root, "node_modules"), join(cwd, "node_modules"));
    const story = { writer: ["Refill the sea"], reviewer: [] };
    const server = await openModelServer({ wire: compatibleWire, story });
    expect(await printed("models.mjs", cwd, { LAB_URL: `${server.url}/v1` })).toBe(
      "own/lab.chat/bottle-7b Refill the sea",
    );
  }));

it("keeps the record in a store of the caller's", () =>
  inFolder(async (cwd) => {
    await run(bakery, [join(cwd, "bakery")]);
    expect(await printed("store.mjs", cwd)).toBe("finished\ntrue");
    expect(existsSync(join(cwd, "bakery", ".signoff", "signoff.db"))).toBe(false);
  }));

it("writes and reviews a text of an episode", () =>
  inFolder(async (cwd) => {
    cpSync(join(root, "examples", "episode"), cwd, { recursive: true });
    const workspace = join(cwd, "episodes", "long_shelf_12");
    await runSignoff(["episode", "init", "--episode-id", "long_shelf_12"], { cwd });
    const files = ["--transcript", "../../transcript.txt", "--chapters", "../../chapters.txt"];
    await runSignoff(["episode", "add", ...files], { cwd: workspace });
    await runSignoff(["episode", "chunk"], { cwd: workspace });
    const model = ["--model", "offline/rules"];
    await runSignoff(["episode", "summarize", ...model], { cwd: workspace });
    expect(await printed("episode.mjs", cwd)).toBe("signed");
  }));

it("reviews and checks notes", () =>
  inFolder(async (cwd) => {
    await run(bakery, [join(cwd, "bakery")]);
    expect(await printed("notes.mjs", cwd)).toMatch(/^[1-9]\d* true$/u);
  }));

it("runs packs and stages", () =>
  inFolder(async (cwd) => {
    for (const name of ["scenario-pack", "stage"]) {
      cpSync(join(root, "examples", name), join(cwd, name), { recursive: true });
    }
    const shop = await startDemoAssistant({});
    try {
      const env = { ASSISTANT_URL: shop.url };
      expect(await printed("pack.mjs", cwd, env)).toBe("accepted true");
      expect(await printed("stage.mjs", cwd, env)).toMatch(/^\w+ \w+$/u);
    } finally {
      await shop.close();
    }
  }));
