import { describe, expect, it, vi } from "vitest";
import {
  at,
  engineOn,
  heldBack,
  job,
  newRunId,
  open,
  replyNow,
  replyOf,
  request,
  write,
} from "../../../../tests/support/letter-engine.ts";
import { key, type RunId } from "../../../domain/values/ids.ts";
import { WorkflowError } from "../../../domain/values/workflow-error.ts";
import type { Ending, Flow, Job } from "../../../ports/flow.ts";
import type { Happening } from "../../../ports/observer.ts";
import type { RunStore } from "../../../ports/run-store.ts";
import type { Runner } from "../../../ports/runner.ts";
import { openMemoryStore } from "../../persistence/sqlite/open-store.ts";
import { digestOfJson } from "../run-identity.ts";

describe("EmbeddedEngine, when things come at an unlucky moment,", () => {
  const quick: Runner = { attempt: async () => replyNow() };
  const signature = { kind: "signature", text: "Sign it?", choices: ["yes"], context: null };
  const yes = { choice: "yes", by: "Ada", at };
  const signed: Flow = async (ctx) => {
    const { by } = await ctx.waitForDecision(key("sign"), signature);
    return `${(await ctx.ask(key("greeting"), request)).text}, ${by}`;
  };
  const bound: Flow = async (ctx) => {
    const [ending] = await ctx.children([{ ...job, id: "page" }]);
    return ending?.kind === "finished" ? ending.result : null;
  };
  const flows = new Map([
    ["letter", signed],
    ["memo", write],
    ["book", bound],
  ]);
  const memo: Job = { ...job, id: "memo-1", kind: "memo" };
  const book: Job = { ...job, id: "book-1", kind: "book" };

  /** Acts when the run is about to be stored as ended in this way, once. */
  function beforeEnd(
    store: RunStore,
    about: { readonly kind: Ending["kind"]; readonly run?: RunId },
    act: (run: RunId) => Promise<unknown>,
  ): void {
    const { end } = store;
    const spied = vi.spyOn(store, "end");
    spied.mockImplementation(async (lease, ending, ...rest) => {
      if (ending.kind === about.kind && lease.run === (about.run ?? lease.run)) {
        spied.mockRestore();
        await act(lease.run);
      }
      return end.call(store, lease, ending, ...rest);
    });
  }

  it("gives two who submit the same job at once the same run, and asks once", async () => {
    const { runs: store } = openMemoryStore();
    const runner = heldBack();
    runner.finish();
    const engine = engineOn({ store, flows, runner });
    const [first, second] = await Promise.all([engine.submit(memo), engine.submit(memo)]);
    expect(second).toBe(first);
    expect(await engine.ending(first, open)).toMatchObject({ kind: "finished" });
    expect(runner.calls).toBe(2);
  });

  it("continues a run that is resumed while it ends", async () => {
    const { runs: store } = openMemoryStore();
    let isDown = true;
    const runner: Runner = {
      attempt: async () => {
        if (isDown) throw new WorkflowError("down", { code: "unreachable" });
        return replyNow();
      },
    };
    const engine = engineOn({ store, flows, runner });
    const { end } = store;
    let resumed: Promise<void> | undefined;
    vi.spyOn(store, "end").mockImplementationOnce(async (...given) => {
      const ended = await end.apply(store, given);
      isDown = false;
      resumed = engine.resume(given[0].run, {});
      await expect.poll(async () => (await store.load(given[0].run))?.state).toBe("queued");
      return ended;
    });
    const run = await engine.submit(memo);
    expect(await engine.ending(run, open)).toMatchObject({ kind: "failed" });
    await resumed;
    expect(await engine.ending(run, open)).toMatchObject({ kind: "finished" });
  });

  it.each(["the same", "another"])(
    "notices an answer given in %s process after it found the question open",
    async (whose) => {
      const { runs: store } = openMemoryStore();
      const engine = engineOn({ store, flows, runner: quick, pid: 11 });
      const other =
        whose === "another" ? engineOn({ store, flows, runner: quick, pid: 22 }) : engine;
      beforeEnd(store, { kind: "waiting" }, async (run) => {
        expect(await other.answer(`${run}:sign`, yes, 1)).toBe("recorded");
      });
      const run = await engine.submit(job);
      expect(await engine.ending(run, open)).toEqual({ kind: "finished", result: "Yours, Ada" });
    },
  );

  it("notices that a child was answered and ended while its parent was about to wait", async () => {
    const { runs: store } = openMemoryStore();
    const engine = engineOn({ store, flows, runner: quick, pid: 11 });
    const other = engineOn({ store, flows, runner: quick, pid: 22 });
    const run = newRunId();
    beforeEnd(store, { kind: "waiting", run }, async () => {
      const [child] = await store.listChildren(run);
      await other.answer(`${child?.run}:sign`, yes, 1);
      await other.ending(child?.run as RunId, open);
    });
    await engine.submit(book, { run });
    expect(await engine.ending(run, open)).toEqual({ kind: "finished", result: "Yours, Ada" });
  });

  it("is idle only when the parent has ended that the answer to a child has woken", async () => {
    const { runs: store } = openMemoryStore();
    const asking = engineOn({ store, flows, runner: quick, pid: 11 });
    const run = await asking.submit(book);
    await asking.ending(run, open);
    const [child] = await store.listChildren(run);
    const answering = engineOn({ store, flows, runner: quick, pid: 22 });
    await answering.answer(`${child?.run}:sign`, yes, 1);
    await answering.ending(child?.run as RunId, open);
    await answering.idle();
    expect((await store.load(run))?.state).toBe("finished");
  });

  it("waits for a child that another process works on", async () => {
    const { runs: store } = openMemoryStore();
    const first = engineOn({ store, flows, runner: quick, pid: 11 });
    const run = await first.submit(book);
    expect(await first.ending(run, open)).toMatchObject({ kind: "waiting" });
    const [child] = await store.listChildren(run);
    const slow = heldBack();
    const second = engineOn({ store, flows, runner: slow, pid: 22 });
    await second.answer(`${child?.run}:sign`, yes, 1);
    await slow.begun;
    const third = engineOn({ store, flows, runner: quick, pid: 33 });
    const taking = vi.spyOn(store, "acquire");
    await third.resume(run, {});
    const ending = third.ending(run, open);
    await expect.poll(() => taking.mock.calls.map(([taken]) => taken)).toContain(child?.run);
    slow.finish();
    expect(await ending).toEqual({ kind: "finished", result: "Yours, Ada" });
    expect(slow.calls).toBe(1);
  });

  it.each(["failed", "waiting"] as const)(
    "cancels a run that has %s before it noticed the request",
    async (kind) => {
      const { runs: store } = openMemoryStore();
      const runner: Runner = {
        attempt: async () => {
          throw new WorkflowError("down", { code: "unreachable" });
        },
      };
      const engine = engineOn({ store, flows, runner, pid: 11 });
      const other = engineOn({ store, flows, runner, pid: 22 });
      beforeEnd(store, { kind }, (run) => other.cancel(run, "wrong customer"));
      const run = await engine.submit(kind === "failed" ? memo : job);
      const cancelled = { kind: "cancelled", reason: "wrong customer" };
      expect(await engine.ending(run, open)).toEqual(cancelled);
      expect((await store.load(run))?.ending).toEqual(cancelled);
    },
  );

  it("keeps what another process asked for in place of an unusable reply", async () => {
    const { runs: store } = openMemoryStore();
    const texts = ["garbage", "Dear customer", "Dear customer, again"];
    const runner: Runner = {
      attempt: async ({ user }) => {
        if (user === "Sign it") throw new WorkflowError("down", { code: "unreachable" });
        return { kind: "replied", reply: replyOf(texts.shift() ?? "none left") };
      },
    };
    const careful: Flow = async (ctx) => {
      const { text } = await ctx.ask(key("first"), request);
      const facts = { unusable: ["first"] };
      if (text === "garbage") throw new WorkflowError("?", { code: "reply-unreadable", facts });
      return (await ctx.ask(key("second"), { ...request, user: "Sign it" })).text;
    };
    const setting = { store, flows: new Map([["letter", careful]]), runner };
    const first = engineOn({ ...setting, pid: 11 });
    const run = await first.submit(job);
    expect(await first.ending(run, open)).toMatchObject({ error: { code: "reply-unreadable" } });
    const { acquire } = store;
    vi.spyOn(store, "acquire").mockImplementationOnce(async (...given) => {
      await first.resume(run, {});
      expect(await first.ending(run, open)).toMatchObject({ error: { code: "unreachable" } });
      return acquire.apply(store, given);
    });
    const second = engineOn({ ...setting, pid: 22 });
    await second.resume(run, {});
    await second.ending(run, open);
    expect(await store.find(run, key("first"))).toMatchObject({ value: { text: "Dear customer" } });
    expect(texts).toHaveLength(1);
  });

  it("holds no run of a kind that it does not know", async () => {
    const { runs: store } = openMemoryStore();
    const engine = engineOn({ store, flows, runner: quick });
    const poem = { ...job, kind: "poem" };
    await expect(engine.submit(poem)).rejects.toMatchObject({ code: "flow-unknown" });
    const run = (await store.findUnfinished("poem", digestOfJson(null)))?.run as RunId;
    expect((await store.load(run))?.holder).toBeUndefined();
  });

  it("says that it left a run that was taken from it", async () => {
    const { runs: store } = openMemoryStore();
    const stuck = heldBack();
    const heard: Happening[] = [];
    const notice = (happening: Happening) => heard.push(happening);
    const asleep = engineOn({ store, flows, runner: stuck, pid: 11, notice });
    const run = await asleep.submit(memo);
    await stuck.begun;
    const heir = engineOn({ store, flows, runner: quick, pid: 22, isDead: () => true });
    await heir.ending(await heir.submit(memo), open);
    stuck.finish();
    await expect(asleep.ending(run, open)).rejects.toMatchObject({ code: "lease-lost" });
    expect(heard.at(-1)).toMatchObject({ kind: "run-ended", run, ending: "left" });
  });

  it("reports a store that failed before anyone asked for the run's ending, also to those who ask later", async () => {
    const { runs: store } = openMemoryStore();
    const full = new WorkflowError("There is no room left.", { code: "store-full" });
    beforeEnd(store, { kind: "finished" }, () => Promise.reject(full));
    const engine = engineOn({ store, flows, runner: quick });
    const run = await engine.submit(memo);
    await engine.idle();
    await expect(engine.ending(run, AbortSignal.timeout(5_000))).rejects.toBe(full);
    expect((await store.load(run))?.state).toBe("running");
    await engine.resume(run, {});
    expect(await engine.ending(run, open)).toMatchObject({ kind: "finished" });
  });

  it("does not wait for the ending of a run whose process is gone", async () => {
    const { runs: store } = openMemoryStore();
    const stuck = heldBack();
    const run = await engineOn({ store, flows, runner: stuck, pid: 11 }).submit(memo);
    await stuck.begun;
    const other = engineOn({ store, flows, runner: quick, pid: 22, isDead: () => true });
    expect(await other.ending(run, open)).toMatchObject({ kind: "stopped", reason: "interrupted" });
  });
});
