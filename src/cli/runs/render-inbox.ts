import type { Instant } from "../../domain/values/instant.ts";
import { shellWord } from "../../domain/values/shell-word.ts";
import type { InboxItem } from "../../orchestration/runs/inbox.ts";
import { renderAge } from "../shell/amounts.ts";
import type { Line } from "../shell/lay-out.ts";
import { clipped, row, rows } from "../shell/row.ts";
import { accent, good, muted, strong } from "../shell/styles.ts";

const longestText = 400;

/** Each open question, since when it is open, and the commands that settle it. */
export function inboxLines(
  items: readonly InboxItem[],
  { now, hasMore, ...here }: Typed & { readonly now: Instant; readonly hasMore: boolean },
): readonly Line[] {
  if (items.length === 0) return [good("Nothing needs your input.")];
  return [
    ...items.flatMap((item, at): readonly Line[] => [
      at > 0 && "",
      strong(clipped(item.text, longestText)),
      row("since", [renderAge(item.since, now)]),
      ...rows("next", commandsFor(item, here).map(accent)).map((line) => ({
        ...line,
        isWhole: true,
      })),
    ]),
    ...(hasMore ? ["", muted(`Only the oldest ${items.length} are shown.`)] : []),
  ];
}

interface Typed {
  /** Turns a command of the project's folder into one for the user's. */
  readonly typed: (command: string) => string;
  /** A folder of the project as it is named in the user's. */
  readonly shown: (folder: string) => string;
}

function commandsFor(item: InboxItem, { typed, shown }: Typed): readonly string[] {
  if (item.kind === "stage") return item.commands.map(typed);
  const { kind, id, choices, asset } = item;
  if (kind === "question" && choices.length === 0) {
    return [`signoff inbox answer '${id}' --text-file -`];
  }
  if (kind === "question") {
    return choices.map((choice) => `signoff inbox answer '${id}' --choice ${choice}`);
  }
  if (asset !== undefined) {
    const place = `--workspace ${shellWord(shown(asset.workspace))} --asset-id ${asset.assetId}`;
    return [`signoff episode pick ${place}`, `signoff episode unlock ${place}`];
  }
  return [
    `signoff runs show ${id}`,
    `signoff runs approve ${id}`,
    `signoff runs request-changes ${id}`,
    `signoff runs edit ${id}`,
  ];
}
