import type { Instant } from "../domain/values/instant.ts";

export interface Clock {
  now(): Instant;
  /** Milliseconds that only ever grow, for durations. */
  monotonic(): number;
  /** Resolves after the time, or rejects with the signal's reason. */
  sleep(millis: number, signal: AbortSignal): Promise<void>;
}

/** A number from 0 up to but not including 1. */
export type Chance = () => number;
