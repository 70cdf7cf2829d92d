// Feeds damaged text to every reader of untrusted text. None may throw what is not a refusal, take more than a second, or
// turn a no into a yes. Usage: node scripts/fuzz/run.mjs [part|all] [count] [seed] [round]; a failure prints its round.
import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** How many cases of each part a campaign has. */
const counts = { replies: 1_000_000, documents: 100_000, requests: 100_000, stores: 2_000 };
/** Of the clock on the wall, so with room for a busy machine. */
const longestSilence = 60_000;

const [which = "all", count, seedText = "20261117", only] = process.argv.slice(2);
const parts = which === "all" ? Object.keys(counts) : [which];
if (!parts.every((part) => Object.hasOwn(counts, part))) {
  console.error(`There is no part ${which}. Name one of: all, ${Object.keys(counts).join(", ")}.`);
  process.exit(2);
}
const seed = Number(seedText);
const notBegun = -1;

const table = {};
const began = performance.now();
for (const part of parts) {
  const rows = await runPart(part, Number(count ?? counts[part]));
  for (const [reader, row] of Object.entries(rows)) table[`${part}: ${reader}`] = row;
}
const failed = Object.values(table).reduce(
  (sum, row) => sum + row.crashes + row.hangs + row["false approvals"],
  0,
);
console.table(table);
const cases = Object.values(table).reduce((sum, row) => sum + row.cases, 0);
const seconds = ((performance.now() - began) / 1000).toFixed(1);
console.log(`${cases} cases in ${seconds} s, seed ${seed}, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function runPart(part, cases) {
  const shared = new SharedArrayBuffer(4);
  const round = new Int32Array(shared).fill(notBegun);
  const worker = new Worker(new URL("campaign.mjs", import.meta.url), {
    workerData: { part, count: cases, seed, shared, ...(only && { only: Number(only) }) },
  });
  let last = { round: -1, at: performance.now() };
  const watch = setInterval(() => {
    if (round[0] === notBegun || round[0] !== last.round)
      last = { round: round[0], at: performance.now() };
    else if (performance.now() - last.at > longestSilence) {
      console.error(`${part}, round ${round[0]} of seed ${seed} does not end`);
      process.exit(1);
    }
  }, 1_000);
  try {
    const [rows] = await once(worker, "message");
    return rows;
  } finally {
    clearInterval(watch);
    await worker.terminate();
  }
}
