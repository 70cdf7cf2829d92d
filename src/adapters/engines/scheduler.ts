import { defined } from "../../domain/values/defined.ts";
import { instantFromMillis, millisOf } from "../../domain/values/instant.ts";
import { AskFailed, RunnerError, WorkflowError } from "../../domain/values/workflow-error.ts";
import type { Chance, Clock } from "../../ports/clock.ts";
import type { AskRequest, Attempted, ResolvedRunner, StoredError } from "../../ports/runner.ts";
import { AdaptiveLimit } from "./adaptive-limit.ts";
import { OwnSlots, Pace, type PacedAttempt, type Slots } from "./pace.ts";
import { longestWaitOf, type RetryPolicy, retryDelay } from "./retry-delay.ts";
import { storedError } from "./stored-error.ts";

export interface Call {
  readonly request: AskRequest;
  readonly resolved: ResolvedRunner;
  /** Abandons the attempt in flight. */
  readonly signal: AbortSignal;
  /** Stops waiting for a place or for the next attempt, but lets an attempt in flight finish. */
  readonly waitSignal: AbortSignal;
  readonly attempts?: number;
  readonly onText: (part: string) => void;
  readonly ledger: CallLedger;
}

/** Records physical attempts. */
export interface CallLedger {
  /** Returns the number of the attempt; throws when it must not be made. */
  started(): Promise<number>;
  failed(attempt: FailedAttempt): Promise<void>;
}

export interface FailedAttempt {
  readonly attempt: number;
  readonly seconds: number;
  readonly error: StoredError;
  /** Absent after the last attempt. */
  readonly retryInMs?: number;
}

export interface CallEnded {
  readonly attempted: Attempted;
  readonly attempt: number;
  readonly seconds: number;
}

type AttemptEnded = CallEnded | { readonly retryInMs: number };

export interface SchedulerOptions {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly policy: RetryPolicy;
  readonly concurrencyOf: (provider: string) => number;
  /** Requests a second; undefined: as many as there are places. */
  readonly rateOf?: (provider: string) => number | undefined;
  /** Absent: this process is alone. */
  readonly shared?: SharedPlaces;
}

/** Limits of providers that several processes keep together. */
export interface SharedPlaces extends Slots {
  /** `leave` must be called exactly once after it resolves. */
  enter(provider: string, signal: AbortSignal): Promise<void>;
  leave(provider: string): void;
  /** The provider has refused a call and wants this many milliseconds without another. */
  overloaded(provider: string, waitMs: number): void;
}

/** Whoever asks for more than a year means "not now". */
const longestSaidMs = 365 * 24 * 3_600_000;

/** Codes by which runners say that the provider wants fewer calls at once. */
const overloadCodes: readonly string[] = ["rate-limited", "overloaded"];

/** All calls of a process go through here: limits per provider, time-outs, retries with back-off. */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #limits = new Map<string, AdaptiveLimit>();
  readonly #answered = new Set<string>();
  readonly #pace: Pace;

  constructor(options: SchedulerOptions) {
    const { clock, shared, rateOf = () => undefined } = options;
    this.#options = options;
    this.#pace = new Pace(clock, shared ?? new OwnSlots(clock, rateOf));
  }

  limitOf(provider: string): AdaptiveLimit {
    const known = this.#limits.get(provider);
    if (known !== undefined) return known;
    const limit = new AdaptiveLimit(this.#options.concurrencyOf(provider));
    this.#limits.set(provider, limit);
    return limit;
  }

  /** One logical call with all its physical attempts. Throws `AskFailed` when they are used up. */
  async perform(call: Call): Promise<CallEnded> {
    const most = call.attempts ?? this.#options.policy.attempts;
    for (let tried = 1; ; tried += 1) {
      const ended = await this.#attempt(call, tried, most);
      if ("attempted" in ended) return ended;
      await this.#options.clock.sleep(ended.retryInMs, call.waitSignal);
    }
  }

  async #attempt(call: Call, tried: number, most: number): Promise<AttemptEnded> {
    const { provider } = call.resolved;
    const { shared } = this.#options;
    const limit = this.limitOf(provider);
    await limit.enter(call.waitSignal);
    try {
      await shared?.enter(provider, call.waitSignal);
      try {
        const turn = await this.#pace.approach(provider, call.waitSignal);
        return await this.#attemptNow(call, { tried, most, turn });
      } finally {
        shared?.leave(provider);
      }
    } finally {
      limit.leave();
    }
  }

  async #attemptNow(
    call: Call,
    how: { readonly tried: number; readonly most: number; readonly turn: PacedAttempt | undefined },
  ): Promise<AttemptEnded> {
    const { tried, most, turn } = how;
    const { provider } = call.resolved;
    const limit = this.limitOf(provider);
    const attempt = await call.ledger.started();
    await turn?.arrive(call.signal);
    const began = this.#options.clock.monotonic();
    try {
      const attempted = await this.#askOnce(call, turn);
      limit.succeeded();
      return { attempted, attempt, seconds: this.#secondsSince(began) };
    } catch (thrown) {
      call.signal.throwIfAborted();
      const error = asRunnerError(thrown);
      if (overloadCodes.includes(error.code)) {
        limit.overloaded();
        this.#options.shared?.overloaded(provider, error.retryAfterMs ?? 0);
      }
      const isTooLong = (error.retryAfterMs ?? 0) > longestWaitOf(this.#options.policy);
      const retry = error.retryable && tried < most && !isTooLong;
      const retryInMs = retry ? this.#delay(tried, error) : undefined;
      await call.ledger.failed({
        attempt,
        seconds: this.#secondsSince(began),
        error: storedError(error),
        ...defined({ retryInMs }),
      });
      if (isTooLong) throw this.#notWaitedFor(call.request, error, tried);
      if (retryInMs === undefined) throw usedUp(call.request, error, tried);
      return { retryInMs };
    }
  }

  async #askOnce(call: Call, turn: PacedAttempt | undefined): Promise<Attempted> {
    const { request, resolved, signal } = call;
    const isFirst = !this.#answered.has(request.model);
    const limits = new AttemptLimits(request, resolved, isFirst);
    try {
      const either = AbortSignal.any([signal, limits.signal]);
      const onText = (part: string): void => {
        limits.sawToken();
        if (part !== "") call.onText(part);
      };
      const beforeSending = turn && (() => turn.send(either));
      const attempted = await resolved.runner.attempt(request, either, onText, beforeSending);
      this.#answered.add(request.model);
      return attempted;
    } catch (thrown) {
      if (signal.aborted || limits.exceeded === undefined) throw thrown;
      throw timedOut(request, limits.exceeded, thrown);
    } finally {
      limits.close();
    }
  }

  #delay(tried: number, error: RunnerError): number {
    const { policy, chance } = this.#options;
    return retryDelay(policy, { attempt: tried, retryAfterMs: error.retryAfterMs }, chance);
  }

  /** A long silent wait helps no one: the run ends, can be resumed, and says when that makes sense. */
  #notWaitedFor(request: AskRequest, error: RunnerError, attempts: number): AskFailed {
    const { clock, policy } = this.#options;
    const waitMs = Math.min(error.retryAfterMs ?? 0, longestSaidMs);
    const retryAt = instantFromMillis(millisOf(clock.now()) + waitMs);
    const seconds = longestWaitOf(policy) / 1_000;
    const when = `${retryAt.slice(0, 16).replace("T", " ")} UTC`;
    const failed = usedUp(request, error, attempts);
    return new AskFailed(
      `${failed.message} It may be asked again after ${when}, which is longer than the ${seconds} s that are waited.`,
      {
        ...aboutOf(failed),
        facts: { ...failed.facts, retry_at: retryAt },
        hint: `Resume the run after ${when}; limits.longest_wait_seconds in signoff.yaml sets how long is waited.`,
        cause: error,
      },
    );
  }

  #secondsSince(began: number): number {
    return (this.#options.clock.monotonic() - began) / 1000;
  }
}

