import type { InboxItem } from "../../api/queries.ts";

/** What an item is about, without the code of how its loop ended: the page says that in words. */
export function titleOf({ kind, text }: Pick<InboxItem, "kind" | "text">): string {
  return kind === "needs_human" ? text.replace(/ \(\w+\)$/u, "") : text;
}
