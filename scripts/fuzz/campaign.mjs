// Runs one part of the fuzz in a thread of its own; the main thread notices when a case never ends.
import { parentPort, workerData } from "node:worker_threads";
import { Chance } from "../../tests/support/reply-mutations.ts";

const { part, count, seed, only, shared } = workerData;
const round = new Int32Array(shared);
const longestMillis = 1_000;
/** After so many, the cause is the same. */
const mostReports = 20;

const { open } = await import(`./${part}.mjs`);
const fuzz = await open(seed);
const rows = {};
let reports = 0;

function report(row, what, { number, shown, error }) {
  row[what] += 1;
  reports += 1;
  if (reports > mostReports) return;
  const said = error === undefined ? "" : `\n${error.stack ?? error}`;
  console.error(`${part}, round ${number} of seed ${seed}, ${what}: ${shown}${said}`);
}

async function play(number) {
  const { reader, shown, run } = fuzz.next(new Chance(seed + number * 7919));
  rows[reader] ??= { cases: 0, crashes: 0, hangs: 0, "false approvals": 0, "slowest ms": 0 };
  const row = rows[reader];
  row.cases += 1;
  try {
    const { took, result } = await timed(run);
    if (result === "false approval") report(row, "false approvals", { number, shown: shown() });
    // Work that an earlier request began, or the garbage collector, may have taken the time: slow is slow again.
    const millis = took > longestMillis ? Math.min(took, (await timed(run)).took) : took;
    row["slowest ms"] = Math.max(row["slowest ms"], millis);
    if (millis > longestMillis) report(row, "hangs", { number, shown: `${millis} ms: ${shown()}` });
  } catch (error) {
    report(row, "crashes", { number, shown: shown(), error });
  }
}

/** In processor time: a machine that is busy elsewhere is no slow reader. */
async function timed(run) {
  const before = process.threadCpuUsage();
  const result = await run();
  const { user, system } = process.threadCpuUsage(before);
  return { result, took: Math.round((user + system) / 1000) };
}

const rounds = only === undefined ? count : 1;
for (let at = 0; at < rounds; at += 1) {
  const number = only ?? at;
  round[0] = number;
  if (at % 10_000 === 9_999) console.error(`${part}: ${at + 1} cases`);
  await play(number);
}
await fuzz.close?.();
parentPort.postMessage(rows);
