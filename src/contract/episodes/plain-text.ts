import remarkParse from "remark-parse";
import { unified } from "unified";
import type { TextFormat } from "../../domain/drafting/candidate.ts";
import { entityNames } from "../../domain/episodes/subtitles.ts";
import { decodeEntities } from "../../domain/values/decode-entities.ts";

/** The words of a text without its markup, blocks on lines of their own. */
export function plainTextOf(format: TextFormat, text: string): string {
  switch (format) {
    case "plain":
      return text.trim();
    case "markdown":
      return markdownWords(unified().use(remarkParse).parse(text)).trim();
    case "html":
      return htmlWords(text);
  }
}

interface MarkdownNode {
  readonly type: string;
  readonly value?: string;
  readonly alt?: string | null | undefined;
  readonly children?: readonly MarkdownNode[];
}

const blocks = ["paragraph", "heading", "listItem", "code", "blockquote", "break"];

function markdownWords(node: MarkdownNode): string {
  const inner =
    node.children?.map(markdownWords).join("") ??
    (node.type === "html" ? "" : (node.value ?? node.alt ?? ""));
  return blocks.includes(node.type) ? `${inner.replace(/\n+$/, "")}\n` : inner;
}

function htmlWords(html: string): string {
  const written = [
    ["<!--", "-->"] as const,
    ["<script", "</script>"] as const,
    ["<style", "</style>"] as const,
  ]
    .reduce((rest, [open, close]) => without(rest, open, close), html)
    .replace(/<\/(p|h[1-6]|li|div|blockquote|pre|tr)\s*>\s*|<br\s*\/?>\s*/gi, "\n")
    .replace(/<[^<>]*>/g, "");
  return decodeEntities(written, entityNames).trim();
}

/** Linear for every text: each search continues where the last one ended. */
function without(text: string, open: string, close: string): string {
  const folded = text.toLowerCase();
  let kept = "";
  let from = 0;
  for (;;) {
    const start = folded.indexOf(open, from);
    if (start < 0) return kept + text.slice(from);
    kept += text.slice(from, start);
    const end = folded.indexOf(close, start);
    if (end < 0) return kept;
    from = end + close.length;
  }
}
