import { checksReviewer, personReviewer } from "./issue-ledger.ts";
import type { Verdict } from "./review.ts";

/** How many of a panel must say `ok`: every member, more than half of those who answered, or one of them. */
export type PanelRule = "all" | "majority" | "any";

/** A member's verdict, or `failed` when it gave no readable reply. */
export type Vote = Verdict | "failed";

/** Label of the review that combines several members'. */
export const panelReviewer = "panel";

/** Label of the issues of a single reviewer that was given no name. */
export const unnamedReviewer = "reviewer";

const reserved: readonly string[] = [checksReviewer, personReviewer, panelReviewer];

/** Labels that mean something else in reviews and files, so no member may bear them. */
export function isReservedLabel(label: string): boolean {
  return reserved.includes(label.toLowerCase());
}

/**
 * One verdict out of many. Whoever calls for a person is not outvoted: then the panel is never `ok`.
 * A failed member counts against the text under `all`; otherwise it is absent, as long as at least half of
 * the panel is left. A tie is no majority.
 */
export function combineVerdicts(votes: readonly Vote[], rule: PanelRule): Verdict {
  if (votes.includes("needs_human")) return "needs_human";
  const present = votes.filter((vote) => vote !== "failed").length;
  const approving = votes.filter((vote) => vote === "ok").length;
  const isQuorate = present > 0 && present * 2 >= votes.length;
  return isQuorate && carries({ rule, approving, present, seats: votes.length })
    ? "ok"
    : "changes_requested";
}

function carries(count: {
  readonly rule: PanelRule;
  readonly approving: number;
  readonly present: number;
  readonly seats: number;
}): boolean {
  switch (count.rule) {
    case "all":
      return count.approving === count.seats;
    case "majority":
      return count.approving * 2 > count.present;
    case "any":
      return count.approving > 0;
  }
}
