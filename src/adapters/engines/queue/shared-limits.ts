import type { Pool } from "pg";
import type { Clock } from "../../../ports/clock.ts";
import { longestLeadMillis, tolerableMillis } from "../pace.ts";
import type { SharedPlaces } from "../scheduler.ts";

/** What one provider allows, to all workers together. */
export interface ProviderLimit {
  /** Calls at once. */
  readonly places: number;
  readonly perSecond?: number;
}

export interface SharedLimitsParts {
  readonly pool: Pick<Pool, "query">;
  readonly worker: string;
  readonly limitOf: (provider: string) => ProviderLimit;
  /** Another worker was refused by the provider. */
  readonly slowed: (provider: string) => void;
  readonly clock: Clock;
}

/** Whoever has less than it asked for looks again after this time. */
const lookMillis = 100;
/** More than is needed at the moment, so that not every call has to ask. */
const spare = 8;
const termSeconds = 30;
/** Slots of a rate are taken for this long at once, so that not every call has to ask. */
const batchMillis = 500;
/** A sample that differs by more means that a clock was set. */
const clockSetMillis = 1_000;
/** An outage of the database must not stop calls that have a place: they are bounded by what was granted before. */
const retryMillis = 500;

/**
 * Places and slots of providers that all workers share. Each worker keeps what it has been granted as a row that
 * expires, asks for as many places as it could use, and gets at most its share while others want some, too.
 */
export class SharedLimits implements SharedPlaces {
  readonly #parts: SharedLimitsParts;
  readonly #providers = new Map<string, Share>();
  #offset = Number.POSITIVE_INFINITY;

  constructor(parts: SharedLimitsParts) {
    this.#parts = parts;
  }

  /** Waits for a place. `leave` must be called once after it resolves. */
  async enter(provider: string, signal: AbortSignal): Promise<void> {
    const share = this.#shareOf(provider);
    share.wanted += 1;
    try {
      while (share.running >= share.places || this.#millis() < share.waitUntil) {
        await this.#renew(provider, share);
        if (share.running < share.places && this.#millis() >= share.waitUntil) break;
        await this.#parts.clock.sleep(pollMillisOf(share, this.#millis()), signal);
      }
      share.running += 1;
    } catch (error) {
      share.wanted -= 1;
      throw error;
    }
  }

  async slot(
    provider: string,
    signal: AbortSignal,
    hasMissed = false,
  ): Promise<number | undefined> {
    const { perSecond } = this.#parts.limitOf(provider);
    if (perSecond === undefined) return undefined;
    const share = this.#shareOf(provider);
    share.queued += 1;
    share.missed += hasMissed ? 1 : 0;
    try {
      for (;;) {
        signal.throwIfAborted();
        const isNext = hasMissed || share.slots.length > share.missed;
        const at = isNext ? share.slots.shift() : undefined;
        if (at === undefined) await this.#moreSlots(provider, share, perSecond);
        else if (this.#millis() <= at + tolerableMillis) return at;
      }
    } finally {
      share.queued -= 1;
      share.missed -= hasMissed ? 1 : 0;
    }
  }

  leave(provider: string): void {
    const share = this.#shareOf(provider);
    share.running -= 1;
    share.wanted -= 1;
  }

  /** The provider has refused a call: every worker slows down. */
  overloaded(provider: string, waitMs: number): void {
    // If the database is away, this worker slows down alone.
    this.#slowAll(provider, waitMs).catch(() => undefined);
  }

  async #slowAll(provider: string, waitMs: number): Promise<void> {
    const { pool } = this.#parts;
    const share = this.#shareOf(provider);
    const { rows } = await pool.query<Pick<GrantRow, "slowed_at">>(
      `INSERT INTO signoff.providers (provider, slowed_at, wait_until)
       VALUES ($1, now(), now() + make_interval(secs => $2::float8 / 1000))
       ON CONFLICT (provider) DO UPDATE SET slowed_at = now(),
         wait_until = GREATEST(signoff.providers.wait_until, excluded.wait_until)
       RETURNING slowed_at::text`,
      [provider, waitMs],
    );
    // This worker has slowed down already.
    share.slowedAt = rows[0]?.slowed_at;
    await this.#renew(provider, share, true);
  }

  /** Renews what is held and gives back what is not needed; called from time to time by the worker. */
  async renewAll(): Promise<void> {
    for (const [provider, share] of this.#providers) {
      if (share.wanted > 0 || share.asked > 0) await this.#renew(provider, share, true);
    }
  }

  #shareOf(provider: string): Share {
    const known = this.#providers.get(provider);
    if (known !== undefined) return known;
    const share = new Share();
    this.#providers.set(provider, share);
    return share;
  }

