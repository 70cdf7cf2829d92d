import { defaultRetryPolicy } from "../../adapters/engines/retry-delay.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { concurrencyOf, rateOf } from "../models/provider-runners.ts";

const callsAtOnce = 4;

/** Retries and limits of calls, as the settings of this invocation want them. */
export function schedulingOf({ loaded }: { readonly loaded?: { readonly settings: Settings } }) {
  if (loaded === undefined) return { policy: defaultRetryPolicy, concurrencyOf: () => callsAtOnce };
  const { settings } = loaded;
  return {
    policy: {
      ...defaultRetryPolicy,
      attempts: settings.limits.attempts,
      longestWaitMs: settings.limits.longestWaitSeconds * 1_000,
    },
    concurrencyOf: (provider: string) => concurrencyOf(settings, provider),
    rateOf: (provider: string) => rateOf(settings, provider),
  };
}
