import { expect, it } from "vitest";
import { EmbeddedEngine } from "../../adapters/engines/embedded/embedded-engine.ts";
import { Scheduler } from "../../adapters/engines/scheduler.ts";
import { openMemoryStore } from "../../adapters/persistence/sqlite/open-store.ts";
import { runId } from "../../domain/values/ids.ts";
import { instant } from "../../domain/values/instant.ts";
import type { Job } from "../../ports/flow.ts";
import { type EpisodeProject, submitEpisodeJob } from "./episode-project.ts";

const minute = (past: number) => instant(`2026-11-15T12:0${past}:00.000Z`);
const now = minute(2);

/** A workspace whose loops end at once. */
function openEpisode(): EpisodeProject {
  const store = openMemoryStore();
  let runs = 0;
  const newId = (): string => {
    runs += 1;
    return `00000000-0000-4000-8000-${String(runs).padStart(12, "0")}`;
  };
  const clock = { now: () => now, monotonic: () => 0, sleep: async () => undefined };
  const policy = { attempts: 1, baseMs: 0, mostMs: 0 };
  const engine = new EmbeddedEngine({
    store: store.runs,
    flows: new Map([["episode-review", async () => null]]),
    runnerFor: () => Promise.reject(new Error("no model may be asked")),
    scheduler: new Scheduler({ clock, chance: () => 0, policy, concurrencyOf: () => 1 }),
    projectors: [],
    clock,
    owner: { host: "studio", pid: 1, processStart: "1" },
    isDead: () => false,
    newRunId: () => runId("unused"),
    crash: { reach: () => undefined },
    observer: { notice: () => undefined },
    childConcurrency: 1,
  });
  return { engine, store, lock: (work) => work(), clock, newId, isDead: () => false };
}

function slugFrozenAt(createdAt: Job["createdAt"]): Job {
  return { id: "slug/1", kind: "episode-review", input: null, settings: {}, createdAt };
}

it("takes what another process finished since the job was frozen for what was asked, and nothing older", async () => {
  const episode = openEpisode();
  const first = await submitEpisodeJob(episode, slugFrozenAt(minute(0)));
  await episode.engine.ending(first.run, new AbortController().signal);
  const late = await submitEpisodeJob(episode, slugFrozenAt(minute(1)));
  expect(late).toEqual({ run: first.run, continued: true });
  const next = await submitEpisodeJob(episode, slugFrozenAt(minute(3)));
  expect(next.continued).toBe(false);
  expect(next.run).not.toBe(first.run);
});
