import type { Instant } from "../../domain/values/instant.ts";
import { shellWord } from "../../domain/values/shell-word.ts";
import type { InboxItem } from "../../orchestration/runs/inbox.ts";
import { renderAge } from "../shell/amounts.ts";
import { type Layout, layOut } from "../shell/lay-out.ts";
import { clipped, renderRow } from "../shell/row.ts";

const longestText = 400;

/** Each thing that waits, since when, and the commands that settle it. */
export function renderInbox(
  { items, hasMore }: { readonly items: readonly InboxItem[]; readonly hasMore: boolean },
  now: Instant,
  layout: Layout,
): readonly string[] {
  if (items.length === 0)
    return layOut([{ text: "Nothing waits for you.", style: "good" }], layout);
  const lines = items.flatMap((item, at) => [
    ...(at === 0 ? [] : [""]),
    ...layOut([{ text: clipped(item.text, longestText), style: "strong" }], layout),
    ...renderRow("since", [{ text: renderAge(item.since, now) }], layout),
    ...commandsFor(item).flatMap((command, index) =>
      renderRow(index === 0 ? "next" : "", [{ text: command, style: "accent" }], toCopy(layout)),
    ),
  ]);
  const more = { text: `Only the oldest ${items.length} are shown.`, style: "muted" } as const;
  return hasMore ? [...lines, "", ...layOut([more], layout)] : lines;
}

/** Never broken by us: a command is there to be copied. */
function toCopy(layout: Layout): Layout {
  return { ...layout, width: Number.POSITIVE_INFINITY };
}

function commandsFor(item: InboxItem): readonly string[] {
  if (item.kind === "stage") return item.commands;
  const { kind, id, choices, asset } = item;
  if (kind === "question" && choices.length === 0) {
    return [`signoff inbox answer '${id}' --text-file answer.md`];
  }
  if (kind === "question") {
    return choices.map((choice) => `signoff inbox answer '${id}' --choice ${choice}`);
  }
  if (asset !== undefined) {
    const place = `--workspace ${shellWord(asset.workspace)} --asset-id ${asset.assetId}`;
    return [`signoff episode pick ${place}`, `signoff episode unlock ${place} --reason "…"`];
  }
  return [
    `signoff runs show ${id}`,
    `signoff runs approve ${id} --reason "…"`,
    `signoff runs request-changes ${id} --comment "…"`,
    `signoff runs edit ${id} --text "…"`,
  ];
}
