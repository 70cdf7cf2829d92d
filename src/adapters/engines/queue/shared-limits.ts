import type { Pool } from "pg";
import type { Clock } from "../../../ports/clock.ts";
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
/** Permits of a rate are taken for this long at once, and are void when they are not used by then. */
const batchMillis = 500;
/** An outage of the database must not stop calls that have a place: they are bounded by what was granted before. */
const retryMillis = 500;

/**
 * Places and permits of providers that all workers share. Each worker keeps what it has been granted as a row that
 * expires, asks for as many places as it could use, and gets at most its share while others want some, too.
 */
export class SharedLimits implements SharedPlaces {
  readonly #parts: SharedLimitsParts;
  readonly #providers = new Map<string, Share>();

  constructor(parts: SharedLimitsParts) {
    this.#parts = parts;
  }

  /** Waits for a place and, where there is a rate, for a permit. `leave` must be called once after it resolves. */
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
      try {
        await this.#permit(provider, share, signal);
      } catch (error) {
        share.running -= 1;
        throw error;
      }
    } catch (error) {
      share.wanted -= 1;
      throw error;
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
    const share = newShare();
    this.#providers.set(provider, share);
    return share;
  }

  /** One round trip at a time per provider; callers that come meanwhile share it. */
  #renew(provider: string, share: Share, isForced = false): Promise<void> {
    const isFresh = this.#millis() - share.renewedAt < lookMillis && share.wanted <= share.asked;
    if (isFresh && !isForced) return Promise.resolve();
    share.renewing ??= this.#take(provider, share)
      .catch(async () => {
        await this.#parts.clock.sleep(retryMillis, new AbortController().signal);
      })
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

  async #permit(provider: string, share: Share, signal: AbortSignal): Promise<void> {
    const { perSecond } = this.#parts.limitOf(provider);
    if (perSecond === undefined) return;
    for (;;) {
      const now = this.#millis();
      const at = share.permits.shift();
      if (at === undefined) {
        share.permitting ??= this.#takePermits(provider, share, perSecond).finally(() => {
          share.permitting = undefined;
        });
        await share.permitting;
      } else if (at + batchMillis >= now) {
        if (at > now) await this.#parts.clock.sleep(at - now, signal);
        return;
      }
    }
  }

  async #takePermits(provider: string, share: Share, perSecond: number): Promise<void> {
    const waiting = Math.max(1, share.wanted - share.running + 1);
    const count = Math.min(waiting, Math.max(1, Math.floor((perSecond * batchMillis) / 1_000)));
    const { rows } = await this.#parts.pool.query<{ wait_millis: number }>(takeSlots, [
      ...[provider, count, perSecond],
    ]);
    const first = this.#millis() + (rows[0]?.wait_millis ?? 0);
    share.permits = Array.from({ length: count }, (_, at) => first + (at * 1_000) / perSecond);
  }

  #millis(): number {
    return this.#parts.clock.monotonic();
  }
}

interface Share {
  /** Calls that wait or run here. */
  wanted: number;
  running: number;
  /** When places were last taken. */
  asked: number;
  /** Granted to this worker. */
  places: number;
  renewedAt: number;
  waitUntil: number;
  slowedAt: string | undefined;
  /** When each permit may be used. */
  permits: number[];
  renewing: Promise<void> | undefined;
  permitting: Promise<void> | undefined;
}

function newShare(): Share {
  return {
    ...{
      wanted: 0,
      running: 0,
      asked: 0,
      places: 0,
      renewedAt: 0,
      waitUntil: 0,
      slowedAt: undefined,
    },
    ...{ permits: [], renewing: undefined, permitting: undefined },
  };
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

/** The next free slots of a rate; each is one call's. */
const takeSlots = `
INSERT INTO signoff.providers AS p (provider, next_at)
VALUES ($1, clock_timestamp() + make_interval(secs => $2::float8 / $3::float8))
ON CONFLICT (provider) DO UPDATE
  SET next_at = GREATEST(p.next_at, clock_timestamp()) + make_interval(secs => $2::float8 / $3::float8)
RETURNING GREATEST(0, extract(epoch FROM
  next_at - make_interval(secs => $2::float8 / $3::float8) - clock_timestamp()) * 1000)::float8
  AS wait_millis
`;
