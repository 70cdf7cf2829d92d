// Disturbs real processes at random moments and compares what is left with a run that was left alone.
// Usage: node scripts/chaos/campaign.mjs [kills] [seed] [round]. A failure prints its round: naming it repeats its
// choices, though not the exact moments.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startDemoAssistant } from "../../src/adapters/assistant/demo/demo-assistant.ts";
import { Chance } from "../../tests/support/reply-mutations.ts";
import { jobs } from "./jobs.mjs";
import { lookAtStore } from "./look-at-store.mjs";
import { openModelServer } from "./model-server.mjs";
import { runProgram } from "./processes.mjs";

const kills = Number(process.argv[2] ?? 2_000);
const seed = Number(process.argv[3] ?? 20261117);
const atOnce = 2;
const home = mkdtempSync(join(tmpdir(), "signoff-chaos-"));
const faults = join(home, "faults.so");
const fixedTime = { SIGNOFF_FIXED_TIME: "2026-03-02T08:00:00.000Z" };

const shim = fileURLToPath(new URL("faults.c", import.meta.url));
const built = spawnSync("cc", ["-shared", "-fPIC", "-O1", "-o", faults, shim, "-ldl"]);
if (built.status !== 0) {
  console.error(`The faults of disk and clock cannot be built: ${built.stderr ?? built.error}`);
  process.exit(5);
}

