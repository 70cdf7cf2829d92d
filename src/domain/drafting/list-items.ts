import { linesOf } from "../values/lines.ts";

/** The words of a bullet line, or nothing when the line is not one. */
export function bulletItem(line: string): string | undefined {
  return /^\s{0,3}[-*+•]\s+(\S.*)$/u.exec(line)?.[1]?.trimEnd();
}

export function commaItems(line: string): readonly string[] {
  return line.split(",").map((item) => item.trim());
}

/** The items of a list in either form: bullets where there are any, else the parts between commas. */
export function listItems(text: string): readonly string[] {
  const bullets = linesOf(text).flatMap((line) => bulletItem(line) ?? []);
  if (bullets.length > 0) return bullets;
  return commaItems(text).filter((item) => item !== "");
}

/** Items that occur more than once, each listed once, as their second occurrence is written. */
export function repeatedItems(items: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  const repeated = new Map<string, string>();
  for (const item of items) {
    const fold = caseFolded(item);
    if (seen.has(fold) && !repeated.has(fold)) repeated.set(fold, item);
    seen.add(fold);
  }
  return [...repeated.values()];
}

/** By way of upper case, so that `Straße` and `STRASSE` are one. */
function caseFolded(item: string): string {
  return item.normalize("NFC").replace(/\s+/gu, " ").toUpperCase().toLowerCase();
}
