// Thousands of runs wait for a person: workers must have next to nothing to do meanwhile, and all runs must go on when
// they are decided, after the workers were replaced by others.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openProject } from "../../../src/wiring/project/project.ts";
import { readEnvironment } from "../../../src/wiring/settings/environment.ts";
import { look, submitDrafts, untilFinished } from "../../../tests/support/cluster-drill.ts";
import { cpuOfDatabase, cpuOfWorkers, round, unless, withTeam } from "../team-at-work.mjs";

export const options = { runs: "5000", workers: "2", seconds: "30", concurrency: "20" };

const recipe = `---
id: waiting
title: Waiting
format: plain
reply: plain
approval: structured
max_turns: 3
max_characters: 500
checks: []
stop_rules: []
stop_on_needs_human: true
writer: { temperature: 0.7, max_tokens: 100 }
reviewer: { temperature: 0.3, max_tokens: 100 }
---

## Writer

You write slogans.

## Reviewer

You judge slogans.
`;

const person = "Please make it warmer.";

function replyOf({ isReview, text }) {
  if (!isReview) return text.includes(person) ? "Warm Light, Folded Flat" : "Fold It Flat";
  const verdict = text.includes("Warm Light") ? "ok" : "needs_human";
  return JSON.stringify({ verdict, issues: [], summary: "A matter of taste." });
}

export async function run(given) {
  return await withTeam({ latency: 1, reply: replyOf }, async ({ team, models, server }) => {
    mkdirSync(join(team.folder, "signoff", "recipes"), { recursive: true });
    writeFileSync(join(team.folder, "signoff", "recipes", "waiting.md"), recipe);
    const start = async (generation) => {
      const names = Array.from({ length: given.workers }, (_, at) => `${generation}-${at + 1}`);
      return await Promise.all(
        names.map((name) => team.startWorker(name, "--concurrency", String(given.concurrency))),
      );
    };
    const before = await start("before");
    await submitDrafts(team, given.runs, "waiting", 1);
    await untilState(team, "waiting", given.runs);
    const asked = models.asked.length;
    const share = await idleShare(before, given.seconds);
    const database = await idleShare([{ child: { pid: undefined } }], given.seconds, server);
    for (const { child } of before) child.kill("SIGTERM");
    const codes = await Promise.all(before.map(({ ended }) => ended));
    await start("after");
    const began = performance.now();
    await answerAll(team);
    const ended = await untilFinished(team, given.runs);
    return {
      rows: {
        "runs that waited": given.runs,
        "processor use of each worker meanwhile, % of one": round(share * 100),
        "processor use of the database meanwhile, % of one": round(database * 100),
        "runs finished after new workers were started and all was decided": ended.finished,
        "seconds for that": round((performance.now() - began) / 1000),
        "calls recorded, and asked": `${ended.recorded}, ${models.asked.length}`,
      },
      problems: [
        ...unless(share < 0.01, `workers use ${round(share * 100)} % of a core`),
        ...unless(
          codes.every((code) => code === 0),
          `workers ended with ${codes}`,
        ),
        ...unless(asked === 2 * given.runs, `${asked} calls before the decision`),
        ...unless(ended.recorded === models.asked.length, `${models.asked.length} were asked`),
      ],
    };
  });
}

async function untilState(team, state, count) {
  for (;;) {
    const [row] = await look(team, `SELECT count(*)::int AS n FROM runs WHERE state = '${state}'`);
    if (row.n >= count) return;
    await pause(500);
  }
}

/** Of one processor, as a mean over the workers; or of the database. */
async function idleShare(workers, seconds, server) {
  const used = () => (server === undefined ? cpuOfWorkers(workers) : cpuOfDatabase(server));
  const before = used();
  await pause(seconds * 1000);
  return (used() - before) / seconds / workers.length;
}

async function answerAll(team) {
  const environment = readEnvironment({ ...team.env });
  const project = await openProject({ root: team.folder, environment });
  try {
    const waiting = await look(team, "SELECT id, version FROM decisions WHERE answer IS NULL");
    const answer = async () => {
      for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
        const given = { choice: "continue", comment: person, by: "Ada", at: project.clock.now() };
        await project.engine.answer(one.id, given, one.version);
      }
    };
    await Promise.all(Array.from({ length: 8 }, answer));
  } finally {
    await project.close();
  }
}
