// How the calls a second grow with the workers; how long it takes to record a call beside two bare commits on the same
// server, in turns; and what one call costs a worker's processor beside the engine of one machine.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { openPostgres } from "../../../src/adapters/persistence/postgres/open-postgres.ts";
import { key } from "../../../src/domain/values/ids.ts";
import {
  attemptEnd,
  begin,
  creatorFacts,
  heldRun,
  recorded,
} from "../../../src/testing/run-store-stories.ts";
import { databaseOf } from "../../../src/wiring/project/project-id.ts";
import { readEnvironment } from "../../../src/wiring/settings/environment.ts";
import { submitDrafts, tally, untilFinished } from "../../../tests/support/cluster-drill.ts";
import {
  cpuOfDatabase,
  cpuOfWorkers,
  databaseSize,
  round,
  unless,
  withTeam,
} from "../team-at-work.mjs";

export const options = {
  latency: "200",
  /** Runs at once on one worker: few enough that two processors do not fill. */
  concurrency: "2",
  /** For each worker. */
  runs: "30",
  "recorded-calls": "300",
};

export async function run(given) {
  const rates = [];
  let costs = {};
  for (const count of [1, 2, 4]) {
    const found = await withTeam({ latency: given.latency }, (about) =>
      rateOf(about, given, count),
    );
    rates.push({ count, ...found });
    costs = found;
  }
  const [{ rate: alone }] = rates;
  const times = await withTeam({}, (about) => timesOf(about, given));
  const embedded = await withTeam({ latency: 20 }, ({ models }) => embeddedCost(models, given));
  const commits = times.recorded / times.bare;
  const shares = rates.map(({ count, rate, idle }) => ({
    count,
    share: rate / (count * alone),
    idle,
  }));
  return {
    rows: {
      ...Object.fromEntries(
        rates.map(({ count, rate, idle }) => [
          `calls a second, ${count === 1 ? "1 worker" : `${count} workers`}`,
          `${round(rate)} (${round(rate / (count * alone))} of linear; processors idle ${Math.round(idle * 100)} %)`,
        ]),
      ),
      "two bare commits, median ms": round(times.bare),
      "a recorded call, median ms": round(times.recorded),
      "a recorded call / two bare commits": round(commits),
      "processor time of a worker per call, ms": costs.workerCpuMillisPerCall,
      "processor time of the database per call, ms": costs.databaseCpuMillisPerCall,
      "processor time of the embedded engine per call, ms": round(embedded),
      "growth of the database per call, bytes": costs.bytesPerCall,
      "writing transactions per call": costs.transactionsPerCall,
    },
    measured: {
      workerCpuMillisPerCall: costs.workerCpuMillisPerCall,
      databaseCpuMillisPerCall: costs.databaseCpuMillisPerCall,
      bytesPerCall: costs.bytesPerCall,
      transactionsPerCall: costs.transactionsPerCall,
    },
    problems: [
      ...shares.flatMap(({ count, share, idle }) =>
        unless(share >= 0.85 || idle < 0.1, `${count} workers: ${round(share)} of linear`),
      ),
      ...unless(commits <= 2, `a recorded call takes ${round(commits)} times two bare commits`),
    ],
  };
}

/** From the first run's end to the last's, so that neither start nor warming up count. */
async function rateOf({ team, server }, given, count) {
  const workers = [];
  for (let at = 1; at <= count; at += 1)
    workers.push(
      await team.startWorker(`worker-${at}`, "--concurrency", String(given.concurrency)),
    );
  const total = given.runs * count;
  await submitDrafts(team, total);
  const first = await untilFinished(team, Math.ceil(total / 5));
  const began = performance.now();
  const sizeBefore = await databaseSize(server.url);
  const before = { workers: cpuOfWorkers(workers), database: cpuOfDatabase(server) };
  const [idleBefore, commitsBefore] = [idleSeconds(), await commitsOf(server)];
  const last = await untilFinished(team, total);
  const seconds = (performance.now() - began) / 1000;
  const idle = idleSeconds() - idleBefore;
  const calls = last.recorded - first.recorded;
  await tally(team);
  return {
    rate: calls / seconds,
    idle: idle / seconds,
    workerCpuMillisPerCall: round(((cpuOfWorkers(workers) - before.workers) * 1000) / calls),
    databaseCpuMillisPerCall: round(((cpuOfDatabase(server) - before.database) * 1000) / calls),
    transactionsPerCall: round(((await commitsOf(server)) - commitsBefore) / calls),
    bytesPerCall: Math.round(((await databaseSize(server.url)) - sizeBefore) / calls),
  };
}

/** Seconds that the processors of this machine had nothing to do, as a mean of all. */
function idleSeconds() {
  const [, , , , idle] = readFileSync("/proc/stat", "utf8").split(/\s+/u);
  return Number(idle) / 100 / cpus().length;
}

/** Transactions that wrote something, by the number that each of them takes. */
async function commitsOf(server) {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query(
    "SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS xid",
  );
  await client.end();
  return Number(rows[0].xid);
}

const prompt = "What a model is asked about a note and a gate. ".repeat(120);
const reply = "What it answers, with its reasons. ".repeat(40);

async function timesOf({ team }, given) {
  const environment = readEnvironment({ ...team.env });
  const { url, schema } = await databaseOf({ root: team.folder, environment });
  const store = await openPostgres({ url, schema, connections: 2 });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("CREATE TABLE bare (number SERIAL PRIMARY KEY, content TEXT)");
  const [bare, calls] = [[], []];
  try {
    const lease = await heldRun(store.runs, "timed");
    for (let at = 0; at < given["recorded-calls"]; at += 1) {
      // Each text is new, as in a sweep, so that it has to be stored.
      const facts = { ...creatorFacts, user: `${at} ${prompt}` };
      const value = `${at} ${reply}`;
      bare.push(await timed(() => twoCommits(client, facts, value)));
      calls.push(await timed(() => recordCall(store.runs, lease, { at, facts, value })));
    }
  } finally {
    await client.end();
    await store.close();
  }
  return { bare: median(bare), recorded: median(calls) };
}

async function twoCommits(client, facts, value) {
  for (const content of [JSON.stringify(facts), value]) {
    await client.query("BEGIN");
    await client.query("INSERT INTO bare (content) VALUES ($1)", [content]);
    await client.query("COMMIT");
  }
}

async function recordCall(runs, lease, { at, facts, value }) {
  const where = key("call", at);
  await begin(runs, lease, { tokens: 10 }, where);
  const usage = { input: 5, output: 5 };
  await runs.record(lease, recorded(value, where), [], { facts, end: { ...attemptEnd(1), usage } });
}

async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}

async function embeddedCost(models, given) {
  const script = fileURLToPath(new URL("../embedded-drafts.mjs", import.meta.url));
  const words = [script, models.url, String(given.runs * 4)];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  return Number(stdout);
}
