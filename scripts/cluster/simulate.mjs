// npm run simulate-scale -- [--pairs 10000000] [--seed 1] …: what a day of reviews needs, from measured figures.
//
// Minute by minute, a day of sweeps arrives at random (seeded) times and sizes; workers take calls as far as places, the
// provider's rate and their processors allow. The costs of one call come from docs/figures.json (npm run
// cluster-campaign -- throughput --keep throughput writes them); everything assumed rather than measured is an option with
// its default below.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

const assumptions = {
  pairs: ["10000000", "pairs of note and gate a day"],
  "pairs-per-call": ["4", "pairs that one call reviews"],
  "night-share": ["0.6", "share of the work that nightly sweeps bring, from 0 to 6 o'clock"],
  "sweep-calls": ["2000", "median size of a sweep, in calls"],
  "latency-seconds": ["6", "median time of a call"],
  concurrency: ["50", "runs at once on one worker (--concurrency)"],
  "provider-per-second": ["600", "calls a second that the providers allow altogether"],
  "input-tokens": ["6000", "tokens of a prompt"],
  "output-tokens": ["600", "tokens of a reply"],
  "bytes-per-token": ["1.5", "bytes that the database keeps of one token, compressed"],
  "input-usd": ["0.25", "dollars for a million input tokens"],
  "output-usd": ["2", "dollars for a million output tokens"],
  "worker-cores": ["1", "processors of one worker"],
  "database-cores": ["16", "processors of the database server"],
  seed: ["1", "of the random numbers"],
};

const options = Object.fromEntries(
  Object.entries(assumptions).map(([name, [value]]) => [name, { type: "string", default: value }]),
);
const { values } = parseArgs({ options });
const given = Object.fromEntries(
  Object.entries(values).map(([name, text]) => [name, Number(text)]),
);
const measured = measuredCosts();
const calls = given.pairs / given["pairs-per-call"];
const random = randomFrom(given.seed);
const arriving = arrivals();
const workers = fewestWorkers();
const day = simulate(workers);
print();

function measuredCosts() {
  const file = new URL("../../docs/figures.json", import.meta.url);
  const part = JSON.parse(readFileSync(file, "utf8")).cluster?.throughput;
  if (part?.measured === undefined) {
    console.error(
      "docs/figures.json has no costs of a call; run npm run cluster-campaign -- throughput --keep throughput first.",
    );
    process.exit(2);
  }
  const { measured: costs, ...about } = part;
  return { ...about, ...costs };
}

/** Calls that begin to wait in each minute of the day. */
function arrivals() {
  const minutes = new Array(1440).fill(0);
  let left = calls;
  while (left > 0) {
    const size = Math.min(left, Math.ceil(given["sweep-calls"] * Math.exp(normal() * 0.8)));
    const isNight = random() < given["night-share"];
    const at = isNight ? random() * 360 : 480 + Math.abs(normal()) * 180;
    minutes[Math.min(1439, Math.floor(at))] += size;
    left -= size;
  }
  return minutes;
}

/** The smallest number that keeps the waiting time below an hour at its worst, unless the provider is the limit. */
function fewestWorkers() {
  let [low, high] = [1, 4096];
  const best = simulate(high).longestWait;
  const allowed = Math.max(60, best * 1.1);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (simulate(middle).longestWait <= allowed) high = middle;
    else low = middle + 1;
  }
  return low;
}

function simulate(count) {
  const byPlaces = (count * given.concurrency) / (given["latency-seconds"] * 1.2);
  const byCores = (count * given["worker-cores"] * 1000) / measured.workerCpuMillisPerCall;
  const perSecond = Math.min(byPlaces, byCores, given["provider-per-second"]);
  const bound =
    { [byPlaces]: "places", [byCores]: "processors of workers" }[perSecond] ?? "provider";
  let [waiting, longestWait, busiest, busyMinutes] = [0, 0, 0, 0];
  for (const minute of arriving) {
    waiting += minute;
    const done = Math.min(waiting, perSecond * 60);
    waiting -= done;
    busiest = Math.max(busiest, done / 60);
    longestWait = Math.max(longestWait, waiting / perSecond / 60);
    if (done > 0) busyMinutes += 1;
  }
  return { perSecond, bound, longestWait, busiest, left: waiting, busyMinutes };
}

function print() {
  const { transactionsPerCall, databaseCpuMillisPerCall, bytesPerCall } = measured;
  const usd =
    (calls *
      (given["input-tokens"] * given["input-usd"] + given["output-tokens"] * given["output-usd"])) /
    1e6;
  // The campaign's texts are short, so those of real calls come on top.
  const tokens = given["input-tokens"] + given["output-tokens"];
  const textBytes = tokens * given["bytes-per-token"];
  const cores = (day.busiest * databaseCpuMillisPerCall) / 1000;
  const most = (given["database-cores"] * 1000) / databaseCpuMillisPerCall;
  const rows = [
    ["calls a day", whole(calls)],
    ["workers", `${workers} (${whole(workers * given.concurrency)} runs at once)`],
    ["calls a second, at the busiest", day.busiest.toFixed(0)],
    ["limited by", day.bound],
    ["longest wait for a place, minutes", day.longestWait.toFixed(0)],
    ["writing transactions a second, at the busiest", whole(day.busiest * transactionsPerCall)],
    ["processors of the database, at the busiest", cores.toFixed(1)],
    [
      "processors of all workers, at the busiest",
      ((day.busiest * measured.workerCpuMillisPerCall) / 1000).toFixed(1),
    ],
    ["storage a month, GB", whole((calls * 30 * (bytesPerCall + textBytes)) / 1e9)],
    ["cost of models a day, USD", whole(usd)],
    [
      "processors of one database of this size end at",
      `${whole(most)} calls a second, ${whole((most * 86_400 * given["pairs-per-call"]) / 1e6)} million pairs a day; put projects on several servers before that`,
    ],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  console.log(`Measured (${measured.date}, ${measured.command}):`);
  for (const [name, value] of Object.entries(measured.rows ?? {}))
    console.log(`  ${name}: ${value}`);
  console.log("Assumed:");
  for (const [name, [, help]] of Object.entries(assumptions))
    console.log(`  ${help}: ${values[name]}`);
  console.log("A day:");
  for (const [name, value] of rows) console.log(`  ${name.padEnd(width)}  ${value}`);
}

function whole(value) {
  return Math.round(value).toLocaleString("en");
}

function normal() {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Mulberry32: the same numbers for the same seed. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
