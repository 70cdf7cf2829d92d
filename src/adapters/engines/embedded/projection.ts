import type { CrashPoints } from "../../../ports/crash-points.ts";
import type { Lease, StoredEvent } from "../../../ports/journal.ts";
import type { Projector } from "../../../ports/projector.ts";
import type { RunRecord, RunStore } from "../../../ports/run-store.ts";

/** Hands stored events of one run to the projectors, each event once unless a crash comes in between. */
export class Projection {
  readonly #store: RunStore;
  readonly #projectors: readonly Projector[];
  readonly #crash: CrashPoints;
  readonly #lease: Lease;

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

  async apply(events: readonly StoredEvent[]): Promise<void> {
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
    await this.#store.markProjected(this.#lease, projected);
  }
}
