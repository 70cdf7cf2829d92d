import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isTemporaryName } from "../../src/adapters/workspace/atomic-files.ts";
import { encodeDraftInput } from "../../src/contract/drafting/draft-input.ts";
import { freezeDraft } from "../../src/domain/drafting/freeze-draft.ts";
import { loadRecipe } from "../../src/wiring/features/recipes.ts";
import { builtProgram } from "../support/built-program.ts";
import { treeOf } from "../support/run-evidence.ts";
import { inFolder } from "../support/signoff-process.ts";

const run = "6f6a0a3c-92f2-4c0e-8f0a-0d7f5a3c1b2e";
/** Two more than are written together. */
const turns = 18;

let home: string;
let program: string;
let job: string;
let reference: Readonly<Record<string, string>>;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "signoff-many-turns-"));
  program = await builtProgram(new URL("../support/quick-draft.ts", import.meta.url), home);
  const recipe = await loadRecipe("slogan", home);
  const model = "offline/shop";
  const asked = { brief: "water bottles", recipe, writer: model, reviewers: [{ model }] };
  const plan = freezeDraft({ ...asked, earlyStop: false });
  if (plan.kind !== "planned") throw new Error("refused");
  job = JSON.stringify(encodeDraftInput({ ...plan.input, maxTurns: turns }));
  reference = await inFolder(async (folder) => {
    expect(await draft(folder)).toEqual({ code: 0, signal: null, said: "finished" });
    return recordIn(folder);
  });
});
afterAll(() => rmSync(home, { recursive: true }));

async function draft(folder: string, stopAt?: string) {
  writeFileSync(join(folder, "job.json"), job);
  const env = stopAt === undefined ? {} : { SIGNOFF_STOP_AT: stopAt };
  const stdio: ["ignore", "pipe", "inherit"] = ["ignore", "pipe", "inherit"];
  const child = spawn(process.execPath, [program, folder, run], { env, stdio });
  const [said, [code, signal]] = await Promise.all([text(child.stdout), once(child, "close")]);
  return { code, signal, said };
}

function recordIn(folder: string): Promise<Readonly<Record<string, string>>> {
  return treeOf(join(folder, ".signoff", "runs", run));
}

it.concurrent.each([
  { moment: "files-prepared:1", files: 0, left: 32 },
  { moment: "file-renamed:5", files: 5, left: 27 },
  { moment: "files-written:1", files: 32, left: 0 },
  { moment: "events-projected:1", files: 32, left: 0 },
  { moment: "files-prepared:2", files: 32, left: 4 },
  { moment: "file-renamed:34", files: 34, left: 2 },
  { moment: "files-prepared:3", files: 36, left: 3 },
])("killed at $moment, leaves whole files, and the next process the rest", async (killed) => {
  await inFolder(async (folder) => {
    expect(await draft(folder, killed.moment)).toMatchObject({ signal: "SIGKILL", said: "" });
    const found = await recordIn(folder);
    const whole = Object.keys(found).filter((name) => !isTemporaryName(name));
    expect(whole).toHaveLength(killed.files);
    expect(Object.keys(found)).toHaveLength(killed.files + killed.left);
    expect(whole).toEqual(
      Object.keys(reference)
        .filter((name) => /^turn/u.test(name))
        .slice(0, killed.files),
    );
    for (const name of whole) expect(found[name], name).toBe(reference[name]);
    expect(await draft(folder)).toEqual({ code: 0, signal: null, said: "finished" });
    expect(await recordIn(folder)).toEqual(reference);
  });
});
