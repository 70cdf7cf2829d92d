import type { RunsQuery } from "../../api/queries.ts";

/** What a person looks for; all of it is part of the address. */
export interface RunsSearch {
  readonly state?: (typeof runStates)[number];
  readonly kind?: string;
  readonly text?: string;
  /** Days, as a date field writes them. */
  readonly since?: string;
  readonly until?: string;
  /** The least cost, in dollars. */
  readonly cost?: string;
  /** `shown`: scenarios of packs, texts of episodes and single reviews too. */
  readonly parts?: string;
}

export const runStates = [
  ...(["queued", "running", "waiting", "finished"] as const),
  ...(["stopped", "failed", "cancelled", "approved"] as const),
  ...(["max_turns", "accepted", "partial", "blocked"] as const),
] as const;

const outcomes: readonly string[] = ["approved", "max_turns", "accepted", "partial", "blocked"];

/** The search as the server understands it; half-typed dates and amounts are left out. */
export function queryOf(search: RunsSearch): Omit<RunsQuery, "cursor" | "limit"> {
  const { state, kind, text = "", since, until, cost, parts } = search;
  const dollars = Number(cost ?? "");
  const isOutcome = state !== undefined && outcomes.includes(state);
  return {
    parts: parts === "shown" || text !== "" ? "shown" : "hidden",
    ...(kind === undefined ? {} : { kind }),
    ...(text.trim() === "" ? {} : { text: text.trim() }),
    ...(isDay(since) ? { since } : {}),
    ...(isDay(until) ? { until } : {}),
    ...(dollars > 0 ? { min_micro_usd: Math.round(dollars * 1_000_000) } : {}),
    ...(state === undefined ? {} : isOutcome ? { outcome: state } : { state: state as "queued" }),
  };
}

function isDay(text: string | undefined): text is string {
  return text !== undefined && /^\d{4}-\d\d-\d\d$/u.test(text);
}
