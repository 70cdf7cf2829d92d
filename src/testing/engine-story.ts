import { ok } from "node:assert/strict";
import { key, type RunId } from "../domain/values/ids.ts";
import { instant } from "../domain/values/instant.ts";
import type { Json } from "../domain/values/json.ts";
import { RunnerError } from "../domain/values/workflow-error.ts";
import type { Engine } from "../ports/engine.ts";
import type { Ending, Flow, FlowContext, Job } from "../ports/flow.ts";
import type { Projector } from "../ports/projector.ts";
import type { Answer } from "../ports/question.ts";
import type { AskRequest, Attempted, Runner } from "../ports/runner.ts";

export interface EngineParts {
  readonly flows: ReadonlyMap<string, Flow>;
  readonly runner: Runner;
  readonly projectors?: readonly Projector[];
}

/** State that outlives engines, as a store outlives processes. `open` may be called repeatedly. */
export interface EngineSubject {
  open(parts: EngineParts): Promise<Engine>;
}

export const question = {
  kind: "signature",
  text: "Sign it?",
  choices: ["yes", "no"],
  context: null,
};
const noon = instant("2026-11-15T12:00:00.000Z");
export const yes = { choice: "yes", by: "Ada", at: noon };

export const silent: Runner = {
  attempt: async () => {
    throw broken("no call is expected here");
  },
};

export const oneAsk: Flow = async (ctx) => (await ctx.ask(key("first"), request("first"))).text;

export function twoAsks(first: string, second: string): Flow {
  return async (ctx: FlowContext) => [
    (await ctx.ask(key("first"), request(first))).text,
    (await ctx.ask(key("second"), request(second))).text,
  ];
}

export function answering(text: (request: AskRequest) => string): Runner {
  return {
    attempt: async (request): Promise<Attempted> => {
      const usage = { input: 10, output: 10, microUsd: 0 };
      const times = { startedAt: noon, finishedAt: noon };
      const { model } = request;
      const reply = { text: text(request), model, finish: "complete" as const, usage, ...times };
      return { kind: "replied", reply };
    },
  };
}

export function broken(message: string): RunnerError {
  return new RunnerError(message, { code: "refused" });
}

export function request(user: string): AskRequest {
  return {
    role: "writer",
    model: "test/model",
    system: "You write letters.",
    user,
    expects: "text",
    settings: { max_tokens: 40 },
    formatVersion: "1",
    task: null,
    ordinal: 0,
  };
}

export function ask(name: string) {
  return { key: key(name), request: request(name) };
}

export function job(kind: string, input: Json = null): Job {
  return { id: `job-${kind}-${input}`, kind, input, settings: {}, createdAt: noon };
}

export function chapters(...names: readonly string[]): readonly Job[] {
  return names.map((name) => job("chapter", name));
}

export function parts(flow: Flow, runner: Runner): EngineParts {
  const kinds = ["letter", "letters", "panel", "book", "contract", "push"];
  return { flows: new Map(kinds.map((kind) => [kind, flow])), runner };
}

export function finished(result: Json): Ending {
  return { kind: "finished", result };
}

export function resultOf(ending: Ending): Json {
  return ending.kind === "finished" ? ending.result : ending.kind;
}

export function never(): AbortSignal {
  return new AbortController().signal;
}

export function ended(engine: Engine, run: RunId): Promise<Ending> {
  return engine.ending(run, never());
}

/** A parent is woken after its child has ended, so its own ending may come slightly later. */
export async function endedAs(engine: Engine, run: RunId, kind: Ending["kind"]): Promise<Ending> {
  for (;;) {
    const ending = await ended(engine, run);
    if (ending.kind === kind) return ending;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export async function collectAll<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Waits for the run's question, answers it and returns the ids of all open questions. */
export async function answerFirst(
  engine: Engine,
  run: RunId,
  answer: Answer = yes,
): Promise<readonly string[]> {
  const waiting = await ended(engine, run);
  ok(waiting.kind === "waiting");
  await engine.answer(waiting.decisions[0] ?? "", answer, 1);
  return waiting.decisions;
}
