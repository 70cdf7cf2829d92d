import type { ReviewDecision } from "../../domain/gates/decision.ts";

/** One review as a file that people read and git keeps. */
export interface ExportedReview {
  readonly note: string;
  readonly gate: string;
  readonly noteBlob: string;
  readonly gateBlob: string;
  readonly run: number;
  readonly model: string;
  readonly decision: ReviewDecision;
  readonly acceptance?: string;
  readonly commit?: string;
  readonly reviewedAt: string;
  readonly text: string;
}

/** `<exports>/<note path>/<lens>__<gate>.md`, one file per model where there are several. */
export function exportPath(
  exports: string,
  review: Pick<ExportedReview, "note" | "gate" | "model">,
): string {
  const model = review.model.replaceAll("/", "-");
  return `${exportFolder(exports, review.note)}/${review.gate.replaceAll("/", "__")}.${model}.md`;
}

export function exportFolder(exports: string, note: string): string {
  return `${exports}/${note}`;
}

const opening = "<!-- signoff-review\n";
const closing = "\n-->\n";

/** The metadata is in a comment, so that the file reads as a plain review. */
export function renderExport(review: ExportedReview): string {
  const { text, ...metadata } = review;
  const lines = Object.entries(metadata).map(
    ([name, value]) => `${name}: ${JSON.stringify(value)}`,
  );
  return `${opening}${lines.join("\n")}${closing}\n${text.trim()}\n`;
}

/** The same file for a note that has moved; any other file is left as it is. */
export function withNotePath(content: string, note: string): string {
  if (!content.startsWith(opening)) return content;
  const end = content.indexOf(closing);
  if (end === -1) return content;
  const head = content.slice(0, end).replace(/^note: .*$/m, () => `note: ${JSON.stringify(note)}`);
  return head + content.slice(end);
}
