import type { Clock } from "../../ports/clock.ts";

/** Points in time at which one request each may be sent, by the monotonic clock of this process. */
export interface Slots {
  /**
   * The next free slot; undefined: the provider has no rate. A caller that missed its slot goes first. Rejects only
   * with the signal's reason.
   */
  slot(provider: string, signal: AbortSignal, hasMissed?: boolean): Promise<number | undefined>;
}

/** A request this late would meet those of the next slots: a provider counts each second. */
export const tolerableMillis = 50;
export const longestLeadMillis = 1_000;

/**
 * Sends each request in its slot. What has to be done before the request is sent is done before the slot, and whoever
 * misses it takes another.
 */
export class Pace {
  readonly #clock: Clock;
  readonly #slots: Slots;
  /** Twice the time that the last preparation took. */
  #lead = 0;

  constructor(clock: Clock, slots: Slots) {
    this.#clock = clock;
    this.#slots = slots;
  }

  /** Resolves when it is time to prepare the request. */
  async approach(provider: string, signal: AbortSignal): Promise<PacedAttempt | undefined> {
    const at = await this.#slots.slot(provider, signal);
    if (at === undefined) return undefined;
    await sleepUntil(at - this.#lead, this.#clock, signal);
    const since = this.#clock.monotonic();
    const next = (how: AbortSignal) => this.#slots.slot(provider, how, true);
    return new PacedAttempt({ at, next, clock: this.#clock }, () => {
      this.#lead = Math.min(2 * (this.#clock.monotonic() - since), longestLeadMillis);
    });
  }
}

/** One attempt's place in a rate. */
export class PacedAttempt {
  readonly #clock: Clock;
  readonly #next: (signal: AbortSignal) => Promise<number | undefined>;
  readonly #prepared: () => void;
  #at: number;
  #isSent = false;

  constructor(
    parts: {
      readonly at: number;
      readonly next: (signal: AbortSignal) => Promise<number | undefined>;
      readonly clock: Clock;
    },
    prepared: () => void,
  ) {
    this.#at = parts.at;
    this.#next = parts.next;
    this.#clock = parts.clock;
    this.#prepared = prepared;
  }

  /** Resolves in the slot, when everything is prepared. */
  async arrive(signal: AbortSignal): Promise<void> {
    this.#prepared();
    await this.#onTime(signal);
  }

  /** Resolves when a request may be sent. The first is sent in the slot, each further one needs another. */
  async send(signal: AbortSignal): Promise<void> {
    if (this.#isSent) await this.#takeNext(signal);
    this.#isSent = true;
    await this.#onTime(signal);
  }

  async #onTime(signal: AbortSignal): Promise<void> {
    for (;;) {
      await sleepUntil(this.#at, this.#clock, signal);
      if (this.#clock.monotonic() <= this.#at + tolerableMillis) return;
      await this.#takeNext(signal);
    }
  }

  async #takeNext(signal: AbortSignal): Promise<void> {
    this.#at = (await this.#next(signal)) ?? this.#clock.monotonic();
  }
}

async function sleepUntil(at: number, clock: Clock, signal: AbortSignal): Promise<void> {
  const millis = at - clock.monotonic();
  if (millis > 0) await clock.sleep(millis, signal);
}

/** The slots of a process that is alone. */
export class OwnSlots implements Slots {
  readonly #clock: Clock;
  readonly #rateOf: (provider: string) => number | undefined;
  readonly #next = new Map<string, number>();

  constructor(clock: Clock, rateOf: (provider: string) => number | undefined) {
    this.#clock = clock;
    this.#rateOf = rateOf;
  }

  slot(provider: string): Promise<number | undefined> {
    const rate = this.#rateOf(provider);
    if (rate === undefined) return Promise.resolve(undefined);
    const at = Math.max(this.#clock.monotonic(), this.#next.get(provider) ?? 0);
    this.#next.set(provider, at + 1_000 / rate);
    return Promise.resolve(at);
  }
}
