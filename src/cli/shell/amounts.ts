import type { UsageTotals } from "../../domain/drafting/session.ts";
import { isLocalModel } from "../../domain/models/local-model.ts";
import { type Instant, secondsBetween } from "../../domain/values/instant.ts";

export function renderCount(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

export function renderDuration(seconds: number): string {
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** An unknown price is never shown as $0, and $0 counts as local only if every model runs locally. */
export function renderCost(microUsd: number | undefined, models: readonly string[]): string {
  if (microUsd === undefined) return "cost unknown";
  if (microUsd === 0) return models.length > 0 && models.every(isLocalModel) ? "$0 (local)" : "$0";
  const dollars = microUsd / 1_000_000;
  if (dollars < 0.0001) return "under $0.0001";
  return `$${dollars.toFixed(dollars < 0.1 ? 4 : 2)}`;
}

export function renderTokens(tokens: number | undefined): string {
  return tokens === undefined ? "tokens unknown" : renderCount(tokens, "token");
}

export function renderUsage(usage: UsageTotals, models: readonly string[]): readonly string[] {
  const { unanswered = 0, replayed } = usage;
  const remarks = [
    ...(replayed === 0 ? [] : [`${usage.calls - replayed} fresh, ${replayed} from the record`]),
    ...(unanswered === 0 ? [] : [`${unanswered} without a reply`]),
  ];
  const origin = remarks.length === 0 ? "" : ` (${remarks.join(", ")})`;
  return [
    `${renderCount(usage.calls, "call")}${origin}`,
    tokensInAndOut(usage),
    renderCost(usage.microUsd, models),
  ];
}

function tokensInAndOut({ inputTokens, outputTokens, cachedInputTokens }: UsageTotals): string {
  if (inputTokens === undefined || outputTokens === undefined) return renderTokens(undefined);
  const cached = cachedInputTokens === 0 ? "" : ` (${grouped(cachedInputTokens)} from its cache)`;
  return `${renderTokens(inputTokens)} in${cached}, ${grouped(outputTokens)} out`;
}

/** How long ago, in one unit. */
export function renderAge(then: Instant, now: Instant): string {
  const seconds = secondsBetween(then, now);
  if (!(seconds >= 60)) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  const days = Math.floor(seconds / 86_400);
  return days < 60 ? `${renderCount(days, "day")} ago` : then.slice(0, 10);
}

/** For whole numbers. Loading the platform's locales takes longer than printing everything else. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/gu, ",");
}
