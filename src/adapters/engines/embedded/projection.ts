import type { CrashPoints } from "../../../ports/crash-points.ts";
import type { Lease, StoredEvent } from "../../../ports/journal.ts";
import type { Projector } from "../../../ports/projector.ts";
import type { RunRecord, RunStore } from "../../../ports/run-store.ts";

/**
 * Hands stored events of one run to the projectors, in order, each event once unless a crash comes in between. A
 * flow may go on meanwhile: a model need not wait for files, and what a crash leaves unwritten is written by the
 * next holder.
 */
export class Projection {
  readonly #store: RunStore;
  readonly #projectors: readonly Projector[];
  readonly #crash: CrashPoints;
  readonly #lease: Lease;
  #underWay: Promise<void> = Promise.resolve();
  #projected = 0;
  #marked = 0;

  constructor(about: {
    readonly store: RunStore;
    readonly projectors: readonly Projector[];
    readonly crash: CrashPoints;
    readonly lease: Lease;
    readonly record: RunRecord;
  }) {
    this.#store = about.store;
    const { kind } = about.record.job;
    this.#projectors = about.projectors.filter(({ jobs }) => jobs?.includes(kind) ?? true);
    this.#crash = about.crash;
    this.#lease = about.lease;
  }

  /**
   * Begins after what was begun before, and after what is about to happen now: a call goes out before the files of the
   * turn before it are made. A failure is heard of by whoever waits for the end.
   */
  begin(events: readonly StoredEvent[]): void {
    this.#underWay = this.#underWay.then(nextRound).then(() => this.#apply(events));
    this.#underWay.catch(() => undefined);
  }

  /** Resolves when everything begun is done. */
  ended(): Promise<void> {
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

  async #apply(events: readonly StoredEvent[]): Promise<void> {
    let projected = 0;
    for (const event of events) {
      for (const projector of this.#projectors) {
        if (!projector.kinds.includes(event.kind)) continue;
        await projector.apply(event);
        projected = event.seq;
      }
    }
    if (projected === 0) return;
    this.#crash.reach("events-projected");
    this.#projected = projected;
  }
}

/** Of the event loop. */
function nextRound(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
