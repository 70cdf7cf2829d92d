// 1,000 multi-turn HTTP steps, each recorded and written as six files, against plain fetch and the same files.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startDemoAssistant } from "../../dist/src/adapters/assistant/demo/demo-assistant.js";
import { writeFilesAtomically } from "../../dist/src/adapters/workspace/atomic-files.js";
import { readStoredPack } from "../../dist/src/contract/manifests/parse-manifest.js";
import { startPackRun } from "../../dist/src/orchestration/scenarios/run-pack.js";
import { readEnvironment } from "../../dist/src/wiring/config.js";
import { packPartsOf } from "../../dist/src/wiring/pack-parts.js";
import { openProject } from "../../dist/src/wiring/project.js";
import { defaultSettings } from "../../dist/src/wiring/settings.js";

const scenarios = 200;
const questions = [
  "How many Oak desk were in stock on 2024-03-31?",
  "Who supplied it?",
  "And on 2024-06-30?",
  "When was it last delivered?",
  "How many Desk lamp?",
];

async function plainFetch(url) {
  const began = performance.now();
  const chain = async () => {
    let session;
    for (const question of questions) {
      const body = JSON.stringify({ session_id: session, user_message: question });
      const response = await fetch(`${url}/api/assistant/message`, { method: "POST", body });
      session = (await response.json()).session_id;
    }
  };
  const waiting = Array.from({ length: scenarios }, () => chain);
  const worker = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await next();
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  return (performance.now() - began) / 1000;
}

async function ours(root, url) {
  const project = openProject({ root, environment: readEnvironment({}) });
  const pack = readStoredPack({
    pack_id: "bench",
    domain: "shop",
    scenarios: Array.from({ length: scenarios }, (_, at) => ({
      scenario_id: `scenario_${at}`,
      domain: "shop",
      steps: questions.map((question, step) => ({ step_id: `step_${step}`, question })),
    })),
  });
  const began = performance.now();
  const { run } = await startPackRun(packPartsOf(project, defaultSettings()), {
    pack,
    folder: "out",
    assistantUrl: url,
    repeat: 1,
    skipQuestionReview: true,
  });
  const ending = await project.engine.ending(run, new AbortController().signal);
  const seconds = (performance.now() - began) / 1000;
  project.close();
  if (ending.kind !== "finished") throw new Error(JSON.stringify(ending).slice(0, 500));
  return seconds;
}

/** The same files again, one batch per step, as many at once as scenarios run. */
async function sameFiles(root) {
  const batches = new Map();
  for (const entry of readdirSync(join(root, "out"), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.parentPath.includes("/steps/")) continue;
    const path = join(entry.parentPath, entry.name);
    const target = path.replace("/out/", "/again/");
    const batch = batches.get(dirname(target)) ?? [];
    batch.push({ path: target, content: readFileSync(path) });
    batches.set(dirname(target), batch);
  }
  const waiting = [...batches.values()];
  const began = performance.now();
  const worker = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
      await writeFilesAtomically(next);
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  return (performance.now() - began) / 1000;
}

const root = mkdtempSync(join(tmpdir(), "signoff-bench-"));
const shop = await startDemoAssistant({});
try {
  await plainFetch(shop.url);
  const bare = await plainFetch(shop.url);
  const signoff = await ours(root, shop.url);
  const files = await sameFiles(root);
  const bound = 2.5 * bare + files;
  process.stdout.write(
    `1,000 HTTP steps: ${signoff.toFixed(2)} s; plain fetch ${bare.toFixed(2)} s, the same files ${files.toFixed(2)} s, target 2.5 × fetch + files = ${bound.toFixed(2)} s (${(signoff / bound).toFixed(2)} ×)\n`,
  );
} finally {
  await shop.close();
  rmSync(root, { recursive: true, force: true });
}
