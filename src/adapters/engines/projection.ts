import type { StoredEvent } from "../../ports/journal.ts";
import type { Projector } from "../../ports/projector.ts";
import type { RunServices } from "./live-call.ts";

/** How long events wait for later ones, and how many are written together at most. */
const gatherMillis = 10;
const maxBatch = 16;

interface ProjectionParts extends Omit<RunServices, "observer"> {
  readonly projectors: readonly Projector[];
}

/**
 * Passes stored events of one run to the projectors, in order and once each, unless a crash intervenes. The flow
 * continues meanwhile: a model call need not wait for files, and the next holder writes what a crash left unwritten.
 * Events wait briefly for later ones, because syncing the files of several turns costs little more than syncing those
 * of one; with a slow model each turn is written alone.
 */
export class Projection {
  readonly #parts: ProjectionParts;
  readonly #projectors: readonly Projector[];
  #gathered: StoredEvent[] = [];
  #gathering: AbortController | undefined;
  #underWay: Promise<void> = Promise.resolve();
  #underWayBefore: Promise<void> = Promise.resolve();
  #hasFailed = false;
  #projected = 0;
  #marked = 0;

  constructor(parts: ProjectionParts) {
    this.#parts = parts;
    const { kind } = parts.record.job;
    this.#projectors = parts.projectors.filter(({ jobs }) => jobs?.includes(kind) ?? true);
  }

  /** Runs after earlier batches; a failure is thrown to the callers that wait. */
  begin(events: readonly StoredEvent[]): void {
    const wanted = events.filter(({ kind }) =>
      this.#projectors.some(({ kinds }) => kinds.includes(kind)),
    );
    if (wanted.length === 0) return;
    this.#gathered.push(...wanted);
    if (this.#gathered.length >= maxBatch) {
      this.#handOver();
    } else if (this.#gathering === undefined) {
      this.#gathering = new AbortController();
      void this.#handOverSoon(this.#gathering.signal);
    }
  }

  /** Resolves when at most one batch is unfinished; rejects if one has failed. */
  async room(): Promise<void> {
    await (this.#hasFailed ? this.#underWay : this.#underWayBefore);
  }

  /** Resolves when all batches are done. */
  ended(): Promise<void> {
    this.#handOver();
    return this.#underWay;
  }

  /** The last projected event that the store does not know about; the caller must mark it there. */
  takeUnmarked(): number | undefined {
    if (this.#projected === this.#marked) return undefined;
    this.#marked = this.#projected;
    return this.#marked;
  }

  /** Waits for all batches and marks them in the store. */
  async settle(): Promise<void> {
    await this.ended();
    const projected = this.takeUnmarked();
    const { store, lease } = this.#parts;
    if (projected !== undefined) await store.markProjected(lease, projected);
  }

  /**
   * Drops events that are still waiting, as is required after losing the lease, and resolves when nothing is being
   * written any more, whatever the outcome.
   */
  async quiet(): Promise<void> {
    this.#gathered = [];
    await this.ended().catch(() => undefined);
  }

  async #handOverSoon(given: AbortSignal): Promise<void> {
    await this.#parts.clock.sleep(gatherMillis, given).catch(() => undefined);
    if (!given.aborted) this.#handOver();
  }

  #handOver(): void {
    this.#gathering?.abort();
    this.#gathering = undefined;
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
    for (let from = 0; from < events.length; from += maxBatch) {
      const some = events.slice(from, from + maxBatch);
      for (const projector of this.#projectors) {
        const wanted = some.filter(({ kind }) => projector.kinds.includes(kind));
        if (wanted.length > 0) await projector.apply(wanted);
      }
      this.#parts.crash.reach("events-projected");
      this.#projected = some.at(-1)?.seq ?? this.#projected;
    }
  }
}
