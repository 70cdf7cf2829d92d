import type { LinkOptions } from "@tanstack/react-router";

/** Something that the palette can go to. */
export interface Entry {
  readonly id: string;
  readonly kind: "Page" | "Action" | "Run" | "Note" | "Episode" | "Pack" | "Stage";
  readonly text: string;
  readonly to: LinkOptions;
}

const most = 40;

/** Those that have every word, the best first: a word at the start counts more than one inside. */
export function findEntries(entries: readonly Entry[], text: string): readonly Entry[] {
  const words = text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== "");
  const scored = entries.flatMap((entry) => {
    const said = `${entry.text} ${entry.kind}`.toLowerCase();
    if (!words.every((word) => said.includes(word))) return [];
    const first = words[0] ?? "";
    const score = said.startsWith(first) ? 0 : said.includes(` ${first}`) ? 1 : 2;
    return [{ entry, score }];
  });
  return scored
    .sort((a, b) => a.score - b.score)
    .slice(0, most)
    .map(({ entry }) => entry);
}
