import type { Instant } from "../values/instant.ts";
import type { ModelName } from "./model-name.ts";
import { formatModelName } from "./model-name.ts";
import { type ModelAliases, sameModel } from "./same-model.ts";

/** Integers in micro-dollars per million tokens. */
export interface Price {
  readonly model: string;
  /** First day it holds, `YYYY-MM-DD` in UTC. */
  readonly from: string;
  readonly input: number;
  readonly output: number;
  /** Input that the provider served from its cache; without it such input costs the full price. */
  readonly cachedInput?: number;
  /** Input that the provider wrote into its cache; without it such input costs the full price. */
  readonly cacheWrite?: number;
  /** Where the figure was read, and when. */
  readonly source?: string;
}

/** Tokens of one call; `input` includes what the provider read from its cache or wrote into it. */
export type TokenCount = Pick<Price, "input" | "output" | "cachedInput" | "cacheWrite">;

export interface PriceList {
  readonly prices: readonly Price[];
  /** Looked at for models that `prices` does not name. */
  readonly shipped?: readonly Price[];
  /** Compatible servers on this machine. */
  readonly localServers?: readonly string[];
  readonly aliases?: ModelAliases;
}

/**
 * Micro-dollars, rounded up; `undefined` when no price is known, which is never the same as 0. Models that
 * run here, rules and scripts cost 0, and so do programs that have no price of their own.
 */
export function costOf(
  name: ModelName,
  tokens: TokenCount,
  list: PriceList & { readonly at: Instant },
): number | undefined {
  const isLocal = name.provider === "compatible" && list.localServers?.includes(name.server);
  if (isFree(name) || isLocal === true) return 0;
  const price = priceOf(formatModelName(name), list);
  if (price === undefined) return name.provider === "command" ? 0 : undefined;
  const cached = Math.min(tokens.cachedInput ?? 0, tokens.input);
  const written = Math.min(tokens.cacheWrite ?? 0, tokens.input - cached);
  const parts =
    (tokens.input - cached - written) * price.input +
    cached * (price.cachedInput ?? price.input) +
    written * (price.cacheWrite ?? price.input) +
    tokens.output * price.output;
  return Math.ceil(parts / 1_000_000);
}

export function isFree(name: ModelName): boolean {
  return name.provider === "ollama" || name.provider === "offline" || name.provider === "script";
}

/** The price of the day: the most exact name first, then the latest `from` that is not in the future. */
export function priceOf(
  model: string,
  list: PriceList & { readonly at: Instant },
): Price | undefined {
  return bestOf(list.prices, model, list) ?? bestOf(list.shipped ?? [], model, list);
}

function bestOf(
  prices: readonly Price[],
  model: string,
  { at, aliases }: PriceList & { readonly at: Instant },
): Price | undefined {
  const day = at.slice(0, 10);
  let best: Price | undefined;
  for (const price of prices) {
    if (price.from > day || !sameModel(price.model, model, aliases)) continue;
    if (best === undefined || isCloser(price, best)) best = price;
  }
  return best;
}

function isCloser(price: Price, best: Price): boolean {
  if (price.model.length !== best.model.length) return price.model.length > best.model.length;
  return price.from > best.from;
}
