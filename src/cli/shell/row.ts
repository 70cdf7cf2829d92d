import { cutToWidth, padToWidth } from "./display-width.ts";
import type { Inline, LedLine, Span } from "./lay-out.ts";
import type { Style } from "./palette.ts";
import { stripToLine } from "./strip-control.ts";

const labelWidth = 10;
const markWidth = 10;

/** A labelled block: the label on the left, the text in a column to its right. */
export function row(label: string, spans: readonly Inline[], style: Style = "muted"): LedLine {
  const text = padToWidth(cutToWidth(stripToLine(label), labelWidth), labelWidth);
  return { lead: ["  ", { text, style }, " "], spans };
}

/** A labelled list; only the first line carries the label. */
export function rows(label: string, texts: readonly Inline[]): readonly LedLine[] {
  return texts.map((text, at) => row(at === 0 ? label : "", [text]));
}

/** One finding of a list: a word for its kind, and the finding in a column to its right. */
export interface Item {
  readonly mark: Span;
  readonly spans: readonly Inline[];
}

/** A labelled list whose items have a mark. */
export function itemRows(label: string, items: readonly Item[]): readonly LedLine[] {
  return items.map(({ mark, spans }, at) => {
    const { lead } = row(at === 0 ? label : "", []);
    const word = { ...mark, text: padToWidth(stripToLine(mark.text), markWidth) };
    return { lead: [...lead, word], spans };
  });
}

/** Keeps untrusted text to a readable length and appends how much is missing. */
export function clipped(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const rest = (text.length - longest).toLocaleString("en-US");
  return `${text.slice(0, longest)}… (${rest} more characters)`;
}
