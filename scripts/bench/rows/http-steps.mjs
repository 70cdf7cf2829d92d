import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeFilesAtomically } from "../../../dist/src/adapters/workspace/atomic-files.js";
import { readStoredPack } from "../../../dist/src/contract/manifests/parse-manifest.js";
import { startPackRun } from "../../../dist/src/orchestration/scenarios/run-pack.js";
import { readEnvironment } from "../../../dist/src/wiring/config.js";
import { packPartsOf } from "../../../dist/src/wiring/pack-parts.js";
import { openProject } from "../../../dist/src/wiring/project.js";
import { defaultSettings } from "../../../dist/src/wiring/settings.js";
import { inFolder, median } from "../measure.mjs";
import { cli } from "../processes.mjs";

const rounds = 3;
const scenarios = 200;
/** As `wiring/project.ts` has it; four of them may ask at once, as the plain chains do. */
const scenariosAtOnce = 8;
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
  await Promise.all(Array.from({ length: scenariosAtOnce }, worker));
  return (performance.now() - began) / 1000;
}

/**
 * The first round only warms up. Nothing is removed before the last: ext4 looks at every file that was removed in the
 * last minutes when it makes a new one, which costs whoever comes next more than the file.
 */
async function measure(folder, url) {
  const measured = [];
  for (let round = 0; round <= rounds; round += 1) {
    const root = join(folder, String(round));
    mkdirSync(root);
    const fetched = await plainFetch(url);
    const seconds = await ours(root, url);
    measured.push({ ours: seconds, bound: 2.5 * fetched + (await sameFiles(root)) });
  }
  return measured;
}

/** In a process of its own, as an assistant is. */
async function startAssistant() {
  const child = spawn(process.execPath, [cli, "demo", "assistant", "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = await once(child.stdout, "data");
  const url = /http:\/\/[\d.]+:\d+/.exec(String(said))?.[0];
  if (url === undefined) throw new Error(`the demo assistant said: ${said}`);
  return { url, stop: () => child.kill() };
}

/** Questions in many sessions, each turn recorded and written as six files. */
export async function httpSteps() {
  const shop = await startAssistant();
  try {
    const [, ...measured] = await inFolder((folder) => measure(folder, shop.url));
    return [
      {
        figure: "1,000 HTTP steps with their files",
        unit: "s",
        ours: median(measured.map((one) => one.ours)),
        bound: median(measured.map((one) => one.bound)),
        boundIs: "2.5 × plain fetch, and the same files written atomically",
        target: 1,
      },
    ];
  } finally {
    shop.stop();
  }
}
