import { isMap, LineCounter, parseDocument } from "yaml";
import type { FrontMatter } from "../../domain/gates/note-parts.ts";
import type { Json } from "../../domain/values/json.ts";
import { readPlainYaml } from "./plain-yaml.ts";

/** Front matter with the way back to its lines; offsets and lines are those of the whole file. */
export interface FrontMatterBlock {
  readonly frontMatter: FrontMatter;
  /** Where the text behind the block starts. */
  readonly bodyStart: number;
  /** Line of a value, for messages; line 1 when the path is not there. */
  readonly lineOf: (path: readonly (string | number)[]) => number;
}

const byteOrderMark = "\uFEFF";

/** Reads the block without reading the note: status over thousands of notes needs no more than this. */
export function readFrontMatter(text: string): FrontMatterBlock {
  const start = text.startsWith(byteOrderMark) ? 1 : 0;
  const opening = /^---[ \t]*\r?\n/.exec(text.slice(start, start + 200));
  const none: FrontMatterBlock = {
    frontMatter: { kind: "none" },
    bodyStart: start,
    lineOf: () => 1,
  };
  if (opening === null) return none;
  const from = start + opening[0].length;
  const closing = findClosing(text, from);
  if (closing === undefined) {
    const looksMeant = /^[\w-]+[ \t]*:/.test(text.slice(from, from + 200));
    return looksMeant ? { ...none, frontMatter: malformed("the block is not closed", 1) } : none;
  }
  const yaml = text.slice(from, closing.start);
  const values = readPlainYaml(yaml);
  if (values === undefined) return parseBlock(yaml, closing.end);
  return {
    frontMatter: { kind: "read", values },
    bodyStart: closing.end,
    lineOf: (path) => parseBlock(yaml, closing.end).lineOf(path),
  };
}

export function parseFrontMatter(text: string): FrontMatter {
  return readFrontMatter(text).frontMatter;
}

function findClosing(
  text: string,
  from: number,
): { readonly start: number; readonly end: number } | undefined {
  for (let at = from; at < text.length; ) {
    const newline = text.indexOf("\n", at);
    const end = newline === -1 ? text.length : newline + 1;
    if (/^(?:---|\.\.\.)[ \t]*\r?\n?$/.test(text.slice(at, Math.min(end, at + 200))))
      return { start: at, end };
    at = end;
  }
  return undefined;
}

function parseBlock(yaml: string, bodyStart: number): FrontMatterBlock {
  const counter = new LineCounter();
  const lineAt = (offset: number) => counter.linePos(offset).line + 1;
  try {
    const document = parseDocument(yaml, { lineCounter: counter, prettyErrors: false });
    const error = document.errors[0];
    if (error !== undefined)
      return block(malformed(error.message, lineAt(error.pos[0])), bodyStart);
    if (document.contents === null) return block({ kind: "read", values: {} }, bodyStart);
    if (!isMap(document.contents))
      return block(malformed("it is not a list of keys and values", 2), bodyStart);
    const values = plain(document.toJS()) as { readonly [key: string]: Json };
    const lineOf = (path: readonly (string | number)[]) => {
      const node = document.getIn(path, true) as { range?: readonly number[] } | undefined;
      const offset = node?.range?.[0];
      return offset === undefined ? 1 : lineAt(offset);
    };
    return { frontMatter: { kind: "read", values }, bodyStart, lineOf };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return block(malformed(message, 2), bodyStart);
  }
}

function block(frontMatter: FrontMatter, bodyStart: number): FrontMatterBlock {
  return { frontMatter, bodyStart, lineOf: () => 1 };
}

function malformed(message: string, line: number): FrontMatter {
  return { kind: "malformed", message, line };
}

/** YAML knows values that JSON does not; they stand for their text. */
function plain(value: unknown): Json {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
  return String(value);
}
