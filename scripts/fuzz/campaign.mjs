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
  const before = process.cpuUsage();
  try {
    if ((await run()) === "false approval")
      report(row, "false approvals", { number, shown: shown() });
  } catch (error) {
    report(row, "crashes", { number, shown: shown(), error });
  }
  // Processor time: a machine that is busy elsewhere is no slow reader.
  const { user, system } = process.cpuUsage(before);
  const took = Math.round((user + system) / 1000);
  row["slowest ms"] = Math.max(row["slowest ms"], took);
  if (took > longestMillis) report(row, "hangs", { number, shown: `${took} ms: ${shown()}` });
}

const rounds = only === undefined ? count : 1;
for (let at = 0; at < rounds; at += 1) {
  const number = only ?? at;
  round[0] = number;
  await play(number);
}
await fuzz.close?.();
parentPort.postMessage(rows);
