/**
 * Untrusted text for a file, a report or a metric: control characters, line separators and marks that reorder text are
 * shown by their number instead of acting on whoever prints the file. Line breaks and tabs stay.
 */
export function visibleText(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(actingCharacters, numbered);
}

/** For a place that has one line, such as a label: line breaks and tabs are shown as well. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/[\n\t]/gu, numbered);
}

/** What must not reach a file or a screen as it is. */
export const actingCharacters =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\0-\x08\x0B-\x1F\x7F-\x9F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/gu;

function numbered(character: string): string {
  const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `⟨U+${number.padStart(4, "0")}⟩`;
}
