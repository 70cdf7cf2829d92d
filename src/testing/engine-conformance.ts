import { deepEqual, equal, ok } from "node:assert/strict";
import { key } from "../domain/values/ids.ts";
import type { Json } from "../domain/values/json.ts";
import { AskFailed, RunnerError, WorkflowError } from "../domain/values/workflow-error.ts";
import type { Flow } from "../ports/flow.ts";
import type { Projector } from "../ports/projector.ts";
import type { Runner } from "../ports/runner.ts";
import { childrenConformance } from "./children-conformance.ts";
import { type ConformanceCase, testCase } from "./conformance-case.ts";
import {
  answerFirst,
  answering,
  ask,
  broken,
  chapters,
  collectAll,
  type EngineSubject,
  ended,
  endedAs,
  finished,
  job,
  never,
  oneAsk,
  parts,
  question,
  request,
  resultOf,
  silent,
  twoAsks,
  yes,
} from "./engine-story.ts";

/** What every engine guarantees, whatever it is built on. Run each case on a fresh subject. */
export const engineConformance: readonly ConformanceCase<EngineSubject>[] = [
  testCase("never repeats a recorded call, even in another engine", async (subject) => {
    const asked: string[] = [];
    const flaky = answering((request) => {
      asked.push(request.user);
      if (request.user === "second" && asked.length < 3) throw broken("no such model");
      return `re: ${request.user}`;
    });
    const flow = twoAsks("first", "second");
    const first = await subject.open(parts(flow, flaky));
    const run = await first.submit(job("letters"));
    equal((await ended(first, run)).kind, "failed");
    const second = await subject.open(parts(flow, flaky));
    await second.resume(run, {});
    deepEqual(await ended(second, run), finished(["re: first", "re: second"]));
    deepEqual(asked, ["first", "second", "second"]);
  }),
  testCase("submitting a job twice creates one run and one set of calls", async (subject) => {
    let calls = 0;
    const engine = await subject.open(
      parts(
        twoAsks("first", "second"),
        answering(() => `${++calls}`),
      ),
    );
    const once = await engine.submit(job("letters"));
    const again = await engine.submit(job("letters"));
    equal(again, once);
    deepEqual(await ended(engine, once), finished(["1", "2"]));
    equal(await engine.submit(job("letters")), once);
    equal(calls, 2);
  }),
  testCase("askAll keeps order, lets all settle and records every reply", async (subject) => {
    const asked: string[] = [];
    const runner = answering((request) => {
      asked.push(request.user);
      if (request.user === "b" && asked.length <= 3) throw broken("b is away");
      return request.user.toUpperCase();
    });
    const flow: Flow = async (ctx) => {
      const endings = await ctx.askAll(["a", "b", "c"].map((name) => ask(name)));
      const texts = endings.map((one) => (one.kind === "replied" ? one.reply.text : "failed"));
      if (texts.includes("failed")) throw new AskFailed(texts.join(), { code: "member-failed" });
      return texts;
    };
    const engine = await subject.open(parts(flow, runner));
    const run = await engine.submit(job("panel"));
    const failed = await ended(engine, run);
    ok(failed.kind === "failed" && failed.error.message === "A,failed,C");
    await engine.resume(run, {});
    deepEqual(await ended(engine, run), finished(["A", "B", "C"]));
    equal(asked.length, 4);
  }),
  testCase("records a tolerated failure so that a replay takes the same path", async (subject) => {
    let calls = 0;
    const runner = answering((request) => {
      calls += 1;
      if (request.user === "b") throw broken("b is away");
      return request.user.toUpperCase();
    });
    const flow: Flow = async (ctx) => {
      const asks = ["a", "b"].map((name) => ({ ...ask(name), mayFail: true }));
      const kinds = (await ctx.askAll(asks)).map((ending) => ending.kind);
      await ctx.waitForDecision(key("sign"), question);
      return kinds;
    };
    const engine = await subject.open(parts(flow, runner));
    const run = await engine.submit(job("panel"));
    await answerFirst(engine, run);
    deepEqual(await ended(engine, run), finished(["replied", "failed"]));
    equal(calls, 2);
  }),
  testCase("resuming a run asks again for replies the flow could not use", async (subject) => {
    const replies = ["garbage", "letter"];
    const runner = answering(() => replies.shift() ?? "none left");
    const flow: Flow = async (ctx) => {
      const { text } = await ctx.ask(key("first"), request("first"));
      if (text === "letter") return text;
      throw new WorkflowError("unreadable", {
        code: "reply-unreadable",
        facts: { unusable: ["first"] },
      });
    };
    const engine = await subject.open(parts(flow, runner));
    const run = await engine.submit(job("letter"));
    equal((await ended(engine, run)).kind, "failed");
    await engine.resume(run, {});
    deepEqual(await ended(engine, run), finished("letter"));
  }),
  testCase("a changed prompt stops the run until the change is accepted", async (subject) => {
    const asked: string[] = [];
    const runner = answering((request) => {
      asked.push(request.user);
      if (request.user === "second") throw broken("closed");
      return `re: ${request.user}`;
    });
    const before = await subject.open(parts(twoAsks("first", "second"), runner));
    const run = await before.submit(job("letters"));
    await ended(before, run);
    const after = await subject.open(parts(twoAsks("first!", "third"), runner));
    await after.resume(run, {});
    const stop = await ended(after, run);
    ok(stop.kind === "stopped" && stop.reason === "definition-changed");
    deepEqual((stop.facts as { key?: Json }).key, "first");
    await after.resume(run, { acceptChanges: true });
    deepEqual(await ended(after, run), finished(["re: first", "re: third"]));
    deepEqual(asked, ["first", "second", "third"]);
  }),
  testCase("retries retryable errors only", async (subject) => {
    let calls = 0;
    const busyOnce = answering(() => {
      calls += 1;
      if (calls === 1) throw new RunnerError("busy", { code: "overloaded", retryable: true });
      return "here";
    });
    const engine = await subject.open(parts(oneAsk, busyOnce));
    deepEqual(await ended(engine, await engine.submit(job("letter"))), finished("here"));
    equal(calls, 2);
  }),
  testCase("projects gapless events in order and only once across resumes", async (subject) => {
    const seen: string[] = [];
    const projector: Projector = {
      kinds: ["page-written"],
      apply: async (events) => {
        for (const { seq, data } of events) seen.push(`${seq}:${data}`);
      },
    };
    let open = false;
    const runner = answering((request) => {
      if (request.user === "second" && !open) throw broken("closed");
      return request.user;
    });
    const flow: Flow = async (ctx) => {
      for (const name of ["first", "second"]) {
        const reply = await ctx.ask(key(name), request(name));
        ctx.emit({ kind: "page-written", data: reply.text });
        ctx.emit({ kind: "page-counted", data: 1 });
      }
      return null;
    };
    const engine = await subject.open({ ...parts(flow, runner), projectors: [projector] });
    const run = await engine.submit(job("book"));
    await ended(engine, run);
    deepEqual(seen, ["1:first"]);
    open = true;
    await engine.resume(run, {});
    await ended(engine, run);
    deepEqual(seen, ["1:first", "3:second"]);
    const events = await collectAll(engine.events(run, 1, never()));
    deepEqual(
      events.map(({ seq, kind }) => `${seq} ${kind}`),
      ["2 page-counted", "3 page-written", "4 page-counted"],
    );
  }),
  testCase("a projector receives events of its own job kinds only", async (subject) => {
    const { kind } = job("book");
    const seen: string[] = [];
    const projectors: readonly Projector[] = [kind, "sweep"].map((name) => ({
      jobs: [name],
      kinds: ["page-written"],
      apply: async () => {
        seen.push(name);
      },
    }));
    const flow: Flow = async (ctx) => {
      ctx.emit({ kind: "page-written", data: null });
      return null;
    };
    const engine = await subject.open({
      ...parts(
        flow,
        answering(() => ""),
      ),
      projectors,
    });
    await ended(engine, await engine.submit(job("book")));
    deepEqual(seen, [kind]);
  }),
  testCase("a question suspends the run until it is answered, once", async (subject) => {
    const flow: Flow = async (ctx) => {
      const { choice, by } = await ctx.waitForDecision(key("sign"), question);
      return `${choice} by ${by}`;
    };
    const engine = await subject.open(parts(flow, silent));
    const run = await engine.submit(job("contract"));
    const waiting = await ended(engine, run);
    ok(waiting.kind === "waiting");
    const [decision = ""] = waiting.decisions;
    equal(await engine.answer(decision, yes, 1), "recorded");
    equal(await engine.answer(decision, { ...yes, choice: "no" }, 1), "already-decided");
    deepEqual(await ended(engine, run), finished("yes by Ada"));
  }),
  testCase("the answer to a suspended runner's question becomes the reply", async (subject) => {
    let attempts = 0;
    const agent: Runner = {
      attempt: async () => {
        attempts += 1;
        return { kind: "suspended", question };
      },
    };
    const engine = await subject.open(parts(oneAsk, agent));
    const run = await engine.submit(job("letter"));
    await answerFirst(engine, run, { ...yes, text: "Dear all" });
    deepEqual(await ended(engine, run), finished("Dear all"));
    ok(attempts <= 2);
  }),
  testCase("children keep the order of their jobs and run once each", async (subject) => {
    let calls = 0;
    const runner = answering((request) => {
      calls += 1;
      return request.user;
    });
    const flows = new Map<string, Flow>([
      ["book", async (ctx) => (await ctx.children(chapters("one", "two"))).map(resultOf)],
      ["chapter", async (ctx, input) => (await ctx.ask(key("write"), request(String(input)))).text],
    ]);
    const engine = await subject.open({ flows, runner });
    const run = await engine.submit(job("book"));
    deepEqual(await ended(engine, run), finished(["one", "two"]));
    equal(calls, 2);
  }),
  testCase("a waiting child makes its parent wait until it is answered", async (subject) => {
    const flows = new Map<string, Flow>([
      ["book", async (ctx) => (await ctx.children(chapters("one", "two"))).map(resultOf)],
      [
        "chapter",
        async (ctx, input) =>
          input === "two" ? (await ctx.waitForDecision(key("sign"), question)).choice : input,
      ],
    ]);
    const engine = await subject.open({ flows, runner: silent });
    const run = await engine.submit(job("book"));
    equal((await answerFirst(engine, run)).length, 1);
    deepEqual(await endedAs(engine, run, "finished"), finished(["one", "yes"]));
  }),
  testCase("stops before the call that would exceed the token budget", async (subject) => {
    let calls = 0;
    const runner = answering(() => {
      calls += 1;
      return "ok";
    });
    const engine = await subject.open(parts(twoAsks("first", "second"), runner));
    const run = await engine.submit({ ...job("letters"), budget: { tokens: 60 } });
    const stop = await ended(engine, run);
    ok(stop.kind === "stopped" && stop.reason === "budget");
    equal(calls, 1);
    await engine.resume(run, { budget: { tokens: 1_000 } });
    deepEqual(await ended(engine, run), finished(["ok", "ok"]));
    equal(calls, 2);
  }),
  testCase("a cancelled run keeps its reason and its job does not resume it", async (subject) => {
    const engine = await subject.open(
      parts(async (ctx) => (await ctx.waitForDecision(key("sign"), question)).choice, silent),
    );
    const run = await engine.submit(job("contract"));
    await ended(engine, run);
    await engine.cancel(run, "client withdrew");
    deepEqual(await ended(engine, run), { kind: "cancelled", reason: "client withdrew" });
    equal(await engine.submit(job("contract")), run);
    equal((await ended(engine, run)).kind, "cancelled");
  }),
  testCase("steps, ids and nonces are the same on every replay", async (subject) => {
    let effects = 0;
    const seen: Json[] = [];
    const flow: Flow = async (ctx) => {
      const pushed = await ctx.step(key("push"), { branch: "main" }, async () => ++effects);
      seen.push([pushed, ctx.newId("letter"), ctx.nonce("fence")]);
      return (await ctx.waitForDecision(key("sign"), question)).choice;
    };
    const engine = await subject.open(parts(flow, silent));
    const run = await engine.submit(job("push"));
    await answerFirst(engine, run);
    await ended(engine, run);
    equal(effects, 1);
    deepEqual(seen[1], seen[0]);
  }),
  testCase("a flow that uses a key twice fails", async (subject) => {
    const flow: Flow = async (ctx) => {
      await ctx.ask(key("first"), request("first"));
      return (await ctx.ask(key("first"), request("first"))).text;
    };
    const engine = await subject.open(
      parts(
        flow,
        answering(() => "ok"),
      ),
    );
    const failed = await ended(engine, await engine.submit(job("letters")));
    ok(failed.kind === "failed" && failed.error.code === "key-used-twice");
  }),
  ...childrenConformance,
];
