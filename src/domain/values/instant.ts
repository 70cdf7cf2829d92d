import type { Brand } from "./brand.ts";

/** A moment in UTC as ISO 8601 text ending in `Z`; text order is time order. */
export type Instant = Brand<string, "Instant">;

export function instant(iso: string): Instant {
  return iso as Instant;
}

export function instantFromMillis(millis: number): Instant {
  return new Date(millis).toISOString() as Instant;
}

export function millisOf(at: Instant): number {
  return Date.parse(at);
}

/** Never negative: a clock that was set back meanwhile says nothing about how long it took. */
export function secondsBetween(from: Instant, to: Instant): number {
  return Math.max(0, millisOf(to) - millisOf(from)) / 1000;
}
