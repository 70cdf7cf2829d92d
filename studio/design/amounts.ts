import type { Run } from "../api/queries.ts";

/** Micro-dollars as people read them; small amounts keep what tells them apart from nothing. */
export function money(microUsd: number): string {
  const usd = microUsd / 1_000_000;
  if (usd === 0) return "$0";
  return usd < 0.01 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`;
}

/** Totals of calls; an amount of which nothing is known is null. */
type Spent = Pick<Run["spent"], "micro_usd" | "unpriced" | "tokens" | "uncounted">;

export function cost({ micro_usd, unpriced }: Omit<Spent, "tokens" | "uncounted">): string {
  if (micro_usd === null) return "cost unknown";
  return `${unpriced > 0 ? "at least " : ""}${money(micro_usd)}`;
}

export function tokens({ tokens: known, uncounted }: Pick<Spent, "tokens" | "uncounted">): string {
  if (known === null) return "tokens unknown";
  return `${uncounted > 0 ? "at least " : ""}${plural(known, "token")}`;
}

/** The same short enough for a cell whose column has a heading. */
export function figure(known: number | null, missing: number, words = count): string {
  return known === null ? "unknown" : `${missing > 0 ? "≥ " : ""}${words(known)}`;
}

export function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** Of a text, as people count them: a sign of two units is one. */
export function characters(text: string): number {
  return text.length - (text.match(/[\u{10000}-\u{10FFFF}]/gu)?.length ?? 0);
}

export function seconds(value: number): string {
  if (value < 60) return `${value.toFixed(1)} s`;
  const minutes = Math.floor(value / 60);
  return `${minutes} min ${Math.round(value % 60)} s`;
}

/** `3 min ago`; the exact time belongs into a title. */
export function ago(iso: string, now = Date.now()): string {
  const passed = Math.max(0, (now - Date.parse(iso)) / 1_000);
  if (passed < 45) return "just now";
  if (passed < 3_600) return `${Math.max(1, Math.round(passed / 60))} min ago`;
  if (passed < 86_400) return `${Math.round(passed / 3_600)} h ago`;
  const days = Math.round(passed / 86_400);
  return days === 1 ? "yesterday" : `${days} days ago`;
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** The words that the command line uses too, as a heading. */
export function asTitle(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
