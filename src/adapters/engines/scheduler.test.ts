import { afterEach, describe, expect, it, vi } from "vitest";
import { defined } from "../../domain/values/defined.ts";
import { instant } from "../../domain/values/instant.ts";
import { AskFailed, RunnerError } from "../../domain/values/workflow-error.ts";
import type { Clock } from "../../ports/clock.ts";
import type { AskRequest, Attempted, Runner } from "../../ports/runner.ts";
import { type Call, type FailedAttempt, Scheduler } from "./scheduler.ts";

const request: AskRequest = {
  role: "writer",
  model: "lab/small",
  system: "",
  user: "Write.",
  expects: "text",
  settings: {},
  formatVersion: "1",
  task: null,
  ordinal: 0,
};
const at = instant("2026-11-15T12:00:00.000Z");
const replied: Attempted = {
  kind: "replied",
  reply: { text: "Done.", model: "lab/small", finish: "complete", startedAt: at, finishedAt: at },
};

/** A clock whose sleeps cost nothing and are written down. */
function quickClock(): Clock & { readonly slept: number[] } {
  const slept: number[] = [];
  return {
    slept,
    now: () => at,
    monotonic: () => 0,
    sleep: async (millis, signal) => {
      signal.throwIfAborted();
      slept.push(millis);
    },
  };
}

function schedulerOn(clock: Clock): Scheduler {
  const policy = { attempts: 3, baseMs: 100, mostMs: 1_000 };
  return new Scheduler({ clock, chance: () => 0, policy, concurrencyOf: () => 4 });
}

function call(
  runner: Runner,
  more: Partial<Call> = {},
): Call & { readonly failures: FailedAttempt[] } {
  const failures: FailedAttempt[] = [];
  let attempts = 0;
  const open = new AbortController().signal;
  return {
    failures,
    request,
    resolved: { runner, provider: "lab", price: () => 0 },
    signal: open,
    waitSignal: open,
    onText: () => undefined,
    ledger: {
      started: async () => ++attempts,
      failed: async (failed) => {
        failures.push(failed);
      },
    },
    ...more,
  };
}

function failing(times: number, error: () => Error): Runner {
  let left = times;
  return {
    attempt: async () => {
      left -= 1;
      if (left >= 0) throw error();
      return replied;
    },
  };
}

const busy = (retryAfterMs?: number) => () =>
  new RunnerError("busy", {
    code: "rate-limited",
    retryable: true,
    ...defined({ retryAfterMs }),
  });

