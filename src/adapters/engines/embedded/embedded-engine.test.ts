import { setImmediate as nextRound } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { key, type RunId, runId } from "../../../domain/values/ids.ts";
import { instant } from "../../../domain/values/instant.ts";
import type { Json } from "../../../domain/values/json.ts";
import { WorkflowError } from "../../../domain/values/workflow-error.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Ending, Flow, FlowContext, Job } from "../../../ports/flow.ts";
import type { StoredEvent } from "../../../ports/journal.ts";
import type { Happening } from "../../../ports/observer.ts";
import type { Holder, RunStore } from "../../../ports/run-store.ts";
import type { AskRequest, Attempted, Reply, Runner } from "../../../ports/runner.ts";
import { engineConformance } from "../../../testing/engine-conformance.ts";
import type { EngineParts } from "../../../testing/engine-story.ts";
import { openMemoryStore } from "../../persistence/sqlite/open-store.ts";
import { digestOfJson } from "../run-identity.ts";
import { Scheduler } from "../scheduler.ts";
import { EmbeddedEngine } from "./embedded-engine.ts";

const at = instant("2026-11-15T12:00:00.000Z");
const open = new AbortController().signal;

interface Setting extends EngineParts {
  readonly store: RunStore;
  readonly monotonic?: () => number;
  readonly sleep?: Clock["sleep"];
  readonly pid?: number;
  readonly isDead?: (holder: Holder) => boolean;
  readonly notice?: (happening: Happening) => void;
}

async function nextTurn(_millis: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise((resolve) => setImmediate(resolve));
}

let runs = 0;

function engineOn(setting: Setting): EmbeddedEngine {
  const clock = {
    now: () => at,
    monotonic: setting.monotonic ?? (() => 0),
    sleep: setting.sleep ?? nextTurn,
  };
  const policy = { attempts: 2, baseMs: 0, mostMs: 0 };
  return new EmbeddedEngine({
    store: setting.store,
    flows: setting.flows,
    runnerFor: async () => ({ runner: setting.runner, provider: "test", price: () => 0 }),
    scheduler: new Scheduler({ clock, chance: () => 0, policy, concurrencyOf: () => 4 }),
    projectors: setting.projectors ?? [],
    clock,
    owner: { host: "desk", pid: setting.pid ?? 1, processStart: "1" },
    isDead: setting.isDead ?? (() => false),
    newRunId: newRunId,
    crash: { reach: () => undefined },
    observer: { notice: setting.notice ?? (() => undefined) },
    childConcurrency: 2,
  });
}

function newRunId(): RunId {
  runs += 1;
  return runId(`00000000-0000-4000-8000-${String(runs).padStart(12, "0")}`);
}

describe("EmbeddedEngine keeps every promise of an engine:", () => {
  it.each(engineConformance.map((one) => [one.title, one] as const))("%s", async (_title, one) => {
    const store = openMemoryStore();
    await one.run({ open: async (parts) => engineOn({ ...parts, store: store.runs }) });
    store.close();
  });
});

const job: Job = { id: "letter-1", kind: "letter", input: null, settings: {}, createdAt: at };

const request: AskRequest = {
  role: "writer",
  model: "test/model",
  system: "",
  user: "Dear customer",
  expects: "text",
  settings: {},
  formatVersion: "1",
  task: null,
  ordinal: 0,
};

const write: Flow = async (ctx) => {
  await ctx.ask(key("first"), request);
  return (await ctx.ask(key("second"), request)).text;
};

const fourPages: Flow = async (ctx) => {
  for (const page of [1, 2, 3, 4]) {
    await ctx.ask(key("page", page), { ...request, user: `page ${page}` });
    ctx.emit({ kind: "page-written", data: page });
  }
  return null;
};

function replyNow(): Attempted {
  return { kind: "replied", reply: replyOf("Yours") };
}

function replyOf(text: string): Omit<Reply, "replayed"> {
  return { text, model: "m", finish: "complete", startedAt: at, finishedAt: at };
}

