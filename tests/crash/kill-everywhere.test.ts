import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CrashPoint, crashPoints } from "../../src/domain/values/crash-points.ts";
import { type KillStates, keepKillStates, momentsOf, pointsIn } from "../support/kill-states.ts";
import { type LedgerEntry, ledgerOf, treeOf } from "../support/run-evidence.ts";
import { type EndedProcess, inFolder, runSignoff } from "../support/signoff-process.ts";
import { type CrashJob, crashJobs } from "./crash-jobs.ts";

/** Points that no drafting run meets; each is stopped at by the suite of its own feature. */
const outOfReach: readonly CrashPoint[] = [
  // src/orchestration/episodes/archive-protocol.test.ts
  "protocol-file-archived",
  // tests/crash/notes-crash.test.ts
  ...(["gates-finalizing", "gates-rows-written", "gates-finalized", "note-moved"] as const),
  // tests/crash/scenario-runs.test.ts
  ...(["answer-received", "step-judged", "scenario-judged", "pack-judged"] as const),
  "iteration-judged",
  // tests/crash: stages
  ...(["stage-read", "stage-loop-over", "run-review-filed"] as const),
  ...(["coder-starting", "coder-over", "stage-recorded"] as const),
];

const points = crashPoints.filter((point) => !outOfReach.includes(point));

const run = "6f6a0a3c-92f2-4c0e-8f0a-0d7f5a3c1b2e";
const clock = { SIGNOFF_FIXED_TIME: "2026-03-02T08:00:00.000Z" };

/** What a run left that was not interrupted. */
interface Reference {
  readonly ended: EndedProcess;
  readonly files: Readonly<Record<string, string>>;
  readonly ledger: readonly LedgerEntry[];
  readonly reached: ReadonlyMap<string, number>;
}

it("exempts only points that exist", () => {
  expect(crashPoints).toEqual(expect.arrayContaining([...outOfReach]));
  expect(points.length).toBeGreaterThan(10);
});

describe.each(crashJobs)("$title, killed", (job) => {
  let reference: Reference;
  let folder: string;
  let args: readonly string[];
  let killed: KillStates;

  beforeAll(async () => {
    reference = await inFolder((place) => runUndisturbed(job, place));
    expect(reference.ended).toMatchObject({ code: job.exitCode, signal: null });
    folder = await mkdtemp(join(tmpdir(), "signoff-killed-"));
    args = await argsOf(job, folder);
    const moments = [...reference.reached].flatMap(([point, times]) => momentsOf(point, times));
    killed = await keepKillStates(args, { cwd: folder, env: clock }, moments);
  });
  afterAll(async () => {
    killed.remove();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(points)("at %s ends as if nothing had happened", async (point) => {
    const times = reference.reached.get(point) ?? 0;
    expect(times, `${point} is never reached`).toBeGreaterThan(0);
    for (const moment of momentsOf(point, times)) {
      killed.restore(moment);
      await finishLike(reference, { folder, args });
    }
  });
});

describe("a fan-out with failures, killed twice in a row", () => {
  const job = crashJobs[1]!;
  let reference: Reference;

  beforeAll(async () => {
    reference = await inFolder((folder) => runUndisturbed(job, folder));
  });

  it.each([
    ["reply-recorded:2", "lease-taken"],
    ["reply-received:1", "reply-received:1"],
    ["attempt-started:2", "attempt-started:2"],
    ["reply-written-not-committed:2", "events-stored:1"],
    ["files-prepared:1", "files-prepared:1"],
    ["file-renamed:1", "events-projected:1"],
    ["turn-decided:1", "run-ending"],
    ["run-ending", "run-ended"],
  ])("at %s and, when resumed, at %s, ends as if nothing had happened", async (first, second) => {
    await inFolder(async (folder) => {
      const args = await argsOf(job, folder);
      await killAt(first, { folder, args });
      const before = await ledgerOf(folder, run);
      await killAt(second, { folder, args: ["runs", "resume", run, "--json"] });
      await expectNothingAskedTwice(folder, before);
      await finishLike(reference, { folder, args });
    });
  });
});

async function argsOf(job: CrashJob, folder: string): Promise<readonly string[]> {
  return [...(await job.prepare(folder)), "--run-id", run, "--json"];
}

async function runUndisturbed(job: CrashJob, folder: string): Promise<Reference> {
  const log = join(folder, "crash.log");
  const env = { ...clock, SIGNOFF_CRASH_LOG: log };
  const ended = await runSignoff(await argsOf(job, folder), { cwd: folder, env });
  const files = await treeOf(join(folder, ".signoff", "runs"));
  return { ended, files, ledger: await ledgerOf(folder, run), reached: pointsIn(log) };
}

interface Attempt {
  readonly folder: string;
  readonly args: readonly string[];
}

async function killAt(moment: string, { folder, args }: Attempt): Promise<void> {
  const env = { ...clock, SIGNOFF_STOP_AT: moment };
  const killed = await runSignoff(args, { cwd: folder, env });
  expect(killed, moment).toMatchObject({ code: null, signal: "SIGKILL", stdout: "" });
}

/** Types the command again and compares everything that can be seen afterwards. */
async function finishLike(reference: Reference, { folder, args }: Attempt): Promise<void> {
  const before = await ledgerOf(folder, run);
  const again = await runSignoff(args, { cwd: folder, env: clock });
  expect(again.stderr).not.toMatch(/error/iu);
  expect(again.code).toBe(reference.ended.code);
  expect(sessionOf(again)).toEqual(sessionOf(reference.ended));
  expect(await treeOf(join(folder, ".signoff", "runs"))).toEqual(reference.files);
  await expectNothingAskedTwice(folder, before);
  const kept = (await ledgerOf(folder, run)).filter(({ state }) => state === "replied");
  const wanted = reference.ledger.filter(({ state }) => state === "replied");
  expect(kept.map(({ key }) => key)).toEqual(wanted.map(({ key }) => key));
}

/** A recorded call is never made again; any other at most once more, and what was in flight is called lost. */
async function expectNothingAskedTwice(
  folder: string,
  before: readonly LedgerEntry[],
): Promise<void> {
  const after = await ledgerOf(folder, run);
  for (const key of new Set(after.map((entry) => entry.key))) {
    const earlier = before.filter((entry) => entry.key === key);
    const more = after.filter((entry) => entry.key === key).length - earlier.length;
    const isRecorded = earlier.some((entry) => entry.isRecorded);
    expect(more, `${key} was asked ${more} times more`).toBeLessThanOrEqual(isRecorded ? 0 : 1);
  }
  for (const { key, attempt, state } of before) {
    const now = after.find((entry) => entry.key === key && entry.attempt === attempt);
    expect(now?.state).toBe(state === "started" ? "lost" : state);
  }
}

/** An interrupted run differs only in how many replies were replayed and how many calls were lost with their process. */
function sessionOf({ stdout }: EndedProcess): unknown {
  const session = JSON.parse(stdout) as {
    readonly usage: { readonly calls: number; readonly unanswered: number | null };
  };
  const { calls, unanswered, ...usage } = session.usage;
  return { ...session, usage: { ...usage, replayed: 0, replies: calls - (unanswered ?? 0) } };
}
