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

/** What people have open is known by the run, on its own page too, or by the stage. */
export function attentionOf(item: InboxItem): string {
  return "run_id" in item ? item.run_id : item.id;
}
