import type { SpeaksForReviewer } from "./extract-decision.ts";

/**
 * Tells the reviewer's lines from those of the note or gate it repeats. A line that stands in a source speaks only
 * as the last line of the block, where the reviewer's result belongs, and not even there when the line before it
 * is the source's as well: then the block ends in an echo.
 */
export function quotesOf(sources: readonly string[] | undefined): SpeaksForReviewer | undefined {
  if (sources === undefined || sources.length === 0) return undefined;
  const lines = new Set<string>();
  const neighbours = new Set<string>();
  for (const source of sources) {
    let previous = "";
    for (const line of source.split("\n")) {
      const folded = foldLine(line);
      if (folded === "") continue;
      lines.add(folded);
      if (previous !== "") neighbours.add(`${previous}\n${folded}`);
      previous = folded;
    }
  }
  return (line, isLast, previous) => {
    const folded = foldLine(line);
    if (!lines.has(folded)) return true;
    return isLast && !neighbours.has(`${foldLine(previous)}\n${folded}`);
  };
}

/** As much of a line as a decision is read from, without what a copy may change. */
function foldLine(line: string): string {
  return line.slice(0, 240).replace(/\s+/g, " ").trim().toLowerCase();
}