function asRunnerError(thrown: unknown): RunnerError {
  if (thrown instanceof RunnerError) return thrown;
  if (thrown instanceof WorkflowError) {
    return new RunnerError(thrown.message, { ...aboutOf(thrown), cause: thrown });
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new RunnerError(`The runner broke: ${message}`, { code: "runner-broke", cause: thrown });
}

function aboutOf(error: WorkflowError) {
  const { code, retryable, facts, hint } = error;
  return { code, retryable, facts, ...defined({ hint }) };
}

interface Exceeded {
  readonly limit: "idle" | "total";
  readonly seconds: number;
}

const usualTotalSeconds = 600;

/** The two time limits of an attempt: without a token, and for the whole reply. */
class AttemptLimits {
  readonly #abort = new AbortController();
  readonly #idleMs: number | undefined;
  readonly #total: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  exceeded: Exceeded | undefined;

  constructor(request: AskRequest, resolved: ResolvedRunner, isFirst: boolean) {
    this.#idleMs = resolved.idleMs;
    if (this.#idleMs === undefined) return;
    this.#idle = this.#limit("idle", (isFirst ? resolved.firstIdleMs : undefined) ?? this.#idleMs);
    const totalMs = (request.totalSeconds ?? usualTotalSeconds) * 1_000;
    this.#total = this.#limit("total", resolved.totalMs ?? totalMs);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  sawToken(): void {
    if (this.#idleMs === undefined) return;
    clearTimeout(this.#idle);
    this.#idle = this.#limit("idle", this.#idleMs);
  }

  close(): void {
    clearTimeout(this.#idle);
    clearTimeout(this.#total);
  }

  #limit(limit: Exceeded["limit"], millis: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.exceeded ??= { limit, seconds: millis / 1_000 };
      this.#abort.abort(new DOMException("The attempt took too long.", "TimeoutError"));
    }, millis);
  }
}

/** Each limit names the settings that raise it. */
const limitWords = {
  idle: {
    did: "sent nothing for",
    hint: "Allow more with --timeout (also on `runs resume`) or limits.timeout in signoff.yaml.",
  },
  total: {
    did: "did not finish its reply within",
    hint: "Allow more with --total-timeout (also on `runs resume`), limits.total_timeout in signoff.yaml or max_seconds in the recipe.",
  },
} as const;

function timedOut(
  { model }: AskRequest,
  { limit, seconds }: Exceeded,
  cause: unknown,
): RunnerError {
  const { did, hint } = limitWords[limit];
  return new RunnerError(`${model} ${did} ${seconds} s.`, {
    code: "timed-out",
    retryable: true,
    facts: { model, limit, seconds },
    hint,
    cause,
  });
}

function usedUp(request: AskRequest, error: RunnerError, attempts: number): AskFailed {
  const times = attempts === 1 ? "" : ` (${attempts} attempts)`;
  return new AskFailed(`The ${request.role} could not be asked${times}: ${error.message}`, {
    code: error.code,
    retryable: error.retryable,
    facts: { ...error.facts, role: request.role, model: request.model, attempts },
    ...defined({ hint: error.hint }),
    cause: error,
  });
}
