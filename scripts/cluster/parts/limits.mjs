// A rate that the provider allows holds over four workers, and a refusal that one of them gets slows all of them. Both
// are counted where the questions arrive.
import { setTimeout as pause } from "node:timers/promises";
import { submitDrafts, untilFinished } from "../../../tests/support/cluster-drill.ts";
import { round, unless, withTeam } from "../team-at-work.mjs";

export const options = {
  workers: "4",
  runs: "100",
  "per-second": "10",
  /** Few and slow, so that places are the limit and not the processors. */
  places: "12",
  latency: "1000",
};

export async function run(given) {
  const rate = await withTeam(
    {
      latency: 20,
      settings: `limits: { requests_per_second: { ollama: ${given["per-second"]} }, concurrency: { ollama: 500 } }`,
    },
    (about) => rateOver(about, given),
  );
  const slowing = await withTeam(
    { latency: given.latency, settings: `limits: { concurrency: { ollama: ${given.places} } }` },
    (about) => afterRefusal(about, given),
  );
  const allowed = given["per-second"];
  const mostSlowed = 0.75;
  return {
    rows: {
      "requests a second that are allowed": allowed,
      "requests a second at the server": round(rate.mean),
      "most requests within any second, wherever it begins": rate.most,
      "requests at once before a refusal": round(slowing.before),
      "requests at once from 2 s after it": round(slowing.after),
    },
    problems: [
      ...unless(rate.mean <= allowed * 1.1, `${round(rate.mean)} requests a second`),
      ...unless(rate.most <= allowed * 1.1, `${rate.most} requests within one second`),
      ...unless(rate.mean >= allowed * 0.9, `only ${round(rate.mean)} requests a second`),
      ...unless(slowing.after <= slowing.before * mostSlowed, "a refusal slowed no worker"),
    ],
  };
}

async function startAll(team, { workers, runs }) {
  for (let at = 1; at <= workers; at += 1)
    await team.startWorker(`worker-${at}`, "--concurrency", String(Math.ceil(runs / workers)));
}

async function rateOver({ team, models }, given) {
  await startAll(team, given);
  await submitDrafts(team, given.runs);
  await untilFinished(team, given.runs);
  const times = models.asked.map(({ at }) => at).sort((one, other) => one - other);
  // Towards the end too few runs are left to use the rate up.
  const early = times.slice(0, Math.ceil(times.length * 0.8));
  const seconds = (early.at(-1) - early[0]) / 1000;
  const most = times.map((from) => times.filter((at) => at >= from && at < from + 1000).length);
  return { mean: (early.length - 1) / seconds, most: Math.max(...most) };
}

async function afterRefusal({ team, models }, given) {
  await startAll(team, given);
  await submitDrafts(team, given.runs * 4);
  await pause(8000);
  const at = performance.now();
  models.refusals.push(429);
  await pause(5000);
  const mean = (from, to) => {
    const counts = models.asked.filter((one) => one.at >= from && one.at < to);
    return counts.reduce((sum, one) => sum + one.atOnce, 0) / counts.length;
  };
  return { before: mean(at - 4000, at), after: mean(at + 2000, performance.now()) };
}
