const tag =
  /<(\/?)(?:think|thinking|thoughts?|reasoning|reflection|scratchpad)(?:\s[^<>]{0,200})?>|\[(\/?)THINK\]/giu;
const scratchFence =
  /^\s*(`{3,}|~{3,})[ \t]*(?:scratch(?:pad)?|think(?:ing)?|thoughts?|reasoning|analysis)[ \t]*\r?\n/iu;

/**
 * What the model says, without what it thinks. A closing tag without an opening one ends reasoning that began
 * in the prompt template; an opening one without an end makes the rest reasoning. Both err towards removing
 * too much: words the model only considered must never count as a verdict.
 */
export function stripReasoning(text: string): string {
  return stripScratchFences(stripTags(text)).trim();
}

function stripTags(text: string): string {
  let spoken = "";
  let depth = 0;
  let from = 0;
  for (const match of text.matchAll(tag)) {
    const isClosing = (match[1] ?? match[2]) === "/";
    if (depth === 0) {
      spoken = isClosing ? "" : `${spoken}${text.slice(from, match.index)}\n`;
    }
    depth = isClosing ? Math.max(0, depth - 1) : depth + 1;
    from = match.index + match[0].length;
  }
  return depth === 0 ? spoken + text.slice(from) : spoken;
}

/** Drops labelled scratch blocks at the start; other fences may hold the answer and stay. */
function stripScratchFences(text: string): string {
  let rest = text;
  for (;;) {
    const opening = scratchFence.exec(rest);
    const fence = opening?.[1];
    if (opening === null || fence === undefined) return rest;
    const end = findClosingFence(rest, fence, opening[0].length);
    if (end === undefined) return "";
    rest = rest.slice(end);
  }
}

function findClosingFence(text: string, fence: string, from: number): number | undefined {
  let lineStart = from;
  while (lineStart < text.length) {
    const newline = text.indexOf("\n", lineStart);
    const lineEnd = newline === -1 ? text.length : newline;
    if (text.slice(lineStart, Math.min(lineEnd, lineStart + fence.length + 100)).trim() === fence) {
      return lineEnd;
    }
    lineStart = lineEnd + 1;
  }
  return undefined;
}

/** A reply without the reasoning it opens with. */
export interface SplitReply {
  readonly spoken: string;
  /** No reasoning tag is left: what is spoken is the whole answer and nothing else. */
  readonly isWhole: boolean;
}

const opening = /^\s*<(think|thinking|reasoning)>/iu;
const anyTag = /<\/?(?:think|thinking|reasoning)\b/iu;

/**
 * For replies that may sign something. Only pairs at the very start are taken off, so that no part of an answer is
 * lost with them; reasoning that never ends is not an answer.
 */
export function splitReasoning(text: string): SplitReply {
  let rest = text;
  for (let name = opening.exec(rest)?.[1]; name !== undefined; name = opening.exec(rest)?.[1]) {
    const end = endOfPair(rest, name);
    if (end === undefined) return { spoken: "", isWhole: false };
    rest = rest.slice(end);
  }
  return { spoken: rest.trim(), isWhole: !anyTag.test(rest) };
}

function endOfPair(text: string, name: string): number | undefined {
  let depth = 0;
  for (const match of text.matchAll(new RegExp(`<(/?)${name}>`, "giu"))) {
    depth += match[1] === "/" ? -1 : 1;
    if (depth === 0) return match.index + match[0].length;
  }
  return undefined;
}
