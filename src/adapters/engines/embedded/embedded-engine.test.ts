import { describe, expect, it, vi } from "vitest";
import {
  at,
  engineOn,
  heldBack,
  job,
  open,
  replyNow,
  replyOf,
  request,
  write,
} from "../../../../tests/support/letter-engine.ts";
import { key } from "../../../domain/values/ids.ts";
import { WorkflowError } from "../../../domain/values/workflow-error.ts";
import type { Flow } from "../../../ports/flow.ts";
import type { Happening } from "../../../ports/observer.ts";
import type { Runner } from "../../../ports/runner.ts";
import { engineConformance } from "../../../testing/engine-conformance.ts";
import { openMemoryStore } from "../../persistence/sqlite/open-store.ts";

describe("EmbeddedEngine keeps every promise of an engine:", () => {
  it.each(engineConformance.map((one) => [one.title, one] as const))("%s", async (_title, one) => {
    const store = openMemoryStore();
    await one.run({ open: async (parts) => engineOn({ ...parts, store: store.runs }) });
    store.close();
  });
});

describe("EmbeddedEngine in one process among others", () => {
  const flows = new Map([["letter", write]]);

  it("does not take a run from a living holder, and names it", async () => {
    const { runs: store } = openMemoryStore();
    const runner = heldBack();
    const first = engineOn({ store, flows, runner, pid: 11 });
    const run = await first.submit(job);
    await runner.begun;
    const second = engineOn({ store, flows, runner, pid: 22 });
    await expect(second.submit(job)).rejects.toMatchObject({
      code: "run-held",
      facts: { pid: 11 },
    });
    runner.finish();
    expect(await first.ending(run, open)).toMatchObject({ kind: "finished" });
  });

  it("is content with a run that another process ends between finding it and taking it", async () => {
    const { runs: store } = openMemoryStore();
    let calls = 0;
    const counting: Runner = {
      attempt: async () => {
        calls += 1;
        return replyNow();
      },
    };
    const quick = engineOn({ store, flows, runner: counting, pid: 11 });
    vi.spyOn(store, "acquire").mockImplementationOnce(async (...asked) => {
      await quick.ending(await quick.submit(job), open);
      return store.acquire(...asked);
    });
    const late = engineOn({ store, flows, runner: counting, pid: 22 });
    const run = await late.submit(job);
    expect(await late.ending(run, open)).toEqual({ kind: "finished", result: "Yours" });
    expect(calls).toBe(2);
  });

  it("adopts the run of a dead holder, whose late reply then changes nothing", async () => {
    const { runs: store } = openMemoryStore();
    const stuck = heldBack();
    const asleep = engineOn({ store, flows, runner: stuck, pid: 11 });
    const run = await asleep.submit(job);
    await stuck.begun;
    const quick: Runner = { attempt: async () => replyNow() };
    const heir = engineOn({ store, flows, runner: quick, pid: 22, isDead: () => true });
    await heir.submit(job);
    expect(await heir.ending(run, open)).toEqual({ kind: "finished", result: "Yours" });
    const late = asleep.ending(run, open);
    stuck.finish();
    await expect(late).rejects.toMatchObject({ code: "lease-lost" });
  });

  it("lets the call in flight come home on the first interrupt and starts nothing new", async () => {
    const { runs: store } = openMemoryStore();
    const runner = heldBack();
    const engine = engineOn({ store, flows, runner });
    const run = await engine.submit(job);
    await runner.begun;
    const ending = engine.ending(run, open);
    engine.interrupt("finish");
    runner.finish();
    expect(await ending).toMatchObject({ kind: "stopped", reason: "interrupted" });
    expect(await store.find(run, key("first"))).toBeDefined();
    expect(runner.calls).toBe(1);
  });

  it("abandons the call in flight on the second interrupt, and counts it as lost on resume", async () => {
    const store = openMemoryStore();
    const stuck = heldBack();
    const engine = engineOn({ store: store.runs, flows, runner: stuck });
    const run = await engine.submit(job);
    await stuck.begun;
    const ending = engine.ending(run, open);
    engine.interrupt("finish");
    engine.interrupt("now");
    expect(await ending).toMatchObject({ kind: "stopped", reason: "interrupted" });
    const runner: Runner = { attempt: async () => replyNow() };
    const next = engineOn({ store: store.runs, flows, runner });
    await next.resume(run, {});
    expect(await next.ending(run, open)).toMatchObject({ kind: "finished" });
    const lines = await store.read((repos) => repos.ledger.lines(run, { limit: 10 }));
    expect(lines.map(({ key: at, state }) => `${at} ${state}`)).toEqual([
      "first lost",
      "first replied",
      "second replied",
    ]);
  });

  it("starts nothing if interrupted before the run started", async () => {
    const { runs: store } = openMemoryStore();
    const runner = heldBack();
    const engine = engineOn({ store, flows, runner });
    const submitted = engine.submit(job);
    engine.interrupt("finish");
    const ending = await engine.ending(await submitted, open);
    expect(ending).toMatchObject({ kind: "stopped", reason: "interrupted" });
    expect(runner.calls).toBe(0);
  });

  it("begins no further child once it is interrupted", async () => {
    const { runs: store } = openMemoryStore();
    const runner = heldBack();
    const book: Flow = async (ctx) => {
      const chapters = ["one", "two", "three", "four", "five"];
      await ctx.children(chapters.map((id) => ({ ...job, id })));
      return null;
    };
    const engine = engineOn({ store, flows: new Map([...flows, ["book", book]]), runner });
    const run = await engine.submit({ ...job, id: "book-1", kind: "book" });
    await runner.begun;
    const ending = engine.ending(run, open);
    engine.interrupt("finish");
    runner.finish();
    expect(await ending).toMatchObject({ kind: "stopped", reason: "interrupted" });
    expect(runner.calls).toBeLessThanOrEqual(2);
    expect(await store.listChildren(run)).toHaveLength(2);
  });

  it("cancels the run of a dead holder at once", async () => {
    const { runs: store } = openMemoryStore();
    const stuck = heldBack();
    const run = await engineOn({ store, flows, runner: stuck, pid: 11 }).submit(job);
    await stuck.begun;
    const other = engineOn({ store, flows, runner: stuck, pid: 22, isDead: () => true });
    await other.cancel(run, "wrong customer");
    expect(await store.load(run)).toMatchObject({
      state: "cancelled",
      ending: { kind: "cancelled", reason: "wrong customer" },
    });
  });

  it("makes no calls for a run whose holder died before it noticed the cancel request", async () => {
    const { runs: store } = openMemoryStore();
    const stuck = heldBack();
    const run = await engineOn({ store, flows, runner: stuck, pid: 11 }).submit(job);
    await stuck.begun;
    await store.requestCancel(run, "wrong customer", at);
    const heir = engineOn({ store, flows, runner: heldBack(), pid: 22, isDead: () => true });
    await heir.resume(run, {});
    expect(await heir.ending(run, open)).toEqual({ kind: "cancelled", reason: "wrong customer" });
  });

  it("keeps what was asked again in place of an unusable reply, also when its process dies", async () => {
    const { runs: store } = openMemoryStore();
    const texts = ["garbage", "Dear customer", "Dear customer, again"];
    const asked: string[] = [];
    const careful: Flow = async (ctx) => {
      const { text } = await ctx.ask(key("first"), request);
      if (text === "garbage") {
        const facts = { unusable: ["first"] };
        throw new WorkflowError("unreadable", { code: "reply-unreadable", facts });
      }
      await ctx.ask(key("second"), { ...request, user: "Sign it" });
      return text;
    };
    const stuck = heldBack();
    const runner: Runner = {
      attempt: async (asks, signal) => {
        asked.push(asks.user);
        if (asks.user === "Sign it") return stuck.attempt(asks, signal);
        return { kind: "replied", reply: replyOf(texts.shift() ?? "none left") };
      },
    };
    const setting = { store, flows: new Map([["letter", careful]]), runner };
    const first = engineOn({ ...setting, pid: 11 });
    const run = await first.submit(job);
    expect(await first.ending(run, open)).toMatchObject({ kind: "failed" });
    await first.resume(run, {});
    await stuck.begun;
    const heir = engineOn({ ...setting, pid: 22, isDead: () => true });
    await heir.resume(run, {});
    stuck.finish();
    expect(await heir.ending(run, open)).toEqual({ kind: "finished", result: "Dear customer" });
    expect(asked.filter((user) => user === request.user)).toHaveLength(2);
  });

  it("says what happens while it happens", async () => {
    const { runs: store } = openMemoryStore();
    const seen: string[] = [];
    const runner: Runner = {
      attempt: async (_request, _signal, onText) => {
        onText?.("Yo");
        return replyNow();
      },
    };
    const notice = (happening: Happening) => seen.push(happening.kind);
    const engine = engineOn({ store, flows, runner, notice });
    await engine.ending(await engine.submit(job), open);
    const call = ["call-started", "text", "call-replied"];
    expect(seen).toEqual(["run-started", ...call, ...call, "run-ended"]);
  });
});

it("steps count against a time budget even if the clock stops; a larger one continues after what is recorded", async () => {
  const store = openMemoryStore();
  let millis = 0;
  const done: string[] = [];
  const walk: Flow = async (ctx) => {
    for (const place of ["door", "shelf", "till"]) {
      await ctx.step(key(place), null, async () => {
        millis += 2_000;
        done.push(place);
        return place;
      });
    }
    return "home";
  };
  const engine = engineOn({
    store: store.runs,
    flows: new Map([["letter", walk]]),
    runner: heldBack(),
    monotonic: () => millis,
  });
  const run = await engine.submit({ ...job, budget: { seconds: 3 } });
  expect(await engine.ending(run, open)).toMatchObject({ kind: "stopped", reason: "budget" });
  expect(done).toEqual(["door", "shelf"]);
  await engine.resume(run, { budget: { seconds: 60 } });
  expect(await engine.ending(run, open)).toMatchObject({ kind: "finished", result: "home" });
  expect(done).toEqual(["door", "shelf", "till"]);
  store.close();
});
