import type { Elsewhere } from "../../src/adapters/engines/elsewhere.ts";
import {
  EmbeddedEngine,
  type EmbeddedEngineOptions,
} from "../../src/adapters/engines/embedded/embedded-engine.ts";
import { Scheduler } from "../../src/adapters/engines/scheduler.ts";
import { key, type RunId, runId } from "../../src/domain/values/ids.ts";
import { instant } from "../../src/domain/values/instant.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Flow, Job } from "../../src/ports/flow.ts";
import type { Happening } from "../../src/ports/observer.ts";
import type { Holder, RunStore } from "../../src/ports/run-store.ts";
import type { AskRequest, Attempted, Reply, Runner } from "../../src/ports/runner.ts";
import type { EngineParts } from "../../src/testing/engine-story.ts";

export const at = instant("2026-11-15T12:00:00.000Z");
export const open = new AbortController().signal;

interface Setting extends EngineParts {
  readonly store: RunStore;
  readonly monotonic?: () => number;
  readonly sleep?: Clock["sleep"];
  readonly pid?: number;
  readonly isDead?: (holder: Holder) => boolean;
  readonly notice?: (happening: Happening) => void;
  readonly elsewhere?: Elsewhere;
}

async function nextTurn(_millis: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise((resolve) => setImmediate(resolve));
}

let runs = 0;

export function engineOn(setting: Setting): EmbeddedEngine {
  return new EmbeddedEngine(engineOptions(setting));
}

export function engineOptions(setting: Setting): EmbeddedEngineOptions {
  const clock = {
    now: () => at,
    monotonic: setting.monotonic ?? (() => 0),
    sleep: setting.sleep ?? nextTurn,
  };
  const policy = { attempts: 2, baseMs: 0, mostMs: 0 };
  return {
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
    ...(setting.elsewhere && { elsewhere: setting.elsewhere }),
  };
}

export function newRunId(): RunId {
  runs += 1;
  return runId(`00000000-0000-4000-8000-${String(runs).padStart(12, "0")}`);
}

export const job: Job = {
  id: "letter-1",
  kind: "letter",
  input: null,
  settings: {},
  createdAt: at,
};

export const request: AskRequest = {
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

export const write: Flow = async (ctx) => {
  await ctx.ask(key("first"), request);
  return (await ctx.ask(key("second"), request)).text;
};

export const fourPages: Flow = async (ctx) => {
  for (const page of [1, 2, 3, 4]) {
    await ctx.ask(key("page", page), { ...request, user: `page ${page}` });
    ctx.emit({ kind: "page-written", data: page });
  }
  return null;
};

export function replyNow(): Attempted {
  return { kind: "replied", reply: replyOf("Yours") };
}

export function replyOf(text: string): Omit<Reply, "replayed"> {
  return { text, model: "m", finish: "complete", startedAt: at, finishedAt: at };
}

/** A runner whose calls end when the test says so. */
export function heldBack(): Runner & {
  readonly begun: Promise<void>;
  finish(): void;
  calls: number;
} {
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