describe("Scheduler", () => {
  it("retries after a retryable error, waiting longer each time, and records each attempt", async () => {
    const clock = quickClock();
    const one = call(failing(2, busy()));
    const ended = await schedulerOn(clock).perform(one);
    expect(ended.attempt).toBe(3);
    expect(clock.slept).toEqual([50, 100]);
    expect(one.failures.map(({ attempt, retryInMs }) => [attempt, retryInMs])).toEqual([
      [1, 50],
      [2, 100],
    ]);
  });

  it("waits as long as the provider asks", async () => {
    const clock = quickClock();
    await schedulerOn(clock).perform(call(failing(1, busy(7_000))));
    expect(clock.slept).toEqual([7_000]);
  });

  it.each([
    ["a day", 86_400_000, "2026-11-16T12:00:00.000Z"],
    ["longer than a timer can", 2 ** 31 + 5_000, "2026-12-10T08:31:28.648Z"],
    ["for ever", Number.POSITIVE_INFINITY, "2027-11-15T12:00:00.000Z"],
  ])(
    "does not wait %s: the call fails and says when it may be repeated",
    async (_, wait, retryAt) => {
      const clock = quickClock();
      const one = call(failing(1, busy(wait)));
      const failure = await schedulerOn(clock)
        .perform(one)
        .catch((thrown: unknown) => thrown);
      expect(clock.slept).toEqual([]);
      expect(failure).toMatchObject({ code: "rate-limited", facts: { retry_at: retryAt } });
      const when = `${retryAt.slice(0, 10)} ${retryAt.slice(11, 16)} UTC`;
      expect((failure as Error).message).toContain(
        `may be asked again after ${when}, which is longer than the 600 s`,
      );
      expect(one.failures).toHaveLength(1);
    },
  );

  it("gives up after the last attempt, keeping the cause and saying who could not be asked", async () => {
    const one = call(failing(9, busy()));
    const failure = await schedulerOn(quickClock())
      .perform(one)
      .catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(AskFailed);
    expect(failure).toMatchObject({
      code: "rate-limited",
      message: "The writer could not be asked (3 attempts): busy",
      facts: { attempts: 3, model: "lab/small" },
    });
    expect(one.failures.at(-1)?.retryInMs).toBeUndefined();
  });

  it("does not repeat what will not get better", async () => {
    const clock = quickClock();
    const refused = failing(1, () => new RunnerError("bad key", { code: "unauthorized" }));
    await expect(schedulerOn(clock).perform(call(refused))).rejects.toThrow("bad key");
    expect(clock.slept).toEqual([]);
  });

  it("turns an unexpected error into a failed attempt that is not repeated", async () => {
    const one = call(failing(1, () => new TypeError("x is undefined")));
    await expect(schedulerOn(quickClock()).perform(one)).rejects.toMatchObject({
      code: "runner-broke",
      retryable: false,
    });
  });

  it("asks fewer at once when the provider is overloaded", async () => {
    const scheduler = schedulerOn(quickClock());
    await scheduler.perform(call(failing(1, busy())));
    expect(scheduler.limitOf("lab").limit).toBe(2);
    expect(scheduler.limitOf("lab").running).toBe(0);
  });

  it("asks one more again after as many successes as it asks at once", async () => {
    const scheduler = schedulerOn(quickClock());
    await scheduler.perform(call(failing(1, busy())));
    await scheduler.perform(call(failing(0, busy())));
    expect(scheduler.limitOf("lab").limit).toBe(3);
  });

  it("asks as many at once as before after a failure that has nothing to do with load", async () => {
    const scheduler = schedulerOn(quickClock());
    const lost = () => new RunnerError("lost", { code: "unreachable", retryable: true });
    await scheduler.perform(call(failing(1, lost)));
    expect(scheduler.limitOf("lab").limit).toBe(4);
  });

  it("measures each attempt, failed or not, in seconds", async () => {
    const clock = quickClock();
    let millis = 60_000;
    const monotonic = () => {
      millis += 1_500;
      return millis;
    };
    const one = call(failing(1, busy()));
    const ended = await schedulerOn({ ...clock, monotonic }).perform(one);
    expect([one.failures[0]?.seconds, ended.seconds]).toEqual([1.5, 1.5]);
  });

  it("tells other processes that share the provider of an overload, and leaves its place", async () => {
    const heard: unknown[] = [];
    const shared = {
      enter: async (provider: string) => void heard.push(`enter ${provider}`),
      leave: (provider: string) => heard.push(`leave ${provider}`),
      overloaded: (provider: string, waitMs: number) => heard.push(`${provider} ${waitMs}`),
      slot: async () => undefined,
    };
    const scheduler = new Scheduler({
      ...{ clock: quickClock(), chance: () => 0, concurrencyOf: () => 4, shared },
      policy: { attempts: 3, baseMs: 100, mostMs: 60_000 },
    });
    await scheduler.perform(call(failing(1, busy(2_000))));
    await scheduler.perform(call(failing(1, busy())));
    const one = ["enter lab", "lab 2000", "leave lab", "enter lab", "leave lab"];
    expect(heard).toEqual([...one, ...one.with(1, "lab 0")]);
  });

  it.each([
    ["takes a slot of the rate for each request of an attempt", 2, [500, 1_000]],
    ["sends the requests of an attempt at once if there is no rate", undefined, []],
  ])("%s", async (_title, rate, slept) => {
    const clock = quickClock();
    const runner: Runner = {
      attempt: async (_request, _signal, _onText, beforeSending) => {
        for (let sent = 0; sent < 3; sent += 1) await beforeSending?.();
        return replied;
      },
    };
    const policy = { attempts: 1, baseMs: 100, mostMs: 1_000 };
    const limits = { concurrencyOf: () => 4, rateOf: () => rate };
    await new Scheduler({ clock, chance: () => 0, policy, ...limits }).perform(call(runner));
    expect(clock.slept).toEqual(slept);
  });

  it("ends a call that hangs at its time-out and counts that as retryable", async () => {
    const hanging: Runner = {
      attempt: (_request, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        }),
    };
    const one = call(hanging, {
      attempts: 1,
      resolved: { runner: hanging, provider: "lab", price: () => 0, idleMs: 1 },
    });
    await expect(schedulerOn(quickClock()).perform(one)).rejects.toMatchObject({
      code: "timed-out",
      retryable: true,
    });
  });

  it("stops waiting when nothing new may begin, without ending the attempt in flight", async () => {
    const quit = new AbortController();
    const runner: Runner = {
      attempt: async () => {
        quit.abort(new Error("closing"));
        return replied;
      },
    };
    const inFlight = call(runner, { waitSignal: quit.signal });
    expect((await schedulerOn(quickClock()).perform(inFlight)).attempted).toEqual(replied);
    const next = call(runner, { waitSignal: quit.signal });
    await expect(schedulerOn(quickClock()).perform(next)).rejects.toThrow("closing");
  });

  it("abandons the attempt in flight on abort and does not record it as the provider's failure", async () => {
    const stop = new AbortController();
    const runner: Runner = {
      attempt: async (_request, signal) => {
        stop.abort(new Error("cancelled"));
        signal.throwIfAborted();
        return replied;
      },
    };
    const one = call(runner, { signal: stop.signal });
    await expect(schedulerOn(quickClock()).perform(one)).rejects.toThrow("cancelled");
    expect(one.failures).toEqual([]);
  });
});

