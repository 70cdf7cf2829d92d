import { describe, expect, it } from "vitest";
import {
  engineOn,
  engineOptions,
  heldBack,
  job,
  open,
  replyNow,
  replyOf,
  request,
} from "../../../tests/support/letter-engine.ts";
import { key } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { Flow } from "../../ports/flow.ts";
import type { Happening } from "../../ports/observer.ts";
import type { Attempted, Runner } from "../../ports/runner.ts";
import { openMemoryStore } from "../persistence/sqlite/open-store.ts";
import { EmbeddedEngine } from "./embedded/embedded-engine.ts";
import { idInRun, nonceInRun } from "./run-identity.ts";

const quick: Runner = { attempt: async () => replyNow() };
const question = { kind: "signature", text: "Sign it?", choices: ["yes"], context: null };

async function ended(flow: Flow, runner: Runner = quick, notice?: (one: Happening) => void) {
  const store = openMemoryStore();
  const flows = new Map([["letter", flow]]);
  const engine = engineOn({ store: store.runs, flows, runner, ...(notice && { notice }) });
  const run = await engine.submit(job);
  return { store, engine, run, ending: await engine.ending(run, open) };
}

it("ids and nonces follow from the run and the name", async () => {
  const { run, ending } = await ended(async (ctx) => [ctx.newId("letter"), ctx.nonce("seal")]);
  const expected = [idInRun(run, "letter"), nonceInRun(run, "seal")];
  expect(ending).toEqual({ kind: "finished", result: expected });
  expect(expected[1]).toMatch(/^[0-9a-f]{20}$/u);
  expect(nonceInRun(run, "stamp")).not.toBe(expected[1]);
});

it("a checkpoint of a flow is a crash point", async () => {
  const reached: string[] = [];
  const flow: Flow = async (ctx) => {
    ctx.checkpoint("reply-received");
    return null;
  };
  const { runs: store } = openMemoryStore();
  const engine = new EmbeddedEngine({
    ...engineOptions({ store, flows: new Map([["letter", flow]]), runner: quick }),
    crash: { reach: (point) => void reached.push(point) },
  });
  await engine.ending(await engine.submit(job), open);
  expect(reached).toContain("reply-received");
});

it("a key that a flow uses twice is a bug that names flow and key", async () => {
  const { ending } = await ended(async (ctx) => {
    await ctx.step(key("stamp"), null, async () => null);
    return ctx.step(key("stamp"), null, async () => null);
  });
  const facts = { key: "stamp", kind: "letter" };
  expect(ending).toMatchObject({ kind: "failed", error: { code: "key-used-twice", facts } });
});

it("a step under a time budget is in the ledger with its time, and else in none", async () => {
  const { runs, ...store } = await ledgerOfStep({ seconds: 60 });
  expect(store.lines).toMatchObject([
    { key: "stamp", model: "step", state: "replied", seconds: 2 },
  ]);
  expect((await ledgerOfStep({ tokens: 60 })).lines).toEqual([]);
  expect(runs).toBe(1);
});

async function ledgerOfStep(budget: { readonly seconds?: number; readonly tokens?: number }) {
  let [millis, runs] = [5_000, 0];
  const store = openMemoryStore();
  const stamp: Flow = (ctx) =>
    ctx.step(key("stamp"), null, async () => {
      runs += 1;
      millis += 2_000;
      return null;
    });
  const flows = new Map([["letter", stamp]]);
  const monotonic = () => millis;
  const engine = engineOn({ store: store.runs, flows, runner: quick, monotonic });
  const run = await engine.submit({ ...job, budget });
  await engine.ending(run, open);
  const lines = await store.read((repos) => repos.ledger.lines(run, { limit: 10 }));
  return { lines, runs };
}

describe("questions asked together", () => {
  const [first, second] = ["first", "second"].map((name) => ({
    key: key(name),
    request: { ...request, user: name },
  }));
  const both = [first, second].filter((one) => one !== undefined);
  const suspended = async (): Promise<Attempted> => ({ kind: "suspended", question });

  it("all stay open if several wait for people", async () => {
    const flow: Flow = async (ctx) => (await ctx.askAll(both)).length;
    const { run, ending } = await ended(flow, { attempt: suspended });
    const decisions = [`${run}:first`, `${run}:second`];
    expect(ending).toEqual({ kind: "waiting", decisions });
  });

  it("end the run as failed if one meets a bug while the other waits", async () => {
    const flow: Flow = async (ctx) => {
      const [one] = both;
      return one === undefined ? null : (await ctx.askAll([...both, one])).length;
    };
    const { ending } = await ended(flow, { attempt: suspended });
    expect(ending).toMatchObject({ kind: "failed", error: { code: "key-used-twice" } });
  });

  it("end the run over its budget if one is too expensive while the other waits", async () => {
    const huge = { ...request, user: "huge", settings: { max_tokens: 9_000 } };
    const asks = [...both.slice(0, 1), { key: key("huge"), request: huge }];
    const flow: Flow = async (ctx) => (await ctx.askAll(asks)).length;
    const { runs: store } = openMemoryStore();
    const flows = new Map([["letter", flow]]);
    const engine = engineOn({ store, flows, runner: { attempt: suspended } });
    const run = await engine.submit({ ...job, budget: { tokens: 8_000 } });
    const ending = await engine.ending(run, open);
    expect(ending).toMatchObject({ kind: "stopped", reason: "budget" });
  });

  it("give their replies and failures in order, the same on a replay", async () => {
    let isDown = true;
    const attempt = async ({ user }: { readonly user: string }): Promise<Attempted> => {
      if (user === "first") throw new WorkflowError("no such model", { code: "refused" });
      if (user === "third" && isDown) throw new WorkflowError("down", { code: "unreachable" });
      return { kind: "replied", reply: replyOf(`re: ${user}`) };
    };
    const seen: Json[] = [];
    const flow: Flow = async (ctx) => {
      const endings = await ctx.askAll(both.map((one) => ({ ...one, mayFail: true })));
      seen.push(endings.map((one) => (one.kind === "failed" ? one.error.code : one.reply.text)));
      return (await ctx.ask(key("third"), { ...request, user: "third" })).text;
    };
    const { engine, run, ending } = await ended(flow, { attempt });
    expect(ending).toMatchObject({ kind: "failed", error: { code: "unreachable" } });
    isDown = false;
    await engine.resume(run, {});
    expect(await engine.ending(run, open)).toEqual({ kind: "finished", result: "re: third" });
    expect(seen).toEqual([1, 2].map(() => ["refused", "re: second"]));
  });
});

