import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { at, engineOn, heldBack, job, open, write } from "../../../tests/support/letter-engine.ts";
import { type RunId, runId } from "../../domain/values/ids.ts";
import { instant } from "../../domain/values/instant.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { RunStore } from "../../ports/run-store.ts";
import { openMemoryStore } from "../persistence/sqlite/open-store.ts";

const flows = new Map([["letter", write]]);
const halfAMinuteLater = instant("2026-11-15T12:00:30.000Z");

describe("the heartbeat of a run", () => {
  let store: RunStore;
  let runner: ReturnType<typeof heldBack>;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    store = openMemoryStore().runs;
    runner = heldBack();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Five seconds pass, and the heartbeat comes back. */
  async function beatOnce(): Promise<void> {
    vi.advanceTimersByTime(5_000);
    await setImmediate();
    await setImmediate();
  }

  async function begin() {
    const engine = engineOn({ store, flows, runner, pid: 11 });
    const run = await engine.submit(job);
    await runner.begun;
    return { engine, run };
  }

  it("extends the lease every five seconds until the run has ended", async () => {
    const beat = vi.spyOn(store, "heartbeat");
    const { engine, run } = await begin();
    vi.advanceTimersByTime(4_999);
    expect(beat).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    await setImmediate();
    await beatOnce();
    await beatOnce();
    const term = { since: at, expires: halfAMinuteLater };
    expect(beat.mock.calls.map(([lease, given]) => [lease.run, given])).toEqual(
      [1, 2, 3].map(() => [run, term]),
    );
    expect((await store.load(run))?.holder).toMatchObject({ pid: 11, expires: halfAMinuteLater });
    runner.finish();
    await engine.ending(run, open);
    vi.advanceTimersByTime(60_000);
    expect(beat).toHaveBeenCalledTimes(3);
  });

  it("waits for one that the store has not answered, instead of sending more", async () => {
    const answered = Promise.withResolvers<undefined>();
    const beat = vi.spyOn(store, "heartbeat").mockReturnValueOnce(answered.promise);
    const { engine, run } = await begin();
    await beatOnce();
    await beatOnce();
    expect(beat).toHaveBeenCalledTimes(1);
    answered.resolve(undefined);
    await setImmediate();
    await beatOnce();
    expect(beat).toHaveBeenCalledTimes(2);
    runner.finish();
    expect(await engine.ending(run, open)).toMatchObject({ kind: "finished" });
  });

  it("ends a run that another process has cancelled, with the call in flight", async () => {
    const { engine, run } = await begin();
    await store.requestCancel(run, "wrong customer", at);
    const ending = engine.ending(run, open);
    vi.advanceTimersByTime(5_000);
    expect(await ending).toEqual({ kind: "cancelled", reason: "wrong customer" });
    expect(runner.calls).toBe(1);
  });

  it("abandons a run that another process has taken, and its call in flight", async () => {
    const { engine, run } = await begin();
    await take(run);
    const ending = engine.ending(run, open);
    vi.advanceTimersByTime(5_000);
    await expect(ending).rejects.toMatchObject({ code: "lease-lost" });
    expect(await store.load(run)).toMatchObject({ state: "running", holder: { pid: 99 } });
  });

  it("goes on after a store that was busy for a moment", async () => {
    const busy = new WorkflowError("busy", { code: "store-busy" });
    const beat = vi.spyOn(store, "heartbeat").mockRejectedValueOnce(busy);
    const { engine, run } = await begin();
    await beatOnce();
    await beatOnce();
    expect(beat).toHaveBeenCalledTimes(2);
    runner.finish();
    expect(await engine.ending(run, open)).toMatchObject({ kind: "finished" });
  });

  function take(run: RunId) {
    const holder = { host: "desk", pid: 99, processStart: "2", since: at, expires: at };
    return store.acquire(runId(run), holder, () => true);
  }
});
