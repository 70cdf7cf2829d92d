import { describe, expect, it, vi } from "vitest";
import {
  at,
  engineOn,
  job,
  open,
  replyNow,
  request,
  write,
} from "../../../../tests/support/letter-engine.ts";
import { key, type RunId } from "../../../domain/values/ids.ts";
import { WorkflowError } from "../../../domain/values/workflow-error.ts";
import type { Flow } from "../../../ports/flow.ts";
import type { Happening } from "../../../ports/observer.ts";
import type { Runner } from "../../../ports/runner.ts";
import { collectAll } from "../../../testing/engine-story.ts";
import { openMemoryStore } from "../../persistence/sqlite/open-store.ts";

const quick: Runner = { attempt: async () => replyNow() };
const question = { kind: "signature", text: "Sign it?", choices: ["yes"], context: null };
const yes = { choice: "yes", by: "Ada", at };
const signed: Flow = async (ctx) => (await ctx.waitForDecision(key("sign"), question)).by;
const book: Flow = async (ctx) => {
  const pages = ["one", "two"].map((id) => ({ ...job, id, kind: "signed" }));
  return (await ctx.children(pages)).map(({ kind }) => kind);
};

function opened(more: ReadonlyMap<string, Flow> = new Map()) {
  const { runs: store } = openMemoryStore();
  const flows = new Map([["letter", write], ["signed", signed], ["book", book], ...more]);
  return { store, engine: engineOn({ store, flows, runner: quick }) };
}

describe("a submitted run", () => {
  it("is found by its input until it has finished", async () => {
    const { engine } = opened();
    const input = { to: "Ada" };
    const run = await engine.submit({ ...job, kind: "signed", input });
    await engine.ending(run, open);
    expect(await engine.findUnfinished("signed", input)).toBe(run);
    expect(await engine.findUnfinished("signed", { to: "Bert" })).toBeUndefined();
    expect(await engine.findUnfinished("letter", input)).toBeUndefined();
    await engine.answer(`${run}:sign`, yes, 1);
    await engine.idle();
    expect(await engine.findUnfinished("signed", input)).toBeUndefined();
  });

  it("counts as executed here from the moment its lease is being taken", async () => {
    const { store, engine } = opened();
    const { acquire } = store;
    const seen: boolean[] = [];
    vi.spyOn(store, "acquire").mockImplementation(async (...given) => {
      await Promise.resolve();
      seen.push(engine.executesAny);
      return acquire.apply(store, given);
    });
    expect(engine.executesAny).toBe(false);
    await engine.ending(await engine.submit(job), open);
    await engine.idle();
    expect([seen, engine.executesAny]).toEqual([[true], false]);
  });

  it("is refused if the store cannot give the lease", async () => {
    const { store, engine } = opened();
    const busy = new WorkflowError("busy", { code: "store-busy" });
    vi.spyOn(store, "acquire").mockRejectedValueOnce(busy);
    await expect(engine.submit(job)).rejects.toBe(busy);
    expect(engine.executesAny).toBe(false);
  });

  it("shows all its events, however many, also those that come while one reads", async () => {
    const many: Flow = async (ctx) => {
      for (let page = 1; page <= 450; page += 1) ctx.emit({ kind: "page-written", data: page });
      await ctx.ask(key("first"), request);
      ctx.emit({ kind: "book-written", data: null });
      return null;
    };
    const { engine } = opened(new Map([["many", many]]));
    const run = await engine.submit({ ...job, kind: "many" });
    const live = await collectAll(engine.events(run, 0, open));
    await engine.ending(run, open);
    const afterwards = await collectAll(engine.events(run, 100, open));
    expect(live.map(({ seq }) => seq)).toEqual(Array.from({ length: 451 }, (_, at) => at + 1));
    expect(afterwards).toEqual(live.slice(100));
  });

  it("can be resumed after a failure that named its replies in an unknown form", async () => {
    let isFirst = true;
    const odd: Flow = async (ctx) => {
      const { text } = await ctx.ask(key("first"), request);
      if (!isFirst) return text;
      isFirst = false;
      throw new WorkflowError("odd", { code: "odd", facts: { unusable: "first" } });
    };
    const { engine } = opened(new Map([["odd", odd]]));
    const run = await engine.submit({ ...job, kind: "odd" });
    expect(await engine.ending(run, open)).toMatchObject({ kind: "failed" });
    await engine.resume(run, {});
    expect(await engine.ending(run, open)).toEqual({ kind: "finished", result: "Yours" });
  });
});

