import { readUsage } from "../../domain/models/usage.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Digest } from "../../domain/values/digest.ts";
import type { Key } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { CrashPoints } from "../../ports/crash-points.ts";
import type { AttemptEnd, AttemptStart, CallFacts, Journal, Lease } from "../../ports/journal.ts";
import type { Observer } from "../../ports/observer.ts";
import type { Question } from "../../ports/question.ts";
import type { RunRecord, RunStore } from "../../ports/run-store.ts";
import type { AskRequest, Reply, ResolvedRunner, StoredError, Usage } from "../../ports/runner.ts";
import { FlowStop, stopped } from "./flow-stop.ts";
import { reservationFor } from "./reservation.ts";
import { decisionId } from "./run-identity.ts";
import type { Call, CallEnded, FailedAttempt, Scheduler } from "./scheduler.ts";

/** The run that is executed, and what every part of its execution uses. */
export interface RunServices {
  readonly record: RunRecord;
  readonly lease: Lease;
  readonly store: RunStore;
  readonly clock: Clock;
  readonly crash: CrashPoints;
  readonly observer: Observer;
}

interface LiveCallParts extends RunServices {
  readonly key: Key;
  readonly digest: Digest;
  readonly request: AskRequest;
  readonly resolved: ResolvedRunner;
}

/** Closes the attempt in the ledger, so that its reservation is released while the run waits. */
const suspended: StoredError = {
  code: "suspended",
  message: "Waits for an answer from outside.",
  retryable: true,
  facts: {},
};

type Signals = Pick<Call, "signal" | "waitSignal">;

/** A server names the model that answered; nothing else is bounded about that name. */
const longestModel = 300;

type Start = (start: AttemptStart) => ReturnType<Journal["start"]>;

/** A call that is not in the journal yet: made, recorded, and only then returned. */
export class LiveCall {
  readonly #parts: LiveCallParts;
  #activeSeconds = 0;

  constructor(parts: LiveCallParts) {
    this.#parts = parts;
  }

  async perform(scheduler: Scheduler, signals: Signals, start: Start): Promise<Reply> {
    const { request, resolved, record } = this.#parts;
    const attempts = attemptsOf(record.settings);
    const ended = await scheduler.perform({
      request,
      resolved,
      ...signals,
      ...defined({ attempts }),
      onText: (part) => this.#notice({ kind: "text", part }),
      ledger: {
        started: () => this.#started(start),
        failed: (attempt) => this.#failed(attempt),
      },
    });
    const { attempted } = ended;
    const reply =
      attempted.kind === "replied"
        ? attempted.reply
        : await this.#answered(attempted.question, ended);
    return this.#recorded(reply, ended);
  }

  async #started(start: Start): Promise<number> {
    const { key, digest, request, resolved, clock, crash } = this.#parts;
    const reserve = reservationFor(request, resolved);
    const at = clock.now();
    const started = await start({ key, digest, model: request.model, reserve, at });
    if (started.kind === "over-budget") throw stopped("budget", started.facts);
    crash.reach("attempt-started");
    const { attempt } = started;
    this.#notice({ kind: "call-started", model: request.model, attempt });
    return attempt;
  }

  async #failed(failed: FailedAttempt): Promise<void> {
    const { attempt, seconds, error, retryInMs } = failed;
    const { lease, store, key, clock, request, record } = this.#parts;
    this.#activeSeconds += seconds;
    const end = { attempt, seconds, finishedAt: clock.now(), ...this.#expense(undefined) };
    await store.fail(lease, key, end, error);
    const { model } = request;
    this.#notice({ kind: "call-failed", model, error, ...defined({ retryInMs }) });
    const budget = record.budget.seconds;
    if (budget === undefined || retryInMs === undefined) return;
    const wait = retryInMs / 1000;
    if (this.#activeSeconds + wait > budget)
      throw stopped("budget", { bound: "seconds", budget, wait });
  }

  /** A live agent or a person answers outside this process; the question is stored and the run waits. */
  async #answered(question: Question, ended: CallEnded): Promise<Omit<Reply, "replayed">> {
    const { lease, store, clock, key, request, record } = this.#parts;
    const decision = await store.openDecision(lease, {
      id: decisionId(record.run, key),
      run: record.run,
      key,
      question,
      askedAt: clock.now(),
    });
    const { answer } = decision;
    if (answer === undefined) {
      const { attempt, seconds } = ended;
      await store.fail(lease, key, { attempt, seconds, finishedAt: clock.now() }, suspended);
      throw new FlowStop({ kind: "waiting", decisions: [decision.id] });
    }
    return {
      text: answer.text ?? answer.choice,
      model: request.model,
      finish: "complete",
      startedAt: decision.askedAt,
      finishedAt: answer.at,
    };
  }

  async #recorded(unpriced: Omit<Reply, "replayed">, ended: CallEnded): Promise<Reply> {
    const { lease, store, crash, clock, key, digest, request } = this.#parts;
    const { usage: given, ...said } = unpriced;
    const usage = this.#priced(readUsage(given));
    const model = said.model.slice(0, longestModel);
    const expense = this.#expense(usage);
    const reply: Reply = { replayed: false, ...said, model, ...expense };
    crash.reach("reply-received");
    const { attempt, seconds } = ended;
    await store.record(lease, { key, digest, value: reply as unknown as Json }, [], {
      facts: factsOf(request),
      end: { attempt, seconds, finishedAt: clock.now(), ...expense },
    });
    crash.reach("reply-recorded");
    this.#notice({ kind: "call-replied", model, seconds, replayed: false, ...defined({ usage }) });
    return reply;
  }

  /** Unknown token counts cost nothing where tokens are free. */
  #expense(usage: Usage | undefined): Pick<AttemptEnd, "usage" | "microUsd"> {
    if (usage !== undefined) return { usage };
    const many = 1_000_000;
    return this.#parts.resolved.price({ input: many, output: many }) === 0 ? { microUsd: 0 } : {};
  }

  /** The runner's own price if it reports one, else that of the price table. */
  #priced(usage: Usage | undefined): Usage | undefined {
    if (usage === undefined || usage.microUsd !== undefined) return usage;
    return readUsage({ ...usage, microUsd: this.#parts.resolved.price(usage) });
  }

  #notice(happening: CallHappening): void {
    const { observer, record, key, request } = this.#parts;
    observer.notice({ run: record.run, key, role: request.role, ...happening });
  }
}

type CallHappening = DistributiveOmit<
  Extract<Parameters<Observer["notice"]>[0], { key: Key }>,
  "run" | "key" | "role"
>;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

function factsOf(request: AskRequest): CallFacts {
  const { role, model, system, user, expects, settings, formatVersion } = request;
  return { role, model, system, user, expects, settings, formatVersion };
}

function attemptsOf(settings: Json): number | undefined {
  if (settings === null || typeof settings !== "object" || !("attempts" in settings))
    return undefined;
  return typeof settings.attempts === "number" ? settings.attempts : undefined;
}