/** A copy of the job's folder with servers of its own. */
async function openPlace(job, chance, clock = "fixed") {
  const folder = mkdtempSync(join(home, `${job.name}-`));
  cpSync(join(home, job.name), folder, { recursive: true });
  const model = await openModelServer(chance);
  const assistant = await startDemoAssistant({});
  const env = { OLLAMA_BASE_URL: model.url, ...(clock === "fixed" ? fixedTime : {}) };
  return {
    folder,
    calls: () => (job.asksAssistant ? assistant.questions.length : model.calls()),
    start: (more = {}) =>
      runProgram(job.args(assistant.url), { cwd: folder, env: { ...env, ...more } }),
    async close() {
      model.close();
      await assistant.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What a job leaves when nothing disturbs it. */
async function baselineOf(job) {
  const folder = join(home, job.name);
  mkdirSync(folder);
  await job.prepare(folder);
  const place = await openPlace(job, new Chance(seed));
  const began = performance.now();
  const { code, err } = await place.start().ended;
  const millis = performance.now() - began;
  if (code === null || code === 2 || code >= 5) throw new Error(`${job.name}: ${code}: ${err}`);
  const baseline = { code, millis, files: job.files(place.folder), calls: place.calls() };
  await place.close();
  return baseline;
}

/** Both return how to call it off. */
function after(millis, act) {
  const timer = setTimeout(act, millis);
  return () => clearTimeout(timer);
}

/** However slow the machine is: when so many more calls have come in. */
function afterCalls(place, count, act) {
  const target = place.calls() + count;
  const timer = setInterval(() => {
    if (place.calls() < target) return;
    clearInterval(timer);
    act();
  }, 2);
  return () => clearInterval(timer);
}

const preloaded = (more) => ({ LD_PRELOAD: faults, ...more });

/** Each disturbs one process and returns how it ended. */
const disturbances = {
  async kill(place, { chance, baseline }, more = {}) {
    const { child, ended } = place.start(more);
    const kill = () => child.kill("SIGKILL");
    const cancel =
      chance.below(3) === 0
        ? after(chance.below(baseline.millis * 1.2), kill)
        : afterCalls(place, chance.below(Math.max(1, baseline.calls - place.calls()) + 1), () =>
            after(chance.below(30), kill),
          );
    const end = await ended;
    cancel();
    return end;
  },
  slowDisk: (place, round) =>
    disturbances.kill(place, round, preloaded({ CHAOS_SYNC_MILLIS: `${round.chance.below(20)}` })),
  clock: (place, round) => {
    const seconds = round.chance.pick([-86_400, -3_600, 3_600, 86_400]);
    const after = round.chance.below(round.baseline.millis);
    const jump = {
      CHAOS_CLOCK_JUMP_SECONDS: `${seconds}`,
      CHAOS_CLOCK_JUMP_AFTER_MILLIS: `${after}`,
    };
    return disturbances.kill(place, round, preloaded(jump));
  },
  fullDisk: (place, { chance }) =>
    place.start(preloaded({ CHAOS_FULL_AFTER: `${chance.below(400_000)}` })).ended,
  readOnly: (place, { chance }) =>
    place.start(preloaded({ CHAOS_READ_ONLY_AFTER: `${chance.below(400_000)}` })).ended,
  /** A second process comes along while the first is stopped; it must wait, give way or take over. */
  async stop(place, { chance, baseline }) {
    const { child, ended } = place.start();
    await new Promise((resolve) => setTimeout(resolve, chance.below(baseline.millis)));
    child.kill("SIGSTOP");
    const second = place.start();
    const timer = setTimeout(() => child.kill("SIGCONT"), 200 + chance.below(800));
    const other = await second.ended;
    clearTimeout(timer);
    child.kill("SIGCONT");
    const end = await ended;
    return end.code === baseline.code ? end : other;
  },
};

const choices = [
  ...Array.from({ length: 12 }, () => "kill"),
  ...["slowDisk", "slowDisk", "clock", "clock", "fullDisk", "readOnly", "stop"],
];

const counts = new Map(
  jobs.map(({ name }) => [name, { rounds: 0, kills: 0, faults: 0, repeated: 0, failed: 0 }]),
);
const count = (job, what, by = 1) => {
  counts.get(job.name)[what] += by;
};

async function playRound(job, baseline, number) {
  const chance = new Chance(seed + number * 7919);
  const suited = choices.filter((choice) => choice !== "stop" || !job.eachCommandCounts);
  const chosen = Array.from({ length: 2 + chance.below(7) }, () => chance.pick(suited));
  const hasOwnTimes = chosen.includes("clock");
  const place = await openPlace(job, chance, hasOwnTimes ? "real" : "fixed");
  const story = [];
  try {
    const problem =
      (await disturb(job, place, { chance, baseline, chosen, story })) ??
      (await finish(job, place, baseline)) ??
      (await wrongAtTheEnd(job, place, { baseline, hasOwnTimes, disturbed: story.length }));
    return problem === undefined ? undefined : `${problem} (after ${story.join(", ")})`;
  } finally {
    await place.close();
    count(job, "rounds");
  }
}

async function disturb(job, place, { chance, baseline, chosen, story }) {
  for (const choice of chosen) {
    if (job.isOver(lookAtStore(place.folder))) return undefined;
    const end = await disturbances[choice](place, { chance, baseline });
    story.push(`${choice}: ${end.signal ?? end.code}`);
    if (end.signal === "SIGKILL" && !end.hung) count(job, "kills");
    else if (choice !== "kill") count(job, "faults");
    const problem = problemOf(end, baseline, choice);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Types the command once more, unless its work is done: the same command would then begin anew. */
async function finish(job, place, baseline) {
  if (job.isOver(lookAtStore(place.folder))) return undefined;
  const end = await place.start().ended;
  return end.code === baseline.code
    ? undefined
    : `ended with ${end.signal ?? end.code}: ${end.err}`;
}

/** A disturbed process may be killed, refused or fail honestly; it may not hang or claim a bug. */
function problemOf({ code, hung, err }, baseline, choice) {
  if (hung) return `hung after ${choice}`;
  if (code === null || code === baseline.code || code === 5 || code === 130) return undefined;
  return `${choice} ended with ${code}: ${err}`;
}

async function wrongAtTheEnd(job, place, { baseline, hasOwnTimes, disturbed }) {
  const repeated = place.calls() - baseline.calls;
  count(job, "repeated", Math.max(0, repeated));
  if (repeated > disturbed * job.width) return `${repeated} calls too many`;
  if (!hasOwnTimes) {
    const differing = differences(baseline.files, job.files(place.folder));
    if (differing.length > 0) return `files differ:\n${differing.join("\n")}`;
  }
  const cwd = place.folder;
  const open = lookAtStore(cwd).all.filter(
    ({ state }) => !/^(?:finished|waiting|cancelled)$/u.test(state),
  );
  if (open.length > 0) return `stuck: ${open.map(({ state, kind }) => `${kind} ${state}`)}`;
  const doctor = await runProgram(["doctor"], { cwd }).ended;
  return doctor.code === 0 ? undefined : `doctor: ${doctor.out}`;
}

function differences(before, after) {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    if (before[name] === after[name]) return [];
    const lines = after[name]?.split("\n") ?? [];
    const expected = before[name]?.split("\n") ?? [];
    const at = Math.max(
      0,
      expected.findIndex((line, at) => line !== lines[at]),
    );
    return `${name}, line ${at + 1}: ${lines[at]?.slice(0, 200)}, expected ${expected[at]?.slice(0, 200)}`;
  });
}

const onlyRound = process.argv[4] === undefined ? undefined : Number(process.argv[4]);

const began = performance.now();
const baselines = new Map();
for (const job of jobs) baselines.set(job, await baselineOf(job));
let number = 0;
const done = () => [...counts.values()].reduce((sum, { kills: one }) => sum + one, 0) >= kills;
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    while (!done()) {
      number += 1;
      const mine = onlyRound ?? number;
      const job = jobs[mine % jobs.length];
      const problem = await playRound(job, baselines.get(job), mine);
      if (problem === undefined) continue;
      count(job, "failed");
      console.error(`${job.name}, round ${mine} of seed ${seed}: ${problem}`);
    }
  }),
);
rmSync(home, { recursive: true, force: true });
console.table(Object.fromEntries(counts));
const failed = [...counts.values()].reduce((sum, one) => sum + one.failed, 0);
const minutes = ((performance.now() - began) / 60_000).toFixed(1);
console.log(`${number} rounds in ${minutes} minutes, seed ${seed}, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
