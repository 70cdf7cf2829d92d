import { FenceTracker } from "./format.ts";

/** A line of a review that is not quoted, fenced, indented as code or commented out. */
export interface VisibleLine {
  readonly text: string;
  /** Where it begins and ends in the review. */
  readonly start: number;
  readonly end: number;
  /** No other line follows that is not blank. */
  readonly isLast: boolean;
}

export function visibleLines(text: string): readonly VisibleLine[] {
  const lines = text.trimEnd().split("\n");
  const hidden = new HiddenRegions();
  let start = 0;
  return lines.flatMap((line, at) => {
    const place = { start, end: start + line.length };
    start = place.end + 1;
    if (line.trim() === "" || hidden.covers(line)) return [];
    return [{ text: line, ...place, isLast: at === lines.length - 1 }];
  });
}

class HiddenRegions {
  readonly #fences = new FenceTracker();
  #inComment = false;

  covers(line: string): boolean {
    if (!this.#inComment && this.#fences.isCode(line)) return true;
    const content = line.trimStart();
    const begins = content.startsWith("<!--");
    if (this.#inComment || begins) {
      this.#inComment = !content.slice(begins ? 4 : 0).includes("-->");
      return true;
    }
    return content.startsWith(">") || /^(?: {4}| {0,3}\t)/u.test(line);
  }
}
