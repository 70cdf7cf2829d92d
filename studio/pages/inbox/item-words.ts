import type { InboxItem } from "../../api/queries.ts";

/** What kind of thing needs a person. */
export function kindOfItem(item: InboxItem): string {
  if (item.kind === "question") return "Question";
  if (item.kind === "stage") return "Stage";
  return item.asset === null ? "Draft" : "Text of an episode";
}

/** What people have open is known by the run, on its own page too, or by the stage. */
export function attentionOf(item: InboxItem): string {
  return "run_id" in item ? item.run_id : item.id;
}
