import { setTimeout as delay } from "node:timers/promises";
import { instant, instantFromMillis } from "../../domain/values/instant.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Environment } from "../settings/environment.ts";

/** A longer timer of Node fires at once. */
const longestTimer = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => instantFromMillis(Date.now()),
  // Not `performance`: its first use loads a part of Node that nothing else here needs.
  monotonic: () => process.uptime() * 1_000,
  sleep: async (millis, signal) => {
    try {
      for (let left = millis; left > 0 || left === millis; left -= longestTimer) {
        await delay(Math.min(left, longestTimer), undefined, { signal });
      }
    } catch (thrown) {
      signal.throwIfAborted();
      throw thrown;
    }
  },
};

/** Always returns the same time; sleeping returns at once. */
export function fixedClock(iso: string): Clock {
  return {
    now: () => instant(iso),
    monotonic: () => 0,
    sleep: async (_millis, signal) => signal.throwIfAborted(),
  };
}

export function clockOf({ fixedTime }: Environment): Clock {
  return fixedTime === undefined ? systemClock : fixedClock(fixedTime);
}