  /** One round trip at a time per provider; callers that come meanwhile share it. */
  #renew(provider: string, share: Share, isForced = false): Promise<void> {
    const isFresh = this.#millis() - share.renewedAt < lookMillis && share.wanted <= share.asked;
    if (isFresh && !isForced) return Promise.resolve();
    share.renewing ??= this.#take(provider, share)
      .catch(() => this.#rest(retryMillis))
      .finally(() => {
        share.renewing = undefined;
      });
    return share.renewing;
  }

  async #take(provider: string, share: Share): Promise<void> {
    const { pool, worker, limitOf, slowed } = this.#parts;
    const { places: most } = limitOf(provider);
    const asked = share.wanted === 0 ? 0 : share.wanted + spare;
    const { rows } = await pool.query<GrantRow>(takePlaces, [
      ...[provider, worker, asked, most, termSeconds],
    ]);
    share.asked = asked;
    const [row] = rows;
    if (row === undefined) return;
    share.places = row.places;
    share.renewedAt = this.#millis();
    share.waitUntil = share.renewedAt + row.wait_millis;
    if (share.slowedAt !== undefined && share.slowedAt !== row.slowed_at) slowed(provider);
    share.slowedAt = row.slowed_at;
  }

  #moreSlots(provider: string, share: Share, perSecond: number): Promise<void> {
    share.taking ??= this.#takeSlots(provider, share, perSecond)
      .catch(() => this.#rest(retryMillis))
      .finally(() => {
        share.taking = undefined;
      });
    return share.taking;
  }

  /** Not far ahead: others want some, too, and a refusal has to count soon. */
  async #takeSlots(provider: string, share: Share, perSecond: number): Promise<void> {
    await this.#rest(Math.max(share.lastSlot - batchMillis, share.waitUntil) - this.#millis());
    const atOnce = Math.max(1, Math.floor((perSecond * batchMillis) / 1_000));
    const count = Math.max(1, Math.min(share.queued, atOnce));
    const asked = this.#millis();
    const { rows } = await this.#parts.pool.query<SlotRow>(takeSlots, [
      ...[provider, count, perSecond, share.lead / 1_000],
    ]);
    const [row] = rows;
    if (row === undefined) return;
    share.lead = Math.min(2 * (this.#millis() - asked), longestLeadMillis);
    const first = row.first_millis + this.#behind(row.now_millis);
    for (let at = 0; at < count; at += 1) share.slots.push(first + (at * 1_000) / perSecond);
    share.lastSlot = share.slots.at(-1) ?? 0;
  }

  /**
   * What has to be added to the database's time to get ours. The answer that took the shortest way is the most exact, so
   * slow answers do not move the slots.
   */
  #behind(now: number): number {
    const sample = this.#millis() - now;
    const isNew = sample < this.#offset || sample > this.#offset + clockSetMillis;
    if (isNew) this.#offset = sample;
    return this.#offset;
  }

  async #rest(millis: number): Promise<void> {
    if (millis > 0) await this.#parts.clock.sleep(millis, new AbortController().signal);
  }

  #millis(): number {
    return this.#parts.clock.monotonic();
  }
}

class Share {
  /** Calls that wait or run here. */
  wanted = 0;
  running = 0;
  /** When places were last taken. */
  asked = 0;
  /** Granted to this worker. */
  places = 0;
  renewedAt = 0;
  waitUntil = 0;
  slowedAt: string | undefined;
  renewing: Promise<void> | undefined;
  /** Calls that wait for a slot. */
  queued = 0;
  /** Of these, those that have missed one. */
  missed = 0;
  readonly slots: number[] = [];
  lastSlot = 0;
  /** Slots that are nearer than this would be over before they are known here. */
  lead = 0;
  taking: Promise<void> | undefined;
}

function pollMillisOf({ waitUntil }: Share, now: number): number {
  return Math.max(lookMillis, waitUntil - now);
}

interface GrantRow {
  readonly places: number;
  readonly wait_millis: number;
  readonly slowed_at: string;
}

const takePlaces = "SELECT * FROM signoff.take_places($1, $2::uuid, $3::int, $4::int, $5::float8)";

interface SlotRow {
  readonly first_millis: number;
  readonly now_millis: number;
}

/** The next free slots of a rate; each is one call's. */
const takeSlots = `
INSERT INTO signoff.providers AS p (provider, next_at)
VALUES ($1, clock_timestamp() + make_interval(secs => $4::float8 + $2::float8 / $3::float8))
ON CONFLICT (provider) DO UPDATE
  SET next_at = GREATEST(p.next_at, clock_timestamp() + make_interval(secs => $4::float8))
    + make_interval(secs => $2::float8 / $3::float8)
RETURNING
  (extract(epoch FROM next_at) * 1000 - $2::float8 / $3::float8 * 1000)::float8 AS first_millis,
  (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_millis
`;