describe("a replay", () => {
  const usage = { input: 3, output: 4, microUsd: 5 };
  let isDown = true;
  const attempt = async ({ user }: { readonly user: string }): Promise<Attempted> => {
    if (user === "second" && isDown) throw new WorkflowError("down", { code: "unreachable" });
    return { kind: "replied", reply: { ...replyOf("Yours"), usage } };
  };

  it("says of each reply that no call was made, and what the call had used", async () => {
    isDown = true;
    const heard: Happening[] = [];
    const flow: Flow = async (ctx) => {
      const { replayed, usage: used } = await ctx.ask(key("first"), request);
      ctx.emit({ kind: "letter-written", data: { replayed } });
      await ctx.ask(key("second"), { ...request, user: "second" });
      return { replayed, used: { ...used } };
    };
    const { engine, run } = await ended(flow, { attempt }, (one) => heard.push(one));
    heard.splice(0);
    isDown = false;
    await engine.resume(run, {});
    const ending = await engine.ending(run, open);
    expect(ending).toEqual({ kind: "finished", result: { replayed: true, used: usage } });
    expect(heard.find(({ kind }) => kind === "call-replied")).toEqual({
      ...{ kind: "call-replied", run, key: "first", role: "writer", model: "m" },
      ...{ seconds: 0, replayed: true, usage },
    });
    const event = heard.find((one) => one.kind === "event")?.event;
    expect(JSON.parse(JSON.stringify(event))).toEqual({
      ...{ run, seq: 1, kind: "letter-written", data: { replayed: true } },
    });
  });

  it("stops where the flow asks something else, with the call as it was recorded", async () => {
    isDown = true;
    let user = "Dear customer";
    const flow: Flow = async (ctx) => {
      await ctx.ask(key("first"), { ...request, user });
      return (await ctx.ask(key("second"), { ...request, user: "second" })).text;
    };
    const { engine, run } = await ended(flow, { attempt });
    [isDown, user] = [false, "Dear all"];
    await engine.resume(run, {});
    expect(await engine.ending(run, open)).toMatchObject({
      ...{ kind: "stopped", reason: "definition-changed" },
      facts: { key: "first", recordedCall: { role: "writer", user: "Dear customer" } },
    });
    await engine.resume(run, { acceptChanges: true });
    expect(await engine.ending(run, open)).toMatchObject({ kind: "finished" });
  });
});

describe("how a run ends", () => {
  it("cancelled, whatever the flow throws afterwards, and says why to those who listen", async () => {
    const heard: Happening[] = [];
    const thrown = new TypeError("x is undefined");
    const runner = heldBack();
    const flow: Flow = (ctx) =>
      ctx.ask(key("first"), request).then(
        ({ text }) => text,
        () => Promise.reject(thrown),
      );
    const { runs: store } = openMemoryStore();
    const flows = new Map([["letter", flow]]);
    const engine = engineOn({ store, flows, runner, notice: (one) => heard.push(one) });
    const run = await engine.submit(job);
    await runner.begun;
    const ending = engine.ending(run, open);
    await engine.cancel(run, "wrong customer");
    expect(await ending).toEqual({ kind: "cancelled", reason: "wrong customer" });
    expect(heard.at(-1)).toEqual({ kind: "run-ended", run, ending: "cancelled", cause: thrown });
  });

  it.each([
    ["fails if the store is damaged", "store-damaged", "failed"],
    ["stays for the next holder if the store is full", "store-full", "running"],
  ])("%s", async (_title, code, state) => {
    const { runs: store } = openMemoryStore();
    const trouble = new WorkflowError("no", { code });
    const flow: Flow = async () => {
      throw trouble;
    };
    const engine = engineOn({ store, flows: new Map([["letter", flow]]), runner: quick });
    const run = await engine.submit(job);
    await engine.idle();
    expect((await store.load(run))?.state).toBe(state);
  });

  it("is unknown for a run that does not exist", async () => {
    const { engine, run } = await ended(async () => null);
    const other = run.replace(/.$/u, "f") as typeof run;
    await expect(engine.ending(other, open)).rejects.toMatchObject({
      ...{ code: "run-unknown", facts: { run: other } },
    });
  });
});