/** A runner whose calls end when the test says so. */
function heldBack(): Runner & { readonly begun: Promise<void>; finish(): void; calls: number } {
  let finish: () => void = () => undefined;
  let begin: () => void = () => undefined;
  const end = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const runner = {
    begun,
    finish,
    calls: 0,
    attempt: async (_request: AskRequest, signal: AbortSignal): Promise<Attempted> => {
      runner.calls += 1;
      begin();
      await Promise.race([
        end,
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        }),
      ]);
      return replyNow();
    },
  };
  return runner;
}

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

  it("gives up the call in flight on the second interrupt, and counts it as lost when it goes on", async () => {
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

  it("starts nothing when it was interrupted before the run had begun", async () => {
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
    expect(await store.childrenOf(run)).toHaveLength(2);
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

  it("asks nothing for a run whose holder died before it heard of its cancelling", async () => {
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

  it("ends a run whose files cannot be written as failed, and writes them when it is resumed", async () => {
    const { runs: store } = openMemoryStore();
    let full = true;
    const written: string[] = [];
    const projectors = [
      {
        kinds: ["letter-written"],
        apply: async () => {
          if (full) throw new Error("disk full");
          written.push("letter");
        },
      },
    ];
    const flow: Flow = async (ctx) => {
      const { text } = await ctx.ask(key("first"), request);
      ctx.emit({ kind: "letter-written", data: text });
      return text;
    };
    const runner: Runner = { attempt: async () => replyNow() };
    const engine = engineOn({ store, flows: new Map([["letter", flow]]), runner, projectors });
    const run = await engine.submit(job);
    expect(await engine.ending(run, open)).toMatchObject({ kind: "failed" });
    full = false;
    await engine.resume(run, {});
    expect(await engine.ending(run, open)).toMatchObject({ kind: "finished" });
    expect(written).toEqual(["letter"]);
  });

  it("asks on while files are written, waits when they are two pages behind, and ends when all are there", async () => {
    const { runs: store } = openMemoryStore();
    const seen: string[] = [];
    let finishFiles: () => void = () => undefined;
    const filesDone = new Promise<void>((resolve) => {
      finishFiles = resolve;
    });
    const projectors = [
      {
        kinds: ["page-written"],
        apply: async (events: readonly StoredEvent[]) => {
          const [{ data } = { data: "none" }] = events;
          await filesDone;
          // Longer than a call needs to begin, if it did not wait.
          for (let round = 0; round < 50; round += 1) await nextRound();
          seen.push(`wrote page ${data}`);
        },
      },
    ];
    const runner: Runner = {
      attempt: async ({ user }) => {
        seen.push(`asked for ${user}`);
        if (user === "page 3") finishFiles();
        return replyNow();
      },
    };
    const engine = engineOn({
      store,
      flows: new Map([["letter", fourPages]]),
      runner,
      projectors,
      sleep: async () => undefined,
    });
    const run = await engine.submit(job);
    await engine.ending(run, open);
    expect(seen).toEqual([
      "asked for page 1",
      "asked for page 2",
      "asked for page 3",
      "wrote page 1",
      "asked for page 4",
      "wrote page 2",
      "wrote page 3",
      "wrote page 4",
    ]);
    expect(await store.load(run)).toMatchObject({ projectedSeq: 4 });
  });

  it("keeps a reply that came while files could not be written, and asks nothing after it", async () => {
    const { runs: store } = openMemoryStore();
    const projectors = [
      {
        kinds: ["page-written"],
        apply: async () => {
          throw new Error("disk full");
        },
      },
    ];
    const asked: string[] = [];
    const runner: Runner = {
      attempt: async ({ user }) => {
        asked.push(user);
        return replyNow();
      },
    };
    const engine = engineOn({
      store,
      flows: new Map([["letter", fourPages]]),
      runner,
      projectors,
    });
    const run = await engine.submit(job);
    const ending = await engine.ending(run, open);
    expect(ending).toMatchObject({ kind: "failed", error: { message: "disk full" } });
    expect(asked).toEqual(["page 1", "page 2"]);
    expect(await store.find(run, key("page", 2))).toMatchObject({ value: { text: "Yours" } });
    expect(await store.load(run)).toMatchObject({ projectedSeq: 0 });
  });

  it("does not encode again what a replay emits and the store has", async () => {
    const { runs: store } = openMemoryStore();
    let encoded = 0;
    const flow: Flow = async (ctx) => {
      await ctx.ask(key("first"), request);
      ctx.emit({
        kind: "letter-written",
        get data() {
          encoded += 1;
          return "Dear customer";
        },
      });
      // Its files are noted with the start after the next one.
      await ctx.ask(key("second"), request);
      return (await ctx.ask(key("third"), { ...request, user: "Yours" })).text;
    };
    let isDown = true;
    const attempt = async ({ user }: AskRequest) => {
      if (isDown && user === "Yours") throw new WorkflowError("Down.", { code: "down" });
      return replyNow();
    };
    const heard: string[] = [];
    const notice = (happening: Happening) => {
      if (happening.kind === "event") heard.push(happening.event.kind);
    };
    const flows = new Map([["letter", flow]]);
    const projectors = [{ kinds: ["letter-written"], apply: async () => undefined }];
    const engine = engineOn({ store, flows, runner: { attempt }, projectors, notice });
    const run = await engine.submit(job);
    expect(await engine.ending(run, open)).toMatchObject({ kind: "failed" });
    isDown = false;
    await engine.resume(run, {});
    expect(await engine.ending(run, open)).toMatchObject({ kind: "finished" });
    expect({ encoded, heard }).toEqual({ encoded: 1, heard: ["letter-written", "letter-written"] });
  });

  it("encodes what is stored but has no files yet for those alone", async () => {
    const { runs: store } = openMemoryStore();
    const encoded: string[] = [];
    const tell = (ctx: FlowContext, kind: string) =>
      ctx.emit({
        kind,
        get data() {
          encoded.push(kind);
          return "Dear customer";
        },
      });
    const flow: Flow = async (ctx) => {
      const { text } = await ctx.ask(key("first"), request);
      tell(ctx, "letter-written");
      tell(ctx, "letter-counted");
      return text;
    };
    let isFull = true;
    const written: Json[] = [];
    const apply = async (events: readonly StoredEvent[]) => {
      if (isFull) throw new Error("disk full");
      written.push(...events.map(({ data }) => data));
    };
    const projectors = [{ kinds: ["letter-written"], apply }];
    const runner: Runner = { attempt: async () => replyNow() };
    const engine = engineOn({ store, flows: new Map([["letter", flow]]), runner, projectors });
    const run = await engine.submit(job);
    await engine.ending(run, open);
    expect(encoded.splice(0)).toEqual(["letter-written", "letter-counted"]);
    isFull = false;
    await engine.resume(run, {});
    expect(await engine.ending(run, open)).toMatchObject({ kind: "finished" });
    expect({ encoded, written }).toEqual({
      encoded: ["letter-written"],
      written: ["Dear customer"],
    });
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

it("steps count against a budget of time, though the clock stands; a larger one goes on behind what is recorded", async () => {
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

  it("goes on with a run that is resumed while it ends", async () => {
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
    "hears an answer given in %s process after it found the question open",
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

  it("hears that a child was answered and ended while its parent was about to wait", async () => {
    const { runs: store } = openMemoryStore();
    const engine = engineOn({ store, flows, runner: quick, pid: 11 });
    const other = engineOn({ store, flows, runner: quick, pid: 22 });
    const run = newRunId();
    beforeEnd(store, { kind: "waiting", run }, async () => {
      const [child] = await store.childrenOf(run);
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
    const [child] = await store.childrenOf(run);
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
    const [child] = await store.childrenOf(run);
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
    "cancels a run that has %s before it heard of it",
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

  it("does not wait for the ending of a run whose process is gone", async () => {
    const { runs: store } = openMemoryStore();
    const stuck = heldBack();
    const run = await engineOn({ store, flows, runner: stuck, pid: 11 }).submit(memo);
    await stuck.begun;
    const other = engineOn({ store, flows, runner: quick, pid: 22, isDead: () => true });
    expect(await other.ending(run, open)).toMatchObject({ kind: "stopped", reason: "interrupted" });
  });
});
