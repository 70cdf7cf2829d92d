import { linesOf } from "../values/lines.ts";

/** Case, white space and punctuation folded away: how two questions count as the same. */
export function foldText(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** The first line with anything on it; what a reader takes for the answer. */
export function firstLine(text: string): string {
  return trimmedLines(text).find((line) => line !== "") ?? "";
}

export function trimmedLines(text: string): readonly string[] {
  return linesOf(text).map((line) => line.trim());
}

export function foldedWords(text: string): ReadonlySet<string> {
  return new Set(foldText(text).split(" "));
}

/** Shared words over all words of both, from 0 to 1. */
export function wordOverlap(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of left) {
    shared += right.has(word) ? 1 : 0;
  }
  return shared / (left.size + right.size - shared);
}

/** Counts code points only where it must: a text has at least half as many as code units, and never more. */
export function isLongerThan(limit: number, text: string): boolean {
  return text.length > 2 * limit || (text.length > limit && [...text].length > limit);
}

/** At most `limit` characters, cut between code points and marked. */
export function excerpt(text: string, limit = 280): string {
  const trimmed = text.trim();
  if (!isLongerThan(limit, trimmed)) return trimmed;
  return `${[...trimmed.slice(0, 2 * limit)].slice(0, limit - 1).join("")}…`;
}
