import type { InboxItem } from "../../api/queries.ts";

/** What an item is about, without the code of how its loop ended: the page says that in words. */
export function titleOf({ kind, text }: Pick<InboxItem, "kind" | "text">): string {
  return kind === "needs_human" ? text.replace(/ \(\w+\)$/u, "") : text;
}

const kinds = {
  question: "Question",
  needs_human: "Not approved",
  stage: "Stage",
} as const;

export function kindOfItem(item: Pick<InboxItem, "kind">): string {
  return kinds[item.kind];
}
