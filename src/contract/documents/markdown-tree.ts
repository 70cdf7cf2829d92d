import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { lazily } from "../../domain/values/lazily.ts";

const processor = lazily(() => unified().use(remarkParse).use(remarkGfm).freeze());

interface Point {
  readonly line: number;
  readonly offset?: number | undefined;
}

/** As much of a syntax tree's node as notes need, whatever its type. */
export interface MarkdownNode {
  readonly type: string;
  readonly children?: readonly MarkdownNode[];
  readonly position?: { readonly start: Point; readonly end: Point } | undefined;
  readonly value?: string;
  readonly depth?: number;
  readonly url?: string;
  readonly alt?: string | null | undefined;
  readonly label?: string | null | undefined;
  readonly lang?: string | null | undefined;
  readonly meta?: string | null | undefined;
  readonly ordered?: boolean | null | undefined;
  readonly start?: number | null | undefined;
  readonly checked?: boolean | null | undefined;
}

/** A part of a note's text with its place in the whole file. */
export interface MarkdownSource {
  readonly text: string;
  readonly root: MarkdownNode;
  /** Add to a node's offset. */
  readonly offset: number;
  /** Add to a node's line. */
  readonly lines: number;
}

export function parseMarkdown(text: string, bodyStart: number): MarkdownSource {
  const before = text.slice(0, bodyStart);
  const lines = before.split("\n").length - 1;
  return { text, root: processor().parse(text.slice(bodyStart)), offset: bodyStart, lines };
}

/** Offsets in the whole file; every node of a parsed file has them. */
export function rangeOf(
  source: MarkdownSource,
  node: MarkdownNode,
): { readonly start: number; readonly end: number; readonly line: number } {
  return {
    start: source.offset + (node.position?.start.offset ?? 0),
    end: source.offset + (node.position?.end.offset ?? 0),
    line: source.lines + (node.position?.start.line ?? 1),
  };
}

/** Depth first, in the order of the text; a stack, because hostile notes nest deeper than calls may. */
export function walk(
  root: MarkdownNode,
  enter: (node: MarkdownNode) => "skip" | undefined,
  leave?: (node: MarkdownNode) => void,
): void {
  const stack: { readonly node: MarkdownNode; readonly leaving: boolean }[] = [
    { node: root, leaving: false },
  ];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { node, leaving } = top;
    if (leaving) {
      leave?.(node);
      continue;
    }
    const skipped = enter(node) === "skip";
    if (leave !== undefined) stack.push({ node, leaving: true });
    if (skipped || node.children === undefined) continue;
    for (const child of node.children.toReversed()) stack.push({ node: child, leaving: false });
  }
}