describe("the time limits of an attempt", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Sends a token every so many seconds of the test's own time; with none left it is silent for ever. */
  function talking(tokens: number, everySeconds: number): Runner {
    return {
      attempt: async (_request, signal, onText) => {
        for (let sent = 0; sent < tokens; sent += 1) {
          await vi.advanceTimersByTimeAsync(everySeconds * 1_000);
          signal.throwIfAborted();
          onText?.(sent % 2 === 0 ? "word" : "");
        }
        if (tokens > 9) return replied;
        const gone = new Promise<never>((_resolve, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason)),
        );
        await Promise.all([gone, vi.advanceTimersByTimeAsync(3_600_000)]);
        return replied;
      },
    };
  }

  function attempt(runner: Runner, more: Partial<Call["resolved"]> = {}) {
    vi.useFakeTimers();
    const resolved = { runner, provider: "lab", price: () => 0, idleMs: 30_000, ...more };
    return schedulerOn(quickClock()).perform(call(runner, { attempts: 1, resolved }));
  }

  it("count from the last token, visible or not, so that a long reply may stream", async () => {
    expect((await attempt(talking(20, 29))).attempted).toEqual(replied);
  });

  it("end a reply that stops streaming, and name the setting", async () => {
    await expect(attempt(talking(3, 29))).rejects.toMatchObject({
      code: "timed-out",
      message: expect.stringContaining("lab/small sent nothing for 30 s."),
      hint: expect.stringContaining("--timeout"),
    });
  });

  it("leave a local model more time before its first token only", async () => {
    expect((await attempt(talking(10, 29), { firstIdleMs: 180_000 })).attempted).toEqual(replied);
    await expect(attempt(talking(0, 0), { firstIdleMs: 180_000 })).rejects.toThrow("180 s");
    await expect(attempt(talking(1, 100), { firstIdleMs: 180_000 })).rejects.toThrow("for 30 s");
  });

  it("end a reply that never stops, after the total of its settings, its recipe, or the usual one", async () => {
    const endless = () => talking(1_000, 29);
    await expect(attempt(endless(), { totalMs: 60_000 })).rejects.toMatchObject({
      message: expect.stringContaining("did not finish its reply within 60 s."),
      hint: expect.stringContaining("--total-timeout"),
    });
    await expect(attempt(endless())).rejects.toThrow("within 600 s");
  });

  it("leave no timer behind", async () => {
    await attempt(talking(20, 1));
    expect(vi.getTimerCount()).toBe(0);
  });
});
