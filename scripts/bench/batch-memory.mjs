// Memory of `draft --batch` while it drafts 100, 1,000 and 2,000 briefs with the stand-ins: what is in use after a forced
// collection, and the most that the process ever held.
// Run `node scripts/build-cli.mjs` first, then `npx node scripts/bench/batch-memory.mjs`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../dist/bin/signoff.js", import.meta.url));
const watch = fileURLToPath(new URL("children/watch-memory.mjs", import.meta.url));
const counts = process.argv.slice(2).map(Number);

const figures = [];
for (const briefs of counts.length > 0 ? counts : [100, 1_000, 2_000]) {
  figures.push({ briefs, ...(await measure(briefs)) });
}
const ratio = (name) => Number((figures.at(-1)[name] / figures[0][name]).toFixed(2));
const ratios = { inUse: ratio("inUse"), held: ratio("held") };
console.log(JSON.stringify({ figures, ratios }, undefined, 2));
process.exitCode = ratios.inUse <= 1.3 && ratios.held <= 1.3 ? 0 : 1;

async function measure(briefs) {
  const folder = mkdtempSync(join(tmpdir(), "signoff-batch-"));
  const lines = Array.from({ length: briefs }, (_, at) => `"a night train to town ${at + 1}"\n`);
  writeFileSync(join(folder, "briefs.jsonl"), lines.join(""));
  const args = ["draft", "--batch", "briefs.jsonl", "-o", "results.jsonl", "-m", "offline/rules"];
  const child = spawn(
    process.execPath,
    ["--expose-gc", "--import", watch, program, ...args, "--jobs", "8"],
    {
      cwd: folder,
      env: { HOME: folder, PATH: process.env.PATH },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let said = "";
  child.stderr.on("data", (part) => {
    said = (said + part).slice(-4_000);
  });
  await once(child, "close");
  rmSync(folder, { recursive: true, force: true });
  const found = /memory (\{.*\})/u.exec(said)?.[1];
  if (found === undefined) throw new Error(said);
  return JSON.parse(found);
}
