import type { Clock } from "../../../ports/clock.ts";
import type { CrashPoints } from "../../../ports/crash-points.ts";
import type { Lease, StoredEvent } from "../../../ports/journal.ts";
import type { Projector } from "../../../ports/projector.ts";
import type { RunRecord, RunStore } from "../../../ports/run-store.ts";

/** How long events wait for the next ones, and how many are written together at most. */
const patienceMillis = 10;
const mostTogether = 16;

/**
 * Hands stored events of one run to the projectors, in order, each event once unless a crash comes in between. A
 * flow may go on meanwhile: a model need not wait for files, and what a crash leaves unwritten is written by the
 * next holder. Events wait a moment for those that follow, because the syncs of several turns' files cost little more
 * than those of one; behind a model that takes its time each turn is alone.
 */
export class Projection {
  readonly #store: RunStore;
  readonly #projectors: readonly Projector[];
  readonly #crash: CrashPoints;
  readonly #clock: Clock;
  readonly #lease: Lease;
  #gathered: StoredEvent[] = [];
  #patience: AbortController | undefined;
  #underWay: Promise<void> = Promise.resolve();
  #underWayBefore: Promise<void> = Promise.resolve();
  #hasFailed = false;
  #projected = 0;
  #marked = 0;

  constructor(about: {
    readonly store: RunStore;
    readonly projectors: readonly Projector[];
    readonly crash: CrashPoints;
    readonly clock: Clock;
    readonly lease: Lease;
    readonly record: RunRecord;
  }) {
    this.#store = about.store;
    const { kind } = about.record.job;
    this.#projectors = about.projectors.filter(({ jobs }) => jobs?.includes(kind) ?? true);
    this.#crash = about.crash;
    this.#clock = about.clock;
    this.#lease = about.lease;
  }

  /** Takes place after what was begun before; a failure is heard of by whoever waits. */
  begin(events: readonly StoredEvent[]): void {
    const wanted = events.filter(({ kind }) =>
      this.#projectors.some(({ kinds }) => kinds.includes(kind)),
    );
    if (wanted.length === 0) return;
    this.#gathered.push(...wanted);
    if (this.#gathered.length >= mostTogether) {
      this.#handOver();
    } else if (this.#patience === undefined) {
      this.#patience = new AbortController();
      void this.#handOverSoon(this.#patience.signal);
    }
  }

  /** Resolves when at most one batch is not done yet; rejects when one has failed. */
  async room(): Promise<void> {
    await (this.#hasFailed ? this.#underWay : this.#underWayBefore);
  }

  /** Resolves when everything begun is done. */
  ended(): Promise<void> {
    this.#handOver();
    return this.#underWay;
  }

  /** The last event that is done and not marked so in the store; whoever takes it marks it. */
  takeUnmarked(): number | undefined {
    if (this.#projected === this.#marked) return undefined;
    this.#marked = this.#projected;
    return this.#marked;
  }

  /** Waits for the end and marks it in the store. */
  async settle(): Promise<void> {
    await this.ended();
    const projected = this.takeUnmarked();
    if (projected !== undefined) await this.#store.markProjected(this.#lease, projected);
  }

  async #handOverSoon(given: AbortSignal): Promise<void> {
    await this.#clock.sleep(patienceMillis, given).catch(() => undefined);
    if (!given.aborted) this.#handOver();
  }

  #handOver(): void {
    this.#patience?.abort();
    this.#patience = undefined;
    const events = this.#gathered;
    if (events.length === 0) return;
    this.#gathered = [];
    this.#underWayBefore = this.#underWay;
    this.#underWay = this.#underWay.then(() => this.#write(events));
    this.#underWay.catch(() => {
      this.#hasFailed = true;
    });
  }

  async #write(events: readonly StoredEvent[]): Promise<void> {
    for (let from = 0; from < events.length; from += mostTogether) {
      const some = events.slice(from, from + mostTogether);
      for (const projector of this.#projectors) {
        const heard = some.filter(({ kind }) => projector.kinds.includes(kind));
        if (heard.length > 0) await projector.apply(heard);
      }
      this.#crash.reach("events-projected");
      this.#projected = some.at(-1)?.seq ?? this.#projected;
    }
  }
}
