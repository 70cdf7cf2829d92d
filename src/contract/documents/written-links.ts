import type { NoteLink } from "../../domain/relocation/note-link.ts";
import { splitNote } from "./front-matter.ts";
import { type MarkdownSource, parseMarkdown, rangeOf, walk } from "./markdown-tree.ts";
import { findLinks } from "./note-links.ts";
import { findHostility } from "./parse-note.ts";

/** Every link that a move may have to rewrite: of markdown, of HTML and between double brackets. Code has none. */
export function findWrittenLinks(text: string): readonly NoteLink[] {
  if (findHostility(text) !== undefined) return [];
  const source = parseMarkdown(text, splitNote(text).bodyStart);
  return [...findLinks(source), ...findHtmlLinks(source), ...findWikiLinks(source)];
}

const attribute = /<(?:a|img)\b[^>]*?\s(?:href|src)\s*=\s*(["'])([^"'<>]*)\1/gi;

function findHtmlLinks(source: MarkdownSource): readonly NoteLink[] {
  return rangesOf(source, ["html"]).flatMap(({ start, end, line }) =>
    [...source.text.slice(start, end).matchAll(attribute)].map((found) => {
      const [written, , destination = ""] = found;
      const at = start + found.index + written.length - 1 - destination.length;
      return linkAt(source, { kind: "html", destination, at, line });
    }),
  );
}

const wiki = /\[\[([^[\]|\n]+?)(?:\\?\|[^[\]\n]*)?\]\]/g;

function findWikiLinks(source: MarkdownSource): readonly NoteLink[] {
  const taken = rangesOf(source, ["code", "inlineCode", "html", "link", "definition"]);
  const body = source.text.slice(source.offset);
  return [...body.matchAll(wiki)].flatMap((found) => {
    const at = source.offset + found.index + "[[".length;
    const isTaken = taken.some(({ start, end }) => at >= start && at < end);
    const [, destination = ""] = found;
    return isTaken ? [] : [linkAt(source, { kind: "wiki", destination, at })];
  });
}

function rangesOf(source: MarkdownSource, types: readonly string[]) {
  const ranges: ReturnType<typeof rangeOf>[] = [];
  walk(source.root, (node) => {
    if (!types.includes(node.type)) return undefined;
    ranges.push(rangeOf(source, node));
    return "skip";
  });
  return ranges;
}

function linkAt(
  { text }: MarkdownSource,
  about: {
    readonly kind: NoteLink["kind"];
    readonly destination: string;
    readonly at: number;
    readonly line?: number;
  },
): NoteLink {
  const { kind, destination, at } = about;
  const line = about.line ?? text.slice(0, at).split("\n").length;
  return {
    ...{ kind, destination, start: at, end: at + destination.length, line },
    ...{ inAngleBrackets: false, text: destination },
  };
}
