import { deepEqual, equal, ok } from "node:assert/strict";
import { key } from "../domain/values/ids.ts";
import type { ChildEnding, Flow, FlowContext, Job, LateJob } from "../ports/flow.ts";
import type { Runner } from "../ports/runner.ts";
import { type ConformanceCase, testCase } from "./conformance-case.ts";
import {
  answerFirst,
  answering,
  broken,
  chapters,
  type EngineSubject,
  ended,
  endedAs,
  finished,
  job,
  question,
  request,
  resultOf,
  silent,
} from "./engine-story.ts";

const window = 3;
const writeChapter: Flow = async (ctx, input) =>
  (await ctx.ask(key("write"), request(String(input)))).text;

/** A book with streamed chapters, which fails with the first chapter that fails. */
function book(jobs: () => Iterable<Job | LateJob> | AsyncIterable<Job | LateJob>): Flow {
  return async (ctx) => {
    const written = [];
    for await (const child of ctx.childrenOf(jobs(), window)) {
      if (child.ending?.kind === "failed") throw broken(`${child.id} failed`);
      written.push(child.ending === undefined ? null : resultOf(child.ending));
    }
    return written;
  };
}

function flowsOf(parent: Flow, chapter: Flow = writeChapter): ReadonlyMap<string, Flow> {
  return new Map([
    ["book", parent],
    ["chapter", chapter],
  ]);
}

function lateChapter(name: string, load: LateJob["load"]): LateJob {
  const { input: _, ...rest } = job("chapter", name);
  return { ...rest, load };
}

const names = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `chapter ${at + 1}`);

/** What every engine guarantees about children that come from a stream. */
export const childrenConformance: readonly ConformanceCase<EngineSubject>[] = [
  testCase("streamed children keep their order within bounded concurrency", async (subject) => {
    let [underWay, most, pulled, taken, furthest] = [0, 0, 0, 0, 0];
    const runner: Runner = {
      attempt: async (asked, signal) => {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise((resolve) => setImmediate(resolve));
        underWay -= 1;
        return answering(({ user }) => user).attempt(asked, signal);
      },
    };
    const parent: Flow = async (ctx) => {
      const written = [];
      for await (const { ending } of ctx.childrenOf(stream(), window)) {
        taken += 1;
        written.push(ending === undefined ? null : resultOf(ending));
      }
      return written;
    };
    async function* stream() {
      for (const one of chapters(...names(40))) {
        pulled += 1;
        furthest = Math.max(furthest, pulled - taken);
        yield one;
      }
    }
    const engine = await subject.open({ flows: flowsOf(parent), runner });
    const run = await engine.submit(job("book"));
    deepEqual(await ended(engine, run), finished([...names(40)]));
    ok(most > 1 && most <= window, `${most} were under way`);
    ok(furthest <= window * 8, `${furthest} were read ahead`);
  }),
  testCase("a resumed stream repeats, skips and reloads no child", async (subject) => {
    const asked: string[] = [];
    const loaded: string[] = [];
    const runner = answering(({ user }) => {
      asked.push(user);
      if (user === "chapter 4" && asked.filter((one) => one === user).length === 1)
        throw broken("no paper");
      return user;
    });
    const parent = book(() =>
      names(9).map((name) =>
        lateChapter(name, async () => {
          loaded.push(name);
          return name;
        }),
      ),
    );
    const first = await subject.open({ flows: flowsOf(parent), runner });
    const run = await first.submit(job("book"));
    equal((await ended(first, run)).kind, "failed");
    const second = await subject.open({ flows: flowsOf(parent), runner });
    await second.resume(run, {});
    deepEqual(await ended(second, run), finished([...names(9)]));
    deepEqual([...loaded].sort(), [...names(9)].sort());
    deepEqual([...asked].sort(), [...names(9), "chapter 4"].sort());
  }),
  testCase("an unfinished child blocks new ones until the flow sees it", async (subject) => {
    let asked = 0;
    const runner = answering(() => {
      asked += 1;
      throw broken("no paper");
    });
    const flows = flowsOf(book(() => chapters(...names(40))));
    const engine = await subject.open({ flows, runner });
    const run = await engine.submit(job("book"));
    equal((await ended(engine, run)).kind, "failed");
    ok(asked <= window, `${asked} were asked`);
  }),
  testCase("a child without input is skipped and stays skipped on resume", async (subject) => {
    let isGone = true;
    const parent: Flow = async (ctx) => {
      const seen = await collect(ctx, [
        lateChapter("one", async () => (isGone ? undefined : "one")),
        lateChapter("two", async () => "two"),
      ]);
      return [seen, (await ctx.waitForDecision(key("sign"), question)).choice];
    };
    const runner = answering(({ user }) => user);
    const engine = await subject.open({ flows: flowsOf(parent), runner });
    const run = await engine.submit(job("book"));
    await ended(engine, run);
    isGone = false;
    await answerFirst(engine, run);
    deepEqual(await endedAs(engine, run, "finished"), finished([[null, "two"], "yes"]));
  }),
  testCase("streamed children never exceed their parent's budget", async (subject) => {
    let calls = 0;
    const runner = answering(({ user }) => {
      calls += 1;
      return user;
    });
    const flows = flowsOf(book(() => chapters(...names(6))));
    const engine = await subject.open({ flows, runner });
    const run = await engine.submit({ ...job("book"), budget: { tokens: 100 } });
    const stop = await ended(engine, run);
    ok(stop.kind === "stopped" && stop.reason === "budget");
    ok(calls * 20 <= 100 && calls < 6);
    await engine.resume(run, { budget: { tokens: 10_000 } });
    deepEqual(await ended(engine, run), finished([...names(6)]));
    equal(calls, 6);
  }),
  testCase("a waiting streamed child makes its parent wait for the answer", async (subject) => {
    const chapter: Flow = async (ctx, input) =>
      input === "chapter 2" ? (await ctx.waitForDecision(key("sign"), question)).choice : input;
    const flows = flowsOf(
      book(() => chapters(...names(5))),
      chapter,
    );
    const engine = await subject.open({ flows, runner: silent });
    const run = await engine.submit(job("book"));
    equal((await answerFirst(engine, run)).length, 1);
    const [one, , ...others] = names(5);
    deepEqual(await endedAs(engine, run, "finished"), finished([one as string, "yes", ...others]));
  }),
];

async function collect(ctx: FlowContext, jobs: readonly (Job | LateJob)[]) {
  const all: ChildEnding[] = [];
  for await (const child of ctx.childrenOf(jobs, window)) all.push(child);
  return all.map(({ ending }) => (ending === undefined ? null : resultOf(ending)));
}
