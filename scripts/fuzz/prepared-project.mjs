import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startDemoAssistant } from "../../src/adapters/assistant/demo/demo-assistant.ts";
import { runProgram } from "../chaos/processes.mjs";

const examples = fileURLToPath(new URL("../../examples/", import.meta.url));

/** A project of every feature: drafts with and without a signature, an episode, notes, a pack run and a stage. */
export async function prepareProject() {
  const home = mkdtempSync(join(tmpdir(), "signoff-fuzz-"));
  const root = join(home, "project");
  mkdirSync(root);
  const write = (path, text) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const run = async (...args) => {
    const { code, err } = await runProgram(args, { cwd: root }).ended;
    if (code === null || code === 2 || code >= 5)
      throw new Error(`signoff ${args.join(" ")} ended with ${code}: ${err}`);
  };
  write("signoff.yaml", "version: 1\nmodels: { judge: offline/rules }\n");
  for (const name of ["returns", "prices"])
    write(`notes/${name}.md`, `---\ndescription: About ${name}\n---\n# ${name}\n\nThe ${name}.\n`);
  write("signoff/gates/prose/plain.md", "---\ndescription: plain\n---\nIs it plain?\n");
  write("talk.txt", "00:00:00 Ann: Bread needs two days.\n\n00:00:09 Bob: The dough rests.\n");
  write("unsigned.json", JSON.stringify({ creator: ["A", "B"], reviewer: ["No.", "Not yet."] }));
  write("signed.json", JSON.stringify({ creator: ["Hydrate"], reviewer: ["SHIP IT!"] }));
  cpSync(join(examples, "scenario-pack"), join(root, "pack"), { recursive: true });
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    ["commit", "-qm", "Notes"],
  ])
    spawnSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], {
      cwd: root,
    });
  await run("draft", "bottles", "--script", "unsigned.json", "--max-turns", "2");
  await run("draft", "trains", "--script", "signed.json");
  await run("episode", "init", "--episode-id", "bread", "--workspace", "bread");
  await run("episode", "add", "--transcript", "talk.txt", "--host", "Ann", "--workspace", "bread");
  await run("episode", "chunk", "--workspace", "bread");
  await run("episode", "review", "--asset-id", "slug", "--fake-runner", "--workspace", "bread");
  const assistant = await startDemoAssistant({});
  const asked = ["--assistant-url", assistant.url, "--skip-question-review", "-q"];
  await run("pack", "run", "--manifest", "pack/pack.yaml", ...asked, "--output-dir", "out");
  await assistant.close();
  return { root, home, remove: () => rmSync(home, { recursive: true, force: true }) };
}
