import type { Candidate, TextFormat } from "../drafting/candidate.ts";
import type { RaisedIssue } from "../drafting/review.ts";
import { isLockedKind } from "./asset-kind.ts";
import { extensionOf, layout, type TextExtension } from "./layout.ts";

/** The chosen text of an asset as its canonical file holds it. */
export interface Selection {
  readonly assetId: string;
  readonly format: TextFormat;
  readonly text: string;
}

/** The words of a text without its markup, so that formats can be compared. */
export type AsPlainText = (format: TextFormat, text: string) => string;

/** The text a creator must give back unchanged, if this asset has one. */
export function lockedText(selection: Selection | undefined): string | undefined {
  if (selection === undefined || !isLockedKind(selection.assetId)) return undefined;
  return selection.text.trimEnd();
}

/**
 * The objection to a candidate that would change a locked selection. Texts are compared, not files: white space
 * at the end is ignored, and texts of different formats are compared without their markup.
 */
export function lockedSelectionIssue(
  candidate: Pick<Candidate, "assetId" | "format" | "content">,
  selection: Selection | undefined,
  asPlainText: AsPlainText,
): RaisedIssue | undefined {
  if (selection === undefined || lockedText(selection) === undefined) return undefined;
  if (isSameText(candidate, selection, asPlainText)) return undefined;
  const path = layout.selected(selection.assetId, extensionOf(selection.format));
  return {
    severity: "error",
    code: "locked_selection",
    field: "content",
    message: `"${selection.assetId}" is locked to the text in ${path}; unlock it to change it`,
  };
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

function isSameText(
  candidate: Pick<Candidate, "format" | "content">,
  selection: Selection,
  asPlainText: AsPlainText,
): boolean {
  if (candidate.format === selection.format) {
    return comparable(candidate.content) === comparable(selection.text);
  }
  return (
    comparable(asPlainText(candidate.format, candidate.content)) ===
    comparable(asPlainText(selection.format, selection.text))
  );
}

function comparable(text: string): string {
  return text.replace(/\r\n?/g, "\n").trimEnd();
}
