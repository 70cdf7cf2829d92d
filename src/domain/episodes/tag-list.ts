/**
 * Tags out of whatever a person or a model wrote: bullets win and other lines are ignored; else commas,
 * semicolons and bars separate; else one line of eight or more words is split; else each line is a tag.
 * Unique whatever the case, first spelling kept.
 */
export function parseTags(text: string): readonly string[] {
  const lines = text
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  const bullets = lines.flatMap((line) => /^[-*]\s+(.+)$/.exec(line)?.[1] ?? []);
  return uniqueFolded(bullets.length > 0 ? bullets : separated(lines));
}

export function uniqueFolded(texts: readonly string[]): readonly string[] {
  const byFold = new Map<string, string>();
  for (const text of texts) {
    const clean = text.trim();
    const fold = foldCase(clean);
    if (clean !== "" && !byFold.has(fold)) byFold.set(fold, clean);
  }
  return [...byFold.values()];
}

/** Case folding good enough to see that `Straße` and `STRASSE` are one tag. */
export function foldCase(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll("ß", "ss").replaceAll("ς", "σ");
}

function separated(lines: readonly string[]): readonly string[] {
  if (lines.some((line) => /[,;|]/.test(line))) return lines.flatMap((line) => line.split(/[,;|]/));
  const only = lines.length === 1 ? (lines[0] ?? "").split(/\s+/) : [];
  return only.length >= 8 ? only : lines;
}
