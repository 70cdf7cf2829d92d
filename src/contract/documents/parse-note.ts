import {
  foldWhiteSpace,
  frontMatterValue,
  type Heading,
  type NoteParts,
  type ProseBlock,
} from "../../domain/gates/note-parts.ts";
import { defined } from "../../domain/values/defined.ts";
import { splitNote } from "./front-matter.ts";
import {
  type MarkdownNode,
  type MarkdownSource,
  parseMarkdown,
  rangeOf,
  walk,
} from "./markdown-tree.ts";
import { findLinks, nodeText } from "./note-links.ts";

/** Takes a note apart. Never throws: what cannot be read is said in `frontMatter` and `unreadable`. */
export function parseNote(text: string): NoteParts {
  const { frontMatter, bodyStart } = splitNote(text);
  const described = frontMatterValue({ frontMatter }, "description");
  const facts = {
    frontMatter,
    ...(typeof described === "string" ? { description: foldWhiteSpace(described) } : {}),
  };
  const unreadable = findHostility(text);
  if (unreadable === undefined) return { ...facts, ...readBody(text, bodyStart) };
  const body = text.slice(bodyStart);
  return { ...facts, unreadable, body, links: [], headings: [], prose: [{ text: body, line: 1 }] };
}

function readBody(text: string, bodyStart: number) {
  const source = parseMarkdown(text, bodyStart);
  const titleNode = source.root.children?.find(isTitle);
  const title = titleNode === undefined ? undefined : headingSource(source, titleNode);
  return {
    ...defined({ title }),
    body: foldBody(source, titleNode),
    links: findLinks(source),
    headings: findHeadings(source, titleNode),
    prose: findProse(source),
  };
}

const mostNesting = 100;
const mostBacktickLengths = 100;
const nested = new RegExp(
  `^(?:[ \\t]*(?:>|(?:[-*+]|\\d{1,9}[.)])(?=[ \\t]))){${mostNesting}}`,
  "m",
);

/** Markdown that no person writes and on which the parser overflows its stack or takes minutes. */
export function findHostility(text: string): string | undefined {
  if (nested.test(text)) return `quotations or lists are nested more than ${mostNesting} deep`;
  const lengths = new Set<number>();
  for (const [run] of text.matchAll(/`+/g)) lengths.add(run.length);
  if (lengths.size > mostBacktickLengths)
    return `code marks of more than ${mostBacktickLengths} different lengths`;
  return undefined;
}

function isTitle(node: MarkdownNode): boolean {
  return node.type === "heading" && node.depth === 1;
}

/** As written, emphasis included: marking a word in a title is a change of the title. */
function headingSource(source: MarkdownSource, node: MarkdownNode): string {
  const [first, last] = [node.children?.[0], node.children?.at(-1)];
  if (first === undefined || last === undefined) return "";
  return foldWhiteSpace(source.text.slice(rangeOf(source, first).start, rangeOf(source, last).end));
}

const containers = new Set(["blockquote", "list", "listItem", "footnoteDefinition"]);

/**
 * The body without its title, folded so that only white space that means nothing is lost: each block keeps its
 * kind and place in lists and quotations, code keeps every character, running text is joined by single blanks.
 */
function foldBody(source: MarkdownSource, title: MarkdownNode | undefined): string {
  const pieces: string[] = [];
  const isFirst = source.root.children?.[0] === title;
  walk(
    source.root,
    (node) => {
      if (node.type === "root") return undefined;
      if (node === title) {
        if (!isFirst) pieces.push("\u0000title");
        return "skip";
      }
      if (containers.has(node.type)) {
        pieces.push(`\u0000${containerMark(node)}`);
        return undefined;
      }
      pieces.push(foldBlock(source, node));
      return "skip";
    },
    (node) => {
      if (containers.has(node.type)) pieces.push("\u0000end");
    },
  );
  return pieces.join(" ");
}

function containerMark(node: MarkdownNode): string {
  if (node.type === "list") return node.ordered ? `ordered ${node.start ?? 1}` : "list";
  if (node.type === "listItem") return `item ${node.checked ?? ""}`;
  return node.type;
}

function foldBlock(source: MarkdownSource, node: MarkdownNode): string {
  const { start, end } = rangeOf(source, node);
  const written = source.text.slice(start, end).replaceAll("\u0000", "\uFFFD");
  switch (node.type) {
    case "code":
      return `\u0000code ${JSON.stringify([node.lang ?? "", node.meta ?? "", lines(node)])}`;
    case "html":
      return `\u0000html ${JSON.stringify(lines(node))}`;
    case "paragraph":
      return foldWhiteSpace(written);
    case "heading":
      return `\u0000heading ${node.depth} ${headingSource(source, node)}\u0000`;
    default:
      return `\u0000${node.type} ${foldWhiteSpace(written)}\u0000`;
  }
}

/** Every character but the kind of line end, which belongs to the file. */
function lines(node: MarkdownNode): string {
  return (node.value ?? "").replace(/\r\n?/g, "\n");
}

function findHeadings(source: MarkdownSource, title: MarkdownNode | undefined): readonly Heading[] {
  const headings: Heading[] = [];
  walk(source.root, (node) => {
    if (node.type === "heading" && node !== title)
      headings.push({
        depth: node.depth ?? 1,
        text: foldWhiteSpace(nodeText(node)),
        line: rangeOf(source, node).line,
      });
    return undefined;
  });
  return headings;
}

function findProse(source: MarkdownSource): readonly ProseBlock[] {
  const prose: ProseBlock[] = [];
  walk(source.root, (node) => {
    if (node.type !== "paragraph" && node.type !== "tableCell") return undefined;
    const text = wordsOf(node).trim();
    if (text !== "") prose.push({ text, line: rangeOf(source, node).line });
    return "skip";
  });
  return prose;
}

/** Running text only: code is not prose. */
function wordsOf(node: MarkdownNode): string {
  let words = "";
  walk(node, (inner) => {
    if (inner.type === "text") words += inner.value ?? "";
    if (inner.type === "inlineCode") words += " ";
    if (inner.type === "break") words += "\n";
    return undefined;
  });
  return words;
}
