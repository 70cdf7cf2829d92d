import { describe, expect, it } from "vitest";
import {
  at,
  engineOptions,
  job,
  open,
  replyOf,
  request,
} from "../../../tests/support/letter-engine.ts";
import { key } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import { RunnerError } from "../../domain/values/workflow-error.ts";
import type { Flow, Job } from "../../ports/flow.ts";
import type { Happening } from "../../ports/observer.ts";
import type { AskRequest, Attempted, Reply, ResolvedRunner } from "../../ports/runner.ts";
import { openMemoryStore } from "../persistence/sqlite/open-store.ts";
import { EmbeddedEngine } from "./embedded/embedded-engine.ts";

const letter: Flow = async (ctx) => (await ctx.ask(key("letter"), request)) as unknown as Json;

interface Given {
  readonly attempt: (request: AskRequest) => Promise<Attempted>;
  readonly price?: ResolvedRunner["price"];
  readonly job?: Partial<Job>;
}

/** One run of a flow with one call, and everything it left behind. */
async function written({ attempt, price = () => 0, job: more = {} }: Given) {
  const store = openMemoryStore();
  const heard: Happening[] = [];
  const reached: string[] = [];
  const options = engineOptions({
    ...{ store: store.runs, flows: new Map([["letter", letter]]), runner: { attempt } },
    notice: (happening) => heard.push(happening),
  });
  const engine = new EmbeddedEngine({
    ...options,
    runnerFor: async () => ({ runner: { attempt }, provider: "test", price }),
    crash: { reach: (point) => void reached.push(point) },
  });
  const run = await engine.submit({ ...job, ...more });
  const ending = await engine.ending(run, open);
  const lines = await store.read((repos) => repos.ledger.lines(run, { limit: 10 }));
  const facts = await store.runs.facts(run, key("letter"));
  return { ending, lines, heard, reached, facts };
}

const replying = (more: Partial<Reply>) => async (): Promise<Attempted> => ({
  kind: "replied",
  reply: { ...replyOf("Yours"), ...more },
});

const down = (retryAfterMs: number) => async (): Promise<Attempted> => {
  throw new RunnerError("down", { code: "unreachable", retryable: true, retryAfterMs });
};

describe("what a call costs", () => {
  const price: ResolvedRunner["price"] = ({ input, output }) => input + 2 * output;

  it("is what the price table says for the tokens that the provider counted", async () => {
    const usage = { input: 10, output: 5 };
    const { ending, lines, heard } = await written({ attempt: replying({ usage }), price });
    expect(lines).toMatchObject([{ inputTokens: 10, outputTokens: 5, microUsd: 20 }]);
    expect(ending).toMatchObject({ result: { usage: { ...usage, microUsd: 20 } } });
    expect(heard.find(({ kind }) => kind === "call-replied")).toMatchObject({
      ...{ replayed: false, role: "writer", key: "letter" },
      usage: { ...usage, microUsd: 20 },
    });
  });

  it("is the provider's own price where it names one", async () => {
    const usage = { input: 10, output: 5, microUsd: 7 };
    const { lines } = await written({ attempt: replying({ usage }), price });
    expect(lines).toMatchObject([{ microUsd: 7 }]);
  });

  it("is nothing without a count only where tokens cost nothing", async () => {
    const free = await written({ attempt: replying({}), price: () => 0 });
    expect(free.lines).toMatchObject([{ microUsd: 0 }]);
    const paid = await written({ attempt: replying({}), price });
    expect(paid.lines[0]?.microUsd).toBeUndefined();
    const unknown = await written({ attempt: replying({}), price: () => undefined });
    expect(unknown.lines[0]?.microUsd).toBeUndefined();
  });
});

describe("what is known of a call afterwards", () => {
  it("is the whole question and who answered, with a name of bounded length", async () => {
    const { ending, facts, reached } = await written({
      attempt: replying({ model: "m".repeat(500) }),
    });
    const { task, ordinal, ...asked } = request;
    expect(facts).toMatchObject(asked);
    expect(ending).toMatchObject({ result: { model: "m".repeat(300), replayed: false } });
    expect(reached).toEqual([
      "run-created",
      "lease-taken",
      "attempt-started",
      "reply-received",
      "reply-recorded",
      "run-ending",
      "run-ended",
    ]);
  });
});

describe("a call that fails", () => {
  it("is tried as often as the job says, or else as usual", async () => {
    const tried = async (settings: Job["settings"]) =>
      (await written({ attempt: down(0), job: { settings } })).lines.length;
    expect(await tried({ attempts: 1 })).toBe(1);
    expect(await tried({ attempts: 4 })).toBe(4);
    expect(await tried({ attempts: "4" })).toBe(2);
    expect(await tried({})).toBe(2);
    expect(await tried(null)).toBe(2);
    expect(await tried("attempts")).toBe(2);
  });

  it("is announced with the wait before the next attempt", async () => {
    const { heard } = await written({ attempt: down(3_000) });
    const failed = heard.filter(({ kind }) => kind === "call-failed");
    expect(failed).toMatchObject([
      { key: "letter", model: request.model, error: { code: "unreachable" }, retryInMs: 3_000 },
      { key: "letter", error: { code: "unreachable" } },
    ]);
    expect(failed[1]).not.toHaveProperty("retryInMs");
  });

  it("ends the run if waiting for the next attempt would take longer than its budget", async () => {
    const within = await written({ attempt: down(5_000), job: { budget: { seconds: 5 } } });
    expect(within.ending).toMatchObject({ kind: "failed", error: { code: "unreachable" } });
    const beyond = await written({ attempt: down(6_000), job: { budget: { seconds: 5 } } });
    expect(beyond.lines).toHaveLength(1);
    expect(beyond.ending).toEqual({
      kind: "stopped",
      reason: "budget",
      facts: { bound: "seconds", budget: 5, wait: 6 },
    });
  });
});

it("a question to a person closes the attempt, and the answer is the reply", async () => {
  const store = openMemoryStore();
  const question = { kind: "prompt", text: "Write it.", choices: ["done"], context: null };
  const attempt = async (): Promise<Attempted> => ({ kind: "suspended", question });
  const engine = new EmbeddedEngine(
    engineOptions({
      ...{ store: store.runs, flows: new Map([["letter", letter]]), runner: { attempt } },
    }),
  );
  const run = await engine.submit(job);
  const decision = `${run}:letter`;
  expect(await engine.ending(run, open)).toEqual({ kind: "waiting", decisions: [decision] });
  const answered = { choice: "done", text: "Dear Ada", by: "Bert", at };
  await engine.answer(decision, answered, 1);
  await engine.idle();
  expect(await engine.ending(run, open)).toMatchObject({
    kind: "finished",
    result: { text: "Dear Ada", model: request.model, finish: "complete", finishedAt: at },
  });
  const lines = await store.read((repos) => repos.ledger.lines(run, { limit: 10 }));
  expect(lines.map(({ state }) => state)).toEqual(["failed", "replied"]);
});
