import type { Brand } from "./brand.ts";

/** A moment in UTC as ISO 8601 text ending in `Z`; text order is time order. */
export type Instant = Brand<string, "Instant">;

export function instant(iso: string): Instant {
  return iso as Instant;
}

/** The second of the last instant made. To write a date is dear, and most instants share their second with the last. */
let last = { second: Number.NaN, text: "" };

export function instantFromMillis(millis: number): Instant {
  const whole = Math.trunc(millis);
  const second = Math.floor(whole / 1000);
  if (second !== last.second) {
    last = { second, text: new Date(whole).toISOString().slice(0, -4) };
  }
  const rest = whole - second * 1000;
  return `${last.text}${String(rest).padStart(3, "0")}Z` as Instant;
}

export function millisOf(at: Instant): number {
  return Date.parse(at);
}

export function secondsBetween(from: Instant, to: Instant): number {
  return (millisOf(to) - millisOf(from)) / 1000;
}
