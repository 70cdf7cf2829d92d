import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeFilesAtomically } from "../../../dist/src/adapters/workspace/atomic-files.js";
import { readStoredPack } from "../../../dist/src/contract/scenarios/parse-manifest.js";
import { startPackRun } from "../../../dist/src/orchestration/scenarios/run-pack.js";
import { packPartsOf } from "../../../dist/src/wiring/features/pack-parts.js";
import { openProject } from "../../../dist/src/wiring/project/project.js";
import { readEnvironment } from "../../../dist/src/wiring/settings/environment.js";
import { defaultSettings } from "../../../dist/src/wiring/settings/settings.js";
import { writeFilesBarely } from "../bound.mjs";
import { inFolder, median, timed } from "../measure.mjs";
import { cli } from "../processes.mjs";

const rounds = 3;
const scenarios = 200;
/** As `wiring/project/project.ts` and `wiring/features/scenarios.ts` have it. */
const scenariosAtOnce = 8;
const requestsAtOnce = 4;
const questions = [
  "How many Oak desk were in stock on 2024-03-31?",
  "Who supplied it?",
  "And on 2024-06-30?",
  "When was it last delivered?",
  "How many Desk lamp?",
];

async function plainFetch(url, chainsAtOnce) {
  const chain = async () => {
    let session;
    for (const question of questions) {
      const body = JSON.stringify({ session_id: session, user_message: question });
      const response = await fetch(`${url}/api/assistant/message`, { method: "POST", body });
      session = (await response.json()).session_id;
    }
  };
  const waiting = Array.from({ length: scenarios }, () => chain);
  return seconds(() => inParallel(chainsAtOnce, waiting));
}

/** Works through what waits, so many at once. */
async function inParallel(atOnce, waiting) {
  const worker = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await next();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

async function seconds(work) {
  return (await timed(work)) / 1000;
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
  const took = (performance.now() - began) / 1000;
  project.close();
  if (ending.kind !== "finished") throw new Error(JSON.stringify(ending).slice(0, 500));
  return took;
}

/** The files of each step, to be written again into another folder. */
function batchesOf(root, name) {
  const batches = new Map();
  for (const entry of readdirSync(join(root, "out"), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.parentPath.includes("/steps/")) continue;
    const path = join(entry.parentPath, entry.name);
    const target = path.replace("/out/", `/${name}/`);
    const batch = batches.get(dirname(target)) ?? [];
    batch.push({ path: target, content: readFileSync(path) });
    batches.set(dirname(target), batch);
  }
  return [...batches.values()];
}

/** One question, then one batch of files, after the other: what a thousand in 0.74 s were measured with. */
async function plainBound(root, url) {
  const fetched = await plainFetch(url, 1);
  const batches = batchesOf(root, "plain");
  return 2.5 * fetched + (await seconds(async () => batches.forEach(writeFilesBarely)));
}

/** As many at once as we have, with our own way of writing files. */
async function parallelBound(root, url) {
  const fetched = await plainFetch(url, requestsAtOnce);
  const waiting = batchesOf(root, "parallel").map((batch) => () => writeFilesAtomically(batch));
  return 2.5 * fetched + (await seconds(() => inParallel(scenariosAtOnce, waiting)));
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
    measured.push({
      ours: await ours(root, url),
      plain: await plainBound(root, url),
      parallel: await parallelBound(root, url),
    });
  }
  return measured.slice(1);
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
    const measured = await inFolder((folder) => measure(folder, shop.url));
    const of = (name) => median(measured.map((one) => one[name]));
    return [
      {
        figure: "1,000 HTTP steps with their files",
        unit: "s",
        ours: of("ours"),
        bound: of("plain"),
        boundIs: "2.5 × plain fetch, and the same files written atomically, one after the other",
        target: 1,
      },
      {
        figure: "the same against as much at once",
        unit: "s",
        ours: of("ours"),
        bound: of("parallel"),
        boundIs: "four fetches and eight batches of files at once; a target of our own",
        target: 2,
      },
    ];
  } finally {
    shop.stop();
  }
}
