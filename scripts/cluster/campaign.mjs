// npm run cluster-campaign -- [--runs 5000] [--workers 3] [--latency 20] [--kill-every 4] [--kill-postgres] [--freeze]
//   [--concurrency 20] [--keep]
//
// Workers as processes, drafts of three calls each against a server that counts them. A worker is killed every few
// seconds and another started, PostgreSQL is killed once and started again, one worker is frozen and thawed. At the end
// every run must have finished, every reply must be recorded once, and the server must have been asked no more than
// what was recorded or lost with a worker. --keep writes what one call costs to docs/figures.json.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { openTeam } from "../../tests/support/cluster.ts";
import { submitDrafts, tally, untilFinished } from "../../tests/support/cluster-drill.ts";
import { openCountingModels } from "../../tests/support/counting-models.ts";
import { startPostgres } from "../../tests/support/postgres.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "200" },
    workers: { type: "string", default: "3" },
    latency: { type: "string", default: "20" },
    concurrency: { type: "string", default: "20" },
    "kill-every": { type: "string", default: "0" },
    "kill-postgres": { type: "boolean", default: false },
    freeze: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
  },
});
const runs = Number(values.runs);
const command = `npm run cluster-campaign -- ${process.argv.slice(2).join(" ")}`.trim();
// Synced commits, as in production: the figures are about them.
const server = await startPostgres({ fsync: "on", full_page_writes: "on" });
const models = await openCountingModels(Number(values.latency));
const team = openTeam({ database: server.url, models: models.url });
let problems = [];
try {
  const migrated = await team.run("store", "migrate");
  if (migrated.code !== 0) throw new Error(migrated.output);
  problems = await campaign();
} finally {
  await team.close();
  await models.close();
  await server.remove();
}
for (const problem of problems) console.error(`WRONG: ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;

async function campaign() {
  await submitDrafts(team, runs);
  const sizeBefore = await databaseSize();
  const workers = new Map();
  let number = 0;
  const startOne = async () => {
    number += 1;
    const name = `worker-${number}`;
    workers.set(name, await team.startWorker(name, "--concurrency", values.concurrency));
  };
  for (let at = 0; at < Number(values.workers); at += 1) await startOne();
  const began = performance.now();
  const trouble = makeTrouble(workers, startOne);
  const cpuBefore = cpuOfDatabase();
  const ended = await untilFinished(team, runs);
  const seconds = (performance.now() - began) / 1000;
  trouble.stop();
  await trouble.ended;
  const cpu = [...workers.values()].reduce((sum, { child }) => sum + cpuOf(child.pid), 0);
  const calls = ended.recorded;
  const measured = {
    workerCpuMillisPerCall: round((cpu * 1000) / calls),
    databaseCpuMillisPerCall: round(((cpuOfDatabase() - cpuBefore) * 1000) / calls),
    bytesPerCall: Math.round(((await databaseSize()) - sizeBefore) / calls),
    transactionsPerCall: round(2 + 4 / 3),
  };
  const rows = {
    "runs finished": `${ended.finished} of ${ended.runs}`,
    "calls recorded": calls,
    "asked at the server": models.asked.length,
    "lost with a worker": ended.lost,
    "workers killed": trouble.killed(),
    seconds: round(seconds),
    "calls a second": round(calls / seconds),
    "processor time of workers per call, ms": measured.workerCpuMillisPerCall,
    "processor time of the database per call, ms": measured.databaseCpuMillisPerCall,
    "growth of the database per call, bytes": measured.bytesPerCall,
    ...trouble.facts(),
  };
  console.log(`${command} (${cpus().length} processors)`);
  for (const [name, value] of Object.entries(rows)) console.log(`  ${name.padEnd(46)} ${value}`);
  if (values.keep) keep(measured, rows);
  return [
    ...(ended.finished === runs ? [] : [`${ended.finished} of ${runs} runs finished`]),
    ...(calls === 3 * runs && ended.replied === calls
      ? []
      : [`${calls} calls are recorded, ${ended.replied} replied`]),
    ...(models.asked.length >= calls
      ? []
      : ["the server was asked less often than calls are recorded"]),
    ...(models.asked.length <= calls + ended.lost + ended.failed
      ? []
      : [`the server was asked ${models.asked.length} times`]),
  ];
}

function makeTrouble(workers, startOne) {
  const stopped = new AbortController();
  const facts = {};
  let killed = 0;
  const wait = (millis) => pause(millis, undefined, { signal: stopped.signal });
  const killing = async () => {
    const every = Number(values["kill-every"]) * 1000;
    while (every > 0) {
      await wait(every);
      const [name, worker] = workers.entries().next().value;
      worker.child.kill("SIGKILL");
      workers.delete(name);
      killed += 1;
      await startOne();
    }
  };
  const restarting = async () => {
    if (!values["kill-postgres"]) return;
    await wait(3000);
    const before = await tally(team);
    await server.kill();
    await server.start();
    facts["calls recorded before the database was killed"] = before.recorded;
  };
  const freezing = async () => {
    if (!values.freeze) return;
    await wait(1500);
    const worker = [...workers.values()].at(-1);
    worker.child.kill("SIGSTOP");
    facts["one worker frozen"] = "yes, thawed at the end";
    await wait(1e9).catch(() => undefined);
    worker.child.kill("SIGCONT");
  };
  const ended = Promise.allSettled([killing(), restarting(), freezing()]);
  return { stop: () => stopped.abort(), ended, killed: () => killed, facts: () => facts };
}

function keep(measured, rows) {
  const file = new URL("../../docs/figures.json", import.meta.url);
  const figures = JSON.parse(readFileSync(file, "utf8"));
  const date = new Date().toISOString().slice(0, 10);
  figures.cluster = {
    date,
    node: process.version,
    cpus: cpus().length,
    command,
    ...measured,
    rows,
  };
  writeFileSync(file, `${JSON.stringify(figures, undefined, 2)}\n`);
}

async function databaseSize() {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    await client.query("CHECKPOINT");
    const { rows } = await client.query("SELECT pg_database_size(current_database()) AS size");
    return Number(rows[0].size);
  } finally {
    await client.end();
  }
}

/** Seconds of processor time that a process has used, its own and that of children it has waited for. */
function cpuOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /u, "")
      .split(" ");
    const ticks = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
    return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0) / ticks;
  } catch {
    return 0;
  }
}

/** The server's process and those of its connections. */
function cpuOfDatabase() {
  const pid = server.pid();
  const children = execFileSync("ps", ["--ppid", String(pid), "-o", "pid="], { encoding: "utf8" });
  const all = [String(pid), ...children.split("\n")]
    .map((one) => one.trim())
    .filter((one) => one !== "");
  return all.reduce((sum, one) => sum + cpuOf(one), 0);
}

function round(value) {
  return Math.round(value * 100) / 100;
}
