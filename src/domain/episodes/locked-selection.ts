import type { Candidate, TextFormat } from "../drafting/candidate.ts";
import { extensionOf, type TextExtension } from "./layout.ts";

/** The chosen text of an asset as its canonical file holds it. */
export interface Selection {
  readonly assetId: string;
  readonly format: TextFormat;
  readonly text: string;
}

/** The words of a text without its markup, so that formats can be compared. */
export type AsPlainText = (format: TextFormat, text: string) => string;

/** A locked selection as the creator must give it back, in the format that it writes. */
export function lockedText(
  selection: Selection,
  format: TextFormat,
  asPlainText: AsPlainText,
): string {
  const isSame = selection.format === format;
  return (isSame ? selection.text : asPlainText(selection.format, selection.text)).trimEnd();
}

/**
 * Whether this candidate is the selected text. Texts are compared, not files: white space at the end is ignored,
 * and texts of different formats are compared by their words, without markup and line breaks.
 */
export function selects(
  selection: Selection,
  candidate: Pick<Candidate, "format" | "content">,
  asPlainText: AsPlainText,
): boolean {
  if (candidate.format === selection.format) {
    return comparable(candidate.content) === comparable(selection.text);
  }
  const wordsOf = (format: TextFormat, text: string) =>
    asPlainText(format, text).replace(/\s+/g, " ").trim();
  return wordsOf(candidate.format, candidate.content) === wordsOf(selection.format, selection.text);
}

/** Whether the selection is the same as when the disk was last read. */
export function isSameSelection(now: Selection, before: Selection | undefined): boolean {
  return before?.format === now.format && comparable(before.text) === comparable(now.text);
}

/** Which of the files under `copy/selected/` is the selection, the others being derived from it or left over. */
export function canonicalExtension(
  present: readonly TextExtension[],
  selectedFormat: TextFormat | undefined,
): TextExtension | undefined {
  const chosen = selectedFormat === undefined ? undefined : extensionOf(selectedFormat);
  const order = [...(chosen === undefined ? [] : [chosen]), "md", "txt", "html"] as const;
  return order.find((extension) => present.includes(extension));
}

function comparable(text: string): string {
  return text.replace(/\r\n?/g, "\n").trimEnd();
}
