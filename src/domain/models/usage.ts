import { defined } from "../values/defined.ts";

/** What one call used, as far as it is known. */
export interface KnownUsage {
  readonly input: number;
  readonly output: number;
  readonly cachedInput?: number;
  readonly cacheWrite?: number;
  readonly microUsd?: number;
}

/** No call comes near these; sums of millions of calls stay exact numbers. */
const mostTokens = 1_000_000_000;
const mostMicroUsd = 1_000_000_000_000;

/**
 * Figures as a provider, a program or an old record gives them: whole numbers in a plausible range, or unknown. Of
 * input and output both must be known, because a budget would take the missing one for 0.
 */
export function readUsage(given: unknown): KnownUsage | undefined {
  const { input, output, cachedInput, cacheWrite, microUsd } = (given ?? {}) as {
    [name: string]: unknown;
  };
  if (!isCount(input, mostTokens) || !isCount(output, mostTokens)) return undefined;
  return {
    input,
    output,
    ...defined({
      cachedInput: isCount(cachedInput, input) ? cachedInput : undefined,
      cacheWrite: isCount(cacheWrite, input) ? cacheWrite : undefined,
      microUsd: isCount(microUsd, mostMicroUsd) ? microUsd : undefined,
    }),
  };
}

function isCount(value: unknown, most: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most;
}
