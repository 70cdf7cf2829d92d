import type { Price } from "./price.ts";

/** A price as a provider published it. */
export interface ShippedPrice extends Price {
  /** The provider's page. */
  readonly source: string;
  /** Day on which the figure was last compared with that page. */
  readonly read: string;
}

const anthropic = published("anthropic", "https://docs.claude.com/en/docs/about-claude/pricing");
const openai = published("openai", "https://developers.openai.com/api/docs/pricing");
const google = published("google", "https://ai.google.dev/gemini-api/docs/pricing");

/**
 * Prices of common models for short prompts, in dollars per million tokens: input, output, cached input, cache write.
 * The project's own `prices` come before them.
 */
export const shippedPrices: readonly ShippedPrice[] = [
  anthropic("claude-opus-5-5", [4, 20, 0.2, 5], { from: "2026-09-22", read: "2026-10-16" }),
  anthropic("claude-sonnet-5-5", [2, 10, 0.2, 2.5], { from: "2026-09-28", read: "2026-10-16" }),
  anthropic("claude-sonnet-5-5", [2, 10, 0.1, 2.5], { from: "2026-10-07", read: "2026-10-16" }),
  anthropic("claude-haiku-5-5", [0.1, 0.5, 0.01, 0.125], {
    from: "2026-10-07",
    read: "2026-10-16",
  }),
  anthropic("claude-sonnet-5", [2, 10, 0.2, 2.5], { from: "2026-09-01", read: "2026-10-16" }),
  anthropic("claude-opus-4-6", [5, 25, 0.5, 6.25], { from: "2026-03-01", read: "2026-10-15" }),
  anthropic("claude-sonnet-4-6", [3, 15, 0.3, 3.75], { from: "2026-03-01", read: "2026-10-15" }),
  anthropic("claude-opus-4-5", [5, 25, 0.5, 6.25], { from: "2025-11-24", read: "2026-03-21" }),
  anthropic("claude-sonnet-4-5", [3, 15, 0.3, 3.75], { from: "2025-09-29", read: "2026-04-27" }),
  anthropic("claude-haiku-4-5", [1, 5, 0.1, 1.25], { from: "2025-10-15", read: "2026-03-21" }),
  openai("gpt-6.1-terra", [1, 5, 0.05, 1.25], { from: "2026-10-26", read: "2026-10-27" }),
  openai("gpt-6.1-sol", [2, 10, 0.1, 2.5], { from: "2026-09-29", read: "2026-10-16" }),
  openai("gpt-6-sol", [2, 10, 0.2, 2.5], { from: "2026-09-22", read: "2026-10-16" }),
  openai("gpt-6-luna", [0.1, 0.5, 0.01, 0.125], { from: "2026-09-22", read: "2026-10-16" }),
  openai("gpt-5.2", [1.75, 14, 0.175], { from: "2025-12-11", read: "2026-09-30" }),
  openai("gpt-5", [1.25, 10, 0.125], { from: "2025-08-07", read: "2026-06-30" }),
  openai("gpt-5-mini", [0.25, 2, 0.025], { from: "2025-08-07", read: "2026-09-30" }),
  openai("gpt-5-nano", [0.05, 0.4], { from: "2025-08-07", read: "2026-09-30" }),
  openai("gpt-4.1", [2, 8, 0.5], { from: "2025-04-14", read: "2026-09-30" }),
  openai("gpt-4o-mini", [0.15, 0.6, 0.075], { from: "2024-07-18", read: "2026-06-30" }),
  google("gemini-3.8-flash", [0.75, 3.75], { from: "2026-09-07", read: "2026-10-07" }),
  google("gemini-3.8-flash", [1.5, 7.5], { from: "2027-01-01", read: "2026-09-30" }),
  google("gemini-2.5-pro", [1.25, 10], { from: "2025-06-17", read: "2026-09-30" }),
  google("gemini-2.5-flash", [0.3, 2.5], { from: "2025-06-17", read: "2026-09-30" }),
  google("gemini-2.5-flash-lite", [0.1, 0.4], { from: "2025-07-22", read: "2026-09-30" }),
];

type Figures = readonly [input: number, output: number, cachedInput?: number, cacheWrite?: number];

function published(provider: string, source: string) {
  return (
    model: string,
    [input, output, cachedInput, cacheWrite]: Figures,
    days: Pick<ShippedPrice, "from" | "read">,
  ): ShippedPrice => ({
    model: `${provider}/${model}`,
    ...days,
    input: micro(input),
    output: micro(output),
    ...(cachedInput === undefined ? {} : { cachedInput: micro(cachedInput) }),
    ...(cacheWrite === undefined ? {} : { cacheWrite: micro(cacheWrite) }),
    source,
  });
}

function micro(dollars: number): number {
  return Math.round(dollars * 1_000_000);
}
