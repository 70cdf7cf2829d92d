import { cutToWidth, padToWidth } from "./display-width.ts";
import { type Layout, layOut, type Span } from "./lay-out.ts";
import type { Style } from "./palette.ts";
import { stripToLine } from "./strip-control.ts";

const labelWidth = 10;

/** A labelled block: who speaks on the left, what is said on the right, all of it in its own column. */
export function renderRow(
  label: string,
  spans: readonly Span[],
  layout: Layout,
  style: Style = "muted",
): readonly string[] {
  const name = padToWidth(cutToWidth(stripToLine(label), labelWidth), labelWidth);
  return layOut(spans, layout, [{ text: "  " }, { text: name, style }, { text: " " }]);
}

/** One finding of a list: a word that says of what sort it is, and the finding in a column of its own. */
export interface Item {
  readonly mark: Span;
  readonly spans: readonly Span[];
}

const markWidth = 10;

/** A labelled list; the label stands before its first item. */
export function renderItems(
  label: string,
  items: readonly Item[],
  layout: Layout,
  style: Style = "muted",
): readonly string[] {
  return items.flatMap(({ mark, spans }, at) => {
    const name = padToWidth(at === 0 ? cutToWidth(stripToLine(label), labelWidth) : "", labelWidth);
    const lead = { ...mark, text: padToWidth(stripToLine(mark.text), markWidth) };
    return layOut(spans, layout, [{ text: "  " }, { text: name, style }, { text: " " }, lead]);
  });
}

/** Keeps untrusted text to a readable length and says how much is missing. */
export function clipped(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const rest = (text.length - longest).toLocaleString("en-US");
  return `${text.slice(0, longest)}… (${rest} more characters)`;
}
