import type { Chance } from "../../ports/clock.ts";

export interface RetryPolicy {
  /** Physical attempts in all, the first included. */
  readonly attempts: number;
  readonly baseMs: number;
  readonly mostMs: number;
  /** A provider that asks for a longer wait is not waited for; 10 minutes by default. */
  readonly longestWaitMs?: number;
}

export const defaultRetryPolicy: RetryPolicy = { attempts: 3, baseMs: 2_000, mostMs: 60_000 };

const usualLongestMs = 600_000;

export function longestWaitOf({ longestWaitMs = usualLongestMs }: RetryPolicy): number {
  return longestWaitMs;
}

/**
 * How long to wait after the n-th failed attempt: doubling from the base, half of it random so that many callers do
 * not retry together, and never less than the provider asked for.
 */
export function retryDelay(
  policy: RetryPolicy,
  failed: { readonly attempt: number; readonly retryAfterMs?: number | undefined },
  chance: Chance,
): number {
  const grown = Math.min(policy.mostMs, policy.baseMs * 2 ** (failed.attempt - 1));
  const jittered = grown / 2 + (grown / 2) * chance();
  return Math.round(Math.max(Math.min(jittered, longestWaitOf(policy)), failed.retryAfterMs ?? 0));
}
