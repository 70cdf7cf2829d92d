import type { NoteLink } from "../../domain/relocation/note-link.ts";
import { type MarkdownNode, type MarkdownSource, rangeOf, walk } from "./markdown-tree.ts";

/** Links, images and definitions of a note with the exact place of each destination. Code has none. */
export function findLinks(source: MarkdownSource): readonly NoteLink[] {
  const links: NoteLink[] = [];
  walk(source.root, (node) => {
    const kind = kinds.find((known) => known === node.type);
    const link = kind === undefined ? undefined : readLink(source, node, kind);
    if (link !== undefined) links.push(link);
    return undefined;
  });
  return links;
}

const kinds = ["link", "image", "definition"] as const;

function readLink(
  source: MarkdownSource,
  node: MarkdownNode,
  kind: NoteLink["kind"],
): NoteLink | undefined {
  const range = rangeOf(source, node);
  const facts = { kind, text: nodeText(node), line: range.line };
  const url = node.url ?? "";
  const first = source.text[range.start];
  if (first !== "[" && first !== "!")
    return {
      ...facts,
      destination: url,
      start: range.start,
      end: range.end,
      inAngleBrackets: false,
    };
  const mark = kind === "definition" ? "]:" : "](";
  const from = searchFrom(source, node);
  for (let at = source.text.indexOf(mark, from); at !== -1 && at < range.end; ) {
    const place = readDestination(source.text, at + mark.length, range.end);
    if (place !== undefined && meansUrl(place.destination, url)) return { ...facts, ...place };
    at = source.text.indexOf(mark, at + 1);
  }
  return undefined;
}

/** Behind the label: an earlier bracket belongs to the label's own text. */
function searchFrom(source: MarkdownSource, node: MarkdownNode): number {
  const last = node.type === "link" ? node.children?.at(-1) : undefined;
  return last === undefined ? rangeOf(source, node).start : rangeOf(source, last).end;
}

type Place = Pick<NoteLink, "destination" | "start" | "end" | "inAngleBrackets">;

/** The tree gives no offsets of destinations; the caller compares each candidate with what the tree read. */
function readDestination(text: string, from: number, limit: number): Place | undefined {
  const blank = /\s*/y;
  blank.lastIndex = from;
  const start = from + (blank.exec(text)?.[0].length ?? 0);
  if (text[start] === "<") {
    const close = text.indexOf(">", start);
    if (close === -1 || close >= limit) return undefined;
    const destination = text.slice(start + 1, close);
    return { destination, start: start + 1, end: close, inAngleBrackets: true };
  }
  const end = endOfBare(text, start, limit);
  return { destination: text.slice(start, end), start, end, inAngleBrackets: false };
}

/** Up to a blank or the bracket that closes the link; brackets inside come in pairs. */
function endOfBare(text: string, start: number, limit: number): number {
  let depth = 0;
  for (let at = start; at < limit; at += 1) {
    const character = text[at] ?? " ";
    if (/\s/.test(character) || (character === ")" && depth === 0)) return at;
    if (character === "\\") at += 1;
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
  }
  return limit;
}

function meansUrl(written: string, url: string): boolean {
  if (written === url) return true;
  const unescaped = written.replace(/\\([!-/:-@[-`{-~])/g, "$1").replace(/&amp;/g, "&");
  return unescaped === url;
}

export function nodeText(node: MarkdownNode): string {
  if (node.type === "image") return node.alt ?? "";
  if (node.type === "definition") return node.label ?? "";
  let text = "";
  walk(node, (inner) => {
    if (inner.type === "text" || inner.type === "inlineCode") text += inner.value ?? "";
    if (inner.type === "break") text += "\n";
    return undefined;
  });
  return text;
}
