import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openStore } from "../../src/adapters/persistence/sqlite/open-store.ts";
import { assetKinds } from "../../src/domain/episodes/asset-kind.ts";
import type { CrashPoint } from "../../src/domain/values/crash-points.ts";
import { runId } from "../../src/domain/values/ids.ts";
import { type KillStates, keepKillStates, momentsOf, pointsIn } from "../support/kill-states.ts";
import { newFolder, signoff, steps, treeOf } from "./episode-process.ts";

const run = "5f0c7a52-6c1e-4a53-9a44-0d1c3f6f2a11";
const at = { SIGNOFF_FIXED_TIME: "2026-03-02T08:00:00.000Z" };
/** Every checkpoint that a review of an episode meets. */
const points: readonly CrashPoint[] = [
  ...(["run-created", "lease-taken", "attempt-started", "reply-received"] as const),
  ...(["reply-written-not-committed", "reply-recorded", "events-stored"] as const),
  ...(["files-prepared", "file-renamed", "files-written", "events-projected"] as const),
  ...(["turn-decided", "run-ending", "run-ended"] as const),
];
const review = ["episode", "review", "--all", "--run-id", run];
let home: string;
let ready: string;
let uninterrupted: { readonly [path: string]: string };
let replies: number;
let code: number | null;
let reached: ReadonlyMap<string, number>;
let place: string;
let killed: KillStates;

beforeAll(async () => {
  home = newFolder();
  const init = ["episode", "init", "--episode-id", "bread_042", "--workspace", "ready"];
  await signoff(init, { cwd: home, env: at });
  ready = join(home, "ready");
  const talk = join(import.meta.dirname, "../../examples/episode/transcript.txt");
  await steps(
    ready,
    ["add", "--transcript", talk, "--host", "Mira Olsen"],
    ["chunk"],
    ["summarize"],
  );
  // Signed texts are left alone: four that are not are enough to be killed between.
  for (const id of assetKinds.slice(4)) {
    await signoff(["episode", "review", "--asset-id", id], { cwd: ready });
  }
  const log = join(home, "points.log");
  const cwd = copyTo("whole");
  const ended = await signoff(review, { cwd, env: { ...at, SIGNOFF_CRASH_LOG: log } });
  expect(ended.code, ended.stderr).not.toBeNull();
  code = ended.code;
  uninterrupted = treeOf(cwd);
  replies = await repliesIn(cwd);
  reached = pointsIn(log);
  place = copyTo("killed");
  const moments = [...reached].flatMap(([name, times]) => momentsOf(name, times));
  const env = { ...at, SIGNOFF_USER: "Ada Bell" };
  killed = await keepKillStates(review, { cwd: place, env }, moments);
});
afterAll(() => {
  killed.remove();
  rmSync(home, { recursive: true, force: true });
});

/** A workspace that is ready to be reviewed, with its project around it. */
function copyTo(name: string): string {
  const folder = join(home, name, "ready");
  mkdirSync(join(home, name), { recursive: true });
  cpSync(ready, folder, { recursive: true });
  return folder;
}

async function repliesIn(folder: string): Promise<number> {
  const store = openStore({ path: join(folder, ".signoff/signoff.db"), mode: "read" });
  const lines = await store?.read(({ ledger }) => ledger.lines(runId(run), { limit: 1000 }));
  store?.close();
  return (lines ?? []).filter((line) => line.state === "replied").length;
}

it("meets all its checkpoints", () => {
  expect([...reached.keys()].sort()).toEqual([...points].sort());
});

it.each(points)(
  "killed at the first, a middle and the last %s, a rerun leaves the same tree and asks nothing twice",
  async (name) => {
    for (const moment of momentsOf(name, reached.get(name) ?? 0)) {
      killed.restore(moment);
      const again = await signoff(review, { cwd: place, env: at });
      expect(again.code, `after ${moment}: ${again.stderr}`).toBe(code);
      expect(treeOf(place), `after ${moment}`).toEqual(uninterrupted);
      expect(await repliesIn(place), `calls after ${moment}`).toBe(replies);
    }
  },
);
