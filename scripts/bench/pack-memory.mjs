// Peak memory of `pack run` with streamed answers, for packs of 30 and 300 steps.
// Run `node scripts/build-cli.mjs` first, then `npx node scripts/bench/pack-memory.mjs [kB of an answer]`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { heldMemory, watchMemory } from "./watch-memory.mjs";

const program = fileURLToPath(new URL("../../dist/bin/signoff.js", import.meta.url));
/** A token of 5 bytes at a time, in lines of 100 characters. */
const events = Number(process.argv[2] ?? 2) * 200;

const server = createServer(async (request, response) => {
  for await (const _ of request);
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (let at = 0; at < events; at += 1) {
    const content = at % 20 === 19 ? "desk\n" : "desk ";
    response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
  }
  response.end('data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${server.address().port}`;

const figures = [];
for (const steps of [30, 300]) figures.push({ steps, megabytes: await measure(steps) });
server.close();
const [small, large] = figures;
const ratio = Number((large.megabytes / small.megabytes).toFixed(2));
console.log(JSON.stringify({ figures, ratio }, undefined, 2));
process.exitCode = ratio <= 1.3 ? 0 : 1;

async function measure(steps) {
  const folder = mkdtempSync(join(tmpdir(), "signoff-memory-"));
  const body = { m: "{{session_id}}", q: "{{question}}" };
  const assistant = {
    base_url: url,
    preset: "openai-chat",
    message: { body },
    session: { kind: "client" },
  };
  writeFileSync(
    join(folder, "signoff.yaml"),
    JSON.stringify({ version: 1, scenarios: { assistant } }),
  );
  const scenarios = Array.from({ length: 10 }, (_, at) => ({
    scenario_id: `s${at}`,
    domain: "shop",
    steps: Array.from({ length: steps / 10 }, (_, step) => ({
      step_id: `q${step}`,
      question: `What about desk ${at}-${step}?`,
    })),
  }));
  writeFileSync(
    join(folder, "pack.yaml"),
    JSON.stringify({ pack_id: "p", domain: "shop", scenarios }),
  );
  const args = ["pack", "run", "--manifest", "pack.yaml", "--skip-question-review", "-q"];
  const child = spawn(process.execPath, [...watchMemory, program, ...args], {
    cwd: folder,
    env: { HOME: folder, PATH: process.env.PATH },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (part) => {
    said += part;
  });
  const [code] = await once(child, "close");
  rmSync(folder, { recursive: true, force: true });
  // 1: every question was asked, and the answers are too long to be accepted.
  if (code !== 0 && code !== 1) throw new Error(said);
  return heldMemory(said);
}