describe("a run with children", () => {
  async function waiting() {
    const { store, engine } = opened();
    const run = await engine.submit({ ...job, id: "book-1", kind: "book" });
    const ending = await engine.ending(run, open);
    const children = await store.listChildren(run);
    return { store, engine, run, ending, children: children.map((child) => child.run) };
  }

  it("waits until all of them have been answered", async () => {
    const { store, engine, run, ending, children } = await waiting();
    expect(ending).toMatchObject({ kind: "waiting" });
    expect([...(ending.kind === "waiting" ? ending.decisions : [])].sort()).toEqual(
      children.map((child) => `${child}:sign`).sort(),
    );
    const [first, second] = children as [RunId, RunId];
    await engine.answer(`${first}:sign`, yes, 1);
    await engine.idle();
    expect(await store.load(run)).toMatchObject({ state: "waiting", epoch: 1 });
    await engine.answer(`${second}:sign`, yes, 1);
    await engine.idle();
    expect((await store.load(run))?.ending).toMatchObject({ result: ["finished", "finished"] });
  });

  it("is cancelled together with those that have not ended", async () => {
    const { store, engine, run, children } = await waiting();
    const [first, second] = children as [RunId, RunId];
    await engine.answer(`${first}:sign`, yes, 1);
    await engine.idle();
    await engine.cancel(run, "out of print");
    const cancelled = { kind: "cancelled", reason: "out of print" };
    expect((await store.load(first))?.state).toBe("finished");
    expect((await store.load(second))?.ending).toEqual(cancelled);
    expect(await engine.ending(run, open)).toEqual(cancelled);
  });

  it("of a stream waits for all that are under way, and begins none after one that waits", async () => {
    const ids = ["one", "two", "three", "four"];
    let taken: string[] = [];
    const stream: Flow = async (ctx) => {
      const kinds = ["letter", "signed", "signed", "letter"];
      const jobs = ids.map((id, at) => ({ ...job, id, kind: kinds[at] ?? "letter" }));
      taken = [];
      for await (const { id } of ctx.childrenOf(jobs, 2)) taken.push(id);
      return taken;
    };
    const { store, engine } = opened(new Map([["stream", stream]]));
    const run = await engine.submit({ ...job, kind: "stream" });
    const ending = await engine.ending(run, open);
    const children = await store.listChildren(run);
    const waiting = children.filter(({ state }) => state === "waiting");
    expect(taken).toEqual(["one"]);
    expect(waiting.length).toBeGreaterThan(0);
    expect(children).toHaveLength(1 + waiting.length);
    expect(ending).toEqual({
      kind: "waiting",
      decisions: waiting.map((child) => `${child.run}:sign`),
    });
    for (let round = 0; round < 2; round += 1) {
      const open = (await store.listChildren(run)).filter(({ state }) => state === "waiting");
      for (const child of open) await engine.answer(`${child.run}:sign`, yes, 1);
      await engine.idle();
    }
    expect((await store.load(run))?.ending).toEqual({ kind: "finished", result: ids });
  });

  it("of a stream asks all questions of those that wait at the same time", async () => {
    const pair: Flow = async (ctx) => {
      const jobs = ["one", "two"].map((id) => ({ ...job, id, kind: "signed" }));
      return (await collectAll(ctx.childrenOf(jobs, 2))).length;
    };
    const { store, engine } = opened(new Map([["pair", pair]]));
    const run = await engine.submit({ ...job, kind: "pair" });
    const ending = await engine.ending(run, open);
    const asked = (await store.listChildren(run)).map((child) => `${child.run}:sign`);
    expect(asked).toHaveLength(2);
    expect(ending).toEqual({ kind: "waiting", decisions: expect.arrayContaining(asked) });
  });

  it("of a stream begins further ones behind a slow one, but none once one waits", async () => {
    const begun: string[] = [];
    const gate = Promise.withResolvers<void>();
    const slow: Flow = async () => gate.promise.then(() => null);
    const noted: Flow = async (ctx) => {
      begun.push(ctx.job.id);
      return null;
    };
    const stream: Flow = async (ctx) => {
      const kinds = ["slow", "noted", "noted", "signed", "noted"];
      const jobs = kinds.map((kind, at) => ({ ...job, id: `${at + 1}`, kind }));
      return (await collectAll(ctx.childrenOf(jobs, 2))).length;
    };
    const { runs: store } = openMemoryStore();
    const flows = new Map(Object.entries({ slow, noted, signed, stream }));
    const turns = async () => {
      for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
      gate.resolve();
    };
    const notice = ({ kind, ...one }: Happening) => {
      if (kind === "run-ended" && "ending" in one && one.ending === "waiting") void turns();
    };
    const engine = engineOn({ store, flows, runner: quick, notice });
    const run = await engine.submit({ ...job, kind: "stream" });
    expect(await engine.ending(run, open)).toMatchObject({ kind: "waiting" });
    expect(begun).toEqual(["2", "3"]);
  });

  it("of a stream holds the next ones back while one that failed has not been taken", async () => {
    const seen: string[] = [];
    const stream: Flow = async (ctx) => {
      const jobs = ["one", "two", "three"].map((id) => ({ ...job, id, kind: "broken" }));
      for await (const { id, ending } of ctx.childrenOf(jobs, 1)) {
        seen.push(`${id} ${ending?.kind}`);
        if (id === "two") break;
      }
      return null;
    };
    const broken: Flow = () => Promise.reject(new WorkflowError("no", { code: "odd" }));
    const more = new Map([
      ["stream", stream],
      ["broken", broken],
    ] as const);
    const { store, engine } = opened(more);
    const run = await engine.submit({ ...job, kind: "stream" });
    expect(await engine.ending(run, open)).toMatchObject({ kind: "finished" });
    expect(seen).toEqual(["one failed", "two failed"]);
    expect(await store.listChildren(run)).toHaveLength(2);
  });

  it("fails if a child is of an unknown kind", async () => {
    const lost: Flow = async (ctx) => {
      await ctx.children([{ ...job, id: "poem", kind: "poem" }]);
      return null;
    };
    const { engine } = opened(new Map([["lost", lost]]));
    const run = await engine.submit({ ...job, kind: "lost" });
    expect(await engine.ending(run, open)).toMatchObject({
      ...{ kind: "failed", error: { code: "flow-unknown", facts: { kind: "poem" } } },
    });
  });
});
