import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { EmbeddedEngine } from "../../adapters/engines/embedded/embedded-engine.ts";
import { Scheduler } from "../../adapters/engines/scheduler.ts";
import { openMemoryStore } from "../../adapters/persistence/sqlite/open-store.ts";
import type { SqliteStore } from "../../adapters/persistence/sqlite/sqlite-store.ts";
import { createRunFolders } from "../../adapters/workspace/run-folders.ts";
import { writeArtifact } from "../../contract/scenarios/artifacts.ts";
import { key, type RunId, runId } from "../../domain/values/ids.ts";
import { instant } from "../../domain/values/instant.ts";
import type { Flow } from "../../ports/flow.ts";
import type { RunFolders } from "../../ports/run-folders.ts";
import { holder } from "../../testing/run-store-stories.ts";
import { type RunParts, startRun } from "./start-run.ts";

const at = instant("2026-11-15T12:00:00.000Z");
const clock = { now: () => at, monotonic: () => 0, sleep: async () => undefined };
const start = { kind: "pack", folder: "out", input: null } as const;

let root: string;
let store: SqliteStore;
let folders: RunFolders;
let runs = 0;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "signoff-packs-"));
  store = openMemoryStore();
  folders = createRunFolders(root, { reach: () => undefined });
});
afterEach(() => {
  store.close();
  rmSync(root, { recursive: true, force: true });
});

/** A process whose runs leave a manifest and, unless they are to stay, their end. */
function processOf(pid: number, staying = false): RunParts & { readonly engine: EmbeddedEngine } {
  const flow: Flow = async (ctx) => {
    const manifest = { runId: ctx.run, kind: "pack", subject: "shop", finished: !staying } as const;
    const content = writeArtifact("run_manifest.json", {
      ...manifest,
      specHash: "a".repeat(64),
      files: {},
    });
    await ctx.step(key("manifest"), null, async () => {
      await folders.write("out", [{ name: "run_manifest.json", content }]);
      return null;
    });
    if (staying) await ctx.step(key("questions"), null, () => new Promise<null>(() => undefined));
    return null;
  };
  const policy = { attempts: 1, baseMs: 0, mostMs: 0 };
  const engine = new EmbeddedEngine({
    store: store.runs,
    flows: new Map([["pack", flow]]),
    runnerFor: () => Promise.reject(new Error("no model may be asked")),
    scheduler: new Scheduler({ clock, chance: () => 0, policy, concurrencyOf: () => 1 }),
    projectors: [],
    clock,
    owner: { host: "shop", pid, processStart: "1" },
    isDead: () => false,
    newRunId: () => runId("unused"),
    crash: { reach: () => undefined },
    observer: { notice: () => undefined },
    childConcurrency: 1,
  });
  const newId = (): string => {
    runs += 1;
    return `00000000-0000-4000-8000-${String(runs).padStart(12, "0")}`;
  };
  const load = (run: RunId) => store.runs.load(run);
  return { engine, clock, folders, load, newId, isDead: () => false };
}

async function played(parts: RunParts): Promise<RunId> {
  const { run } = await startRun(parts, start);
  await parts.engine.ending(run, new AbortController().signal);
  return run;
}

async function manifestRun(folder: string): Promise<string | undefined> {
  return (await folders.read(folder, "run_manifest.json"))?.match(
    /[0-9a-f]{8}-[0-9a-f-]{27}/u,
  )?.[0];
}

/** Like `parts`, but another process acts between its first look into the folder and its own action. */
function slowed(parts: RunParts, act: () => Promise<unknown>): RunParts {
  let looks = 0;
  const read: RunFolders["read"] = async (...given) => {
    looks += 1;
    const found = await folders.read(...given);
    if (looks === 1) await act();
    return found;
  };
  const names: RunFolders["names"] = async (folder) => (looks === 1 ? [] : folders.names(folder));
  return { ...parts, folders: { ...folders, read, names } };
}

it("a run that another process played in the same folder meanwhile is set aside, not overwritten", async () => {
  const [quick, slow] = [processOf(1), processOf(2)];
  let theirs: RunId | undefined;
  const own = await played(
    slowed(slow, async () => {
      theirs = await played(quick);
    }),
  );
  expect(own).not.toBe(theirs);
  expect(await manifestRun("out")).toBe(own);
  expect(await manifestRun(`out.runs/${theirs}`)).toBe(theirs);
});

it("an earlier run that another process sets aside meanwhile is set aside once", async () => {
  const [quick, slow] = [processOf(1), processOf(2)];
  const first = await played(quick);
  let second: RunId | undefined;
  const third = await played(
    slowed(slow, async () => {
      second = await played(quick);
    }),
  );
  expect(await manifestRun("out")).toBe(third);
  for (const run of [first, second]) expect(await manifestRun(`out.runs/${run}`)).toBe(run);
});

it("a run that was brought back from aside and left there too is named, and nothing is moved", async () => {
  const parts = processOf(1);
  const first = await played(parts);
  await played(parts);
  rmSync(join(root, "out"), { recursive: true });
  cpSync(join(root, `out.runs/${first}`), join(root, "out"), { recursive: true });
  const again = startRun(parts, start);
  await expect(again).rejects.toMatchObject({ code: "folder-in-use", facts: { run: first } });
  expect(await manifestRun("out")).toBe(first);
});

it("the id of a finished run, or of a run in another folder, is refused before anything is moved", async () => {
  const parts = processOf(1);
  const run = await played(parts);
  for (const folder of ["out", "elsewhere"]) {
    const again = startRun(parts, { ...start, folder, run });
    await expect(again).rejects.toMatchObject({ code: "run-exists", facts: { run } });
  }
  expect(await manifestRun("out")).toBe(run);
});

it("a folder that another process is using is not archived, even with `fresh`", async () => {
  const busy = processOf(1, true);
  const { run } = await startRun(busy, start);
  await expect.poll(() => manifestRun("out")).toBe(run);
  const other = startRun(processOf(2), { ...start, fresh: true });
  await expect(other).rejects.toMatchObject({ code: "run-held", facts: { pid: 1 } });
  expect(await manifestRun("out")).toBe(run);
});

it("an unfinished run that another process finishes meanwhile is the one that was asked for", async () => {
  const stopped = processOf(1, true);
  const { run } = await startRun(stopped, start);
  await expect.poll(() => manifestRun("out")).toBe(run);
  const [quick, slow] = [processOf(2), processOf(3)];
  stopped.engine.interrupt("now");
  const taken = await store.runs.acquire(run, holder(9), () => true);
  if (taken.kind !== "taken") throw new Error(taken.kind);
  await store.runs.end(taken.lease, { kind: "stopped", reason: "interrupted", facts: {} }, [], at);
  const load = async (which: RunId) => {
    const found = await store.runs.load(which);
    await quick.engine.resume(which, {});
    await quick.engine.ending(which, new AbortController().signal);
    return found;
  };
  expect(await startRun({ ...slow, load }, start)).toMatchObject({ run, continued: true });
});
