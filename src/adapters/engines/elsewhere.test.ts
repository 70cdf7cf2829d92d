import { setImmediate as nextRound } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import {
  at,
  engineOn,
  engineOptions,
  heldBack,
  job,
  open,
  replyNow,
  write,
} from "../../../tests/support/letter-engine.ts";
import { key } from "../../domain/values/ids.ts";
import type { Flow, Job } from "../../ports/flow.ts";
import type { Happening } from "../../ports/observer.ts";
import type { RunStore } from "../../ports/run-store.ts";
import type { Runner } from "../../ports/runner.ts";
import { openMemoryStore } from "../persistence/sqlite/open-store.ts";
import type { Elsewhere } from "./elsewhere.ts";
import { Executions } from "./executions.ts";

const quick: Runner = { attempt: async () => replyNow() };
const book: Flow = async (ctx) => {
  const endings = await ctx.children([{ ...job, id: `${ctx.job.id}/page` }]);
  return endings.map(({ kind }) => kind);
};
const flows = new Map([
  ["letter", write],
  ["book", book],
]);
const bookJob: Job = { ...job, id: "book-1", kind: "book" };

/** Every letter is written by a worker; books are put together where they were ordered. */
const lettersElsewhere: Elsewhere = {
  taskOf: ({ kind }) => (kind === "letter" ? "write letters" : undefined),
  changed: () => nextRound(),
};

describe("a run that workers execute", () => {
  let store: RunStore;
  beforeEach(() => {
    store = openMemoryStore().runs;
  });

  const client = (elsewhere = lettersElsewhere) =>
    engineOn({ store, flows, runner: heldBack(), pid: 11, elsewhere });
  const worker = (
    how: {
      readonly runner?: Runner;
      readonly notice?: (happening: Happening) => void;
      readonly known?: ReadonlyMap<string, Flow>;
      readonly elsewhere?: Elsewhere;
    } = {},
  ) => {
    const { runner = quick, known = flows, elsewhere = lettersElsewhere, ...rest } = how;
    return new Executions(
      engineOptions({ store, flows: known, runner, pid: 22, elsewhere, ...rest }),
    );
  };

  it("waits in the queue with its task until a worker takes it", async () => {
    const engine = client();
    const run = await engine.submit(job);
    expect(await store.load(run)).toMatchObject({ state: "queued", task: "write letters" });
    expect(engine.executesAny).toBe(false);
    const ending = engine.ending(run, open);
    await worker().execute(run);
    expect(await ending).toEqual({ kind: "finished", result: "Yours" });
  });

  it("is executed here if no task is named for it", async () => {
    const engine = engineOn({
      ...{ store, flows, runner: quick },
      elsewhere: { ...lettersElsewhere, taskOf: () => undefined },
    });
    const run = await engine.submit(job);
    expect(await engine.ending(run, open)).toMatchObject({ kind: "finished" });
    expect((await store.load(run))?.task).toBeUndefined();
  });

  it("is followed until its files are here, too", async () => {
    const done: string[] = [];
    const ended = async (run: { readonly run: string }) => {
      await nextRound();
      done.push(run.run);
    };
    const engine = client({ ...lettersElsewhere, ended });
    const run = await engine.submit(job);
    const ending = engine.ending(run, open).then(() => [...done]);
    await worker().execute(run);
    expect(await ending).toEqual([run]);
  });

  it("goes on when the process that waits for it is interrupted", async () => {
    const waiting = Promise.withResolvers<void>();
    const changed = async (_run: unknown, signal: AbortSignal) => {
      waiting.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    };
    const engine = client({ ...lettersElsewhere, changed });
    const run = await engine.submit(job);
    const ending = engine.ending(run, open);
    await waiting.promise;
    engine.interrupt("finish");
    expect(await ending).toEqual({ kind: "stopped", reason: "interrupted", facts: {} });
    expect((await store.load(run))?.state).toBe("queued");
    await worker().execute(run);
    expect((await store.load(run))?.state).toBe("finished");
  });

  it("is not awaited any longer than its caller wants", async () => {
    const caller = new AbortController();
    const engine = client();
    const ending = engine.ending(await engine.submit(job), caller.signal);
    caller.abort(new Error("no longer interested"));
    await expect(ending).rejects.toThrow("no longer interested");
  });

  /** A worker that waits for the reply to a run's first call. */
  const duringItsCall = async () => {
    const run = await client().submit(job);
    const runner = heldBack();
    const heard: Happening[] = [];
    const draining = worker({ runner, notice: (happening) => heard.push(happening) });
    const executed = draining.execute(run);
    await runner.begun;
    return { run, runner, heard, draining, executed };
  };

  it("goes back to the queue, with its reply, when its worker is drained", async () => {
    const { run, runner, heard, draining, executed } = await duringItsCall();
    expect(draining.isExecuting(run)).toBe(true);
    draining.interrupt("finish");
    runner.finish();
    await executed;
    expect((await store.load(run))?.state).toBe("queued");
    expect(heard.at(-1)).toEqual({ kind: "run-ended", run, ending: "left" });
    expect(await store.find(run, key("first"))).toBeDefined();
    expect(runner.calls).toBe(1);
  });

  it("goes back to the queue unfinished when its worker is drained at once", async () => {
    const { run, heard, draining, executed } = await duringItsCall();
    draining.interrupt("now");
    await executed;
    const record = await store.load(run);
    expect(record).toMatchObject({ state: "queued" });
    expect([record?.holder, record?.ending]).toEqual([undefined, undefined]);
    expect(heard.at(-1)).toEqual({ kind: "run-ended", run, ending: "left" });
    await draining.idle();
    await worker().execute(run);
    expect((await store.load(run))?.state).toBe("finished");
  });

  it("needs no place of its worker while it waits for other runs of the queue", async () => {
    const all = { ...lettersElsewhere, taskOf: () => "anything" };
    const run = await client(all).submit(bookJob);
    const parent = worker({ elsewhere: all });
    await parent.execute(run);
    const [child] = await store.listChildren(run);
    expect(child).toMatchObject({ state: "queued" });
    expect((await store.load(run))?.state).toBe("running");
    await worker({ elsewhere: all }).execute(child?.run ?? run);
    await parent.idle();
    expect((await store.load(run))?.ending).toEqual({ kind: "finished", result: ["finished"] });
  });

  it("fails if its worker does not know its kind, so that it does not stay in the queue", async () => {
    const run = await client().submit(job);
    await worker({ known: new Map() }).execute(run);
    expect((await store.load(run))?.ending).toMatchObject({
      kind: "failed",
      error: { code: "flow-unknown", facts: { kind: "letter" } },
    });
  });

  it("is left alone if it is over when its task comes", async () => {
    const run = await client().submit(job);
    await store.requestCancel(run, "wrong customer", at);
    const late = worker();
    await late.execute(run);
    expect(await store.load(run)).toMatchObject({ state: "cancelled", epoch: 1 });
    expect(late.executesAny).toBe(false);
  });
});
