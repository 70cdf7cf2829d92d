// Workers are killed every few seconds and others started, PostgreSQL is killed once and started again. Every run must
// finish, every reply must be recorded once, and the server must have been asked exactly what is recorded plus, run by
// run, no more than the calls that were in flight on a worker that died.
import { setTimeout as pause } from "node:timers/promises";
import {
  perRun,
  submitDrafts,
  tally,
  untilFinished,
} from "../../../tests/support/cluster-drill.ts";
import {
  cpuOfDatabase,
  cpuOfWorkers,
  databaseSize,
  round,
  unless,
  withTeam,
} from "../team-at-work.mjs";

export const options = {
  runs: "300",
  workers: "3",
  latency: "20",
  concurrency: "20",
  "kill-every": "4",
  "kill-postgres-after": "20",
};

export async function run(given) {
  return await withTeam({ latency: given.latency }, async (about) => {
    const { team, models, server } = about;
    const briefs = await submitDrafts(team, given.runs);
    const sizeBefore = await databaseSize(server.url);
    const workers = new Map();
    let number = 0;
    const startOne = async () => {
      number += 1;
      const name = `worker-${number}`;
      workers.set(name, await team.startWorker(name, "--concurrency", String(given.concurrency)));
    };
    for (let at = 0; at < given.workers; at += 1) await startOne();
    const began = performance.now();
    const trouble = makeTrouble(given, about, workers, startOne);
    const cpuBefore = cpuOfDatabase(server);
    const ended = await untilFinished(team, given.runs);
    const seconds = (performance.now() - began) / 1000;
    await trouble.stop();
    const gone = [...workers].filter(([, { child }]) => child.exitCode !== null);
    const counts = await compare(team, models, briefs);
    const isQuiet = trouble.killed === 0 && trouble.facts.before === undefined;
    const measured = {
      workerCpuMillisPerCall: round((cpuOfWorkers([...workers.values()]) * 1000) / ended.recorded),
      databaseCpuMillisPerCall: round(
        ((cpuOfDatabase(server) - cpuBefore) * 1000) / ended.recorded,
      ),
      bytesPerCall: Math.round(((await databaseSize(server.url)) - sizeBefore) / ended.recorded),
    };
    return {
      rows: {
        "runs finished": `${ended.finished} of ${ended.runs}`,
        "calls recorded": ended.recorded,
        "asked at the server": models.asked.length,
        "asked again after being in flight on a killed worker": counts.again,
        "workers killed": trouble.killed,
        ...(trouble.facts.before === undefined
          ? {}
          : { "calls recorded before PostgreSQL was killed": trouble.facts.before }),
        seconds: round(seconds),
        "calls a second": round(ended.recorded / seconds),
        ...(isQuiet
          ? {
              "processor time of workers per call, ms": measured.workerCpuMillisPerCall,
              "processor time of the database per call, ms": measured.databaseCpuMillisPerCall,
              "growth of the database per call, bytes": measured.bytesPerCall,
            }
          : {}),
      },
      ...(isQuiet ? { measured } : {}),
      problems: [
        ...gone.map(([name, worker]) => `${name} ended by itself: ${worker.output()}`),
        ...unless(ended.finished === given.runs, `${ended.finished} runs finished`),
        ...unless(
          ended.recorded === 3 * given.runs && ended.replied === ended.recorded,
          `${ended.recorded} calls are recorded, ${ended.replied} replied`,
        ),
        ...unless(
          models.asked.length === ended.recorded + counts.again,
          `the server was asked ${models.asked.length} times`,
        ),
        ...unless(
          trouble.killed > 0 || counts.again === 0,
          `${counts.again} calls were repeated although no worker was killed`,
        ),
        ...counts.problems,
      ],
    };
  });
}

/** Run by run: three calls, and one more for each attempt that was lost with its worker, if it reached the server. */
async function compare(team, models, briefs) {
  const asked = new Map();
  for (const { text } of models.asked) {
    const [brief = ""] = /lamp number \d+ of \d+/u.exec(text) ?? [];
    asked.set(brief, (asked.get(brief) ?? 0) + 1);
  }
  const problems = [];
  let again = 0;
  for (const { run, recorded, lost } of await perRun(team)) {
    const times = asked.get(briefs.get(run)) ?? 0;
    again += times - recorded;
    if (times < recorded || times > recorded + lost) {
      problems.push(`run ${run}: asked ${times}, recorded ${recorded}, lost ${lost}`);
    }
  }
  return { again, problems };
}

function makeTrouble(given, { team, server }, workers, startOne) {
  const stopped = new AbortController();
  const trouble = { killed: 0, facts: {} };
  const wait = (seconds) => pause(seconds * 1000, undefined, { signal: stopped.signal });
  const killing = async () => {
    while (given["kill-every"] > 0) {
      await wait(given["kill-every"]);
      const [name, worker] = workers.entries().next().value;
      worker.child.kill("SIGKILL");
      workers.delete(name);
      trouble.killed += 1;
      // A worker that finds no database at its start ends, and is started again as a service would be.
      while (
        !(await startOne().then(
          () => true,
          () => false,
        ))
      )
        await wait(1);
    }
  };
  const restarting = async () => {
    if (given["kill-postgres-after"] === 0) return;
    await wait(given["kill-postgres-after"]);
    trouble.facts.before = (await tally(team)).recorded;
    await server.kill();
    await server.start();
  };
  const ended = Promise.allSettled([killing(), restarting()]);
  trouble.stop = async () => {
    stopped.abort();
    const settled = await ended;
    const broken = settled.find(
      (one) => one.status === "rejected" && one.reason.name !== "AbortError",
    );
    if (broken !== undefined) throw broken.reason;
  };
  return trouble;
}
