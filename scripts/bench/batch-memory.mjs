// The most memory that `draft --batch` ever holds while it drafts 100, 1,000 and 2,000 briefs with the stand-ins.
// Run `node scripts/build-cli.mjs` first, then `npx node scripts/bench/batch-memory.mjs`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { heldMemory, watchMemory } from "./watch-memory.mjs";

const program = fileURLToPath(new URL("../../dist/bin/signoff.js", import.meta.url));
const counts = process.argv.slice(2).map(Number);

const figures = [];
for (const briefs of counts.length > 0 ? counts : [100, 1_000, 2_000]) {
  figures.push({ briefs, megabytes: await measure(briefs) });
}
const ratio = Number((figures.at(-1).megabytes / figures[0].megabytes).toFixed(2));
console.log(JSON.stringify({ figures, ratio }, undefined, 2));
process.exitCode = ratio <= 1.3 ? 0 : 1;

async function measure(briefs) {
  const folder = mkdtempSync(join(tmpdir(), "signoff-batch-"));
  const lines = Array.from({ length: briefs }, (_, at) => `"a night train to town ${at + 1}"\n`);
  writeFileSync(join(folder, "briefs.jsonl"), lines.join(""));
  const args = ["draft", "--batch", "briefs.jsonl", "-o", "results.jsonl", "-m", "offline/rules"];
  const child = spawn(process.execPath, [...watchMemory, program, ...args, "--jobs", "8"], {
    cwd: folder,
    env: { HOME: folder, PATH: process.env.PATH },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (part) => {
    said = (said + part).slice(-4_000);
  });
  await once(child, "close");
  rmSync(folder, { recursive: true, force: true });
  return heldMemory(said);
}
