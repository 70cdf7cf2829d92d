import type { FrontMatter } from "../../domain/gates/note-parts.ts";
import type { Json } from "../../domain/values/json.ts";
import { type Parsed, problems } from "./file-problem.ts";
import { readPlainYaml } from "./plain-yaml.ts";
import { type DocumentSource, type ReadDocument, readYaml } from "./read-document.ts";

/** The most characters of front matter that are read; real files are far shorter. */
const longest = 100_000;

interface Block {
  /** `open`: it has no end, but begins as front matter does. */
  readonly kind: "none" | "open" | "closed";
  readonly yaml: string;
  /** Where the text behind the block begins. */
  readonly bodyStart: number;
}

export interface FrontMatterFile {
  /** Values with their places; an empty mapping where there is no block. */
  readonly front: Parsed<ReadDocument>;
  readonly body: string;
  /** Line of the file at which the body begins, from 1. */
  readonly bodyLine: number;
}

/** Front matter of a file with a strict shape: a recipe, a gate. */
export function readFrontMatter(
  { file, text }: DocumentSource,
  { isRequired }: { readonly isRequired: boolean },
): FrontMatterFile {
  const { kind, yaml, bodyStart } = findBlock(text);
  const rest = {
    body: kind === "open" ? "" : text.slice(bodyStart),
    bodyLine: text.slice(0, bodyStart).split("\n").length,
  };
  if (kind === "closed" || (kind === "none" && !isRequired)) {
    return { front: readYaml({ file, text: yaml, firstLine: 2, longest }), ...rest };
  }
  const message =
    kind === "open" ? notClosed : "must begin with front matter between two lines of ---";
  const problem = { file, line: 1, column: 1, path: "", message, rule: "yaml" };
  return { front: problems([problem]), ...rest };
}

/** A note's front matter, which may hold anything, and where the text behind it begins. */
export function splitNote(text: string): {
  readonly frontMatter: FrontMatter;
  readonly bodyStart: number;
} {
  const { kind, yaml, bodyStart } = findBlock(text);
  return { frontMatter: kind === "none" ? { kind } : readBlock(kind, yaml), bodyStart };
}

export function parseFrontMatter(text: string): FrontMatter {
  return splitNote(text).frontMatter;
}

const notClosed = "has no closing line of ---";

function readBlock(kind: "open" | "closed", yaml: string): FrontMatter {
  if (kind === "open") return { kind: "malformed", message: notClosed, line: 1 };
  const plain = readPlainYaml(yaml);
  if (plain !== undefined) return { kind: "read", values: plain };
  const read = readYaml({ ...{ file: "", text: yaml, firstLine: 2 }, longest, ignoreTags: true });
  if (read.kind === "parsed") {
    return { kind: "read", values: read.value.value as { readonly [key: string]: Json } };
  }
  const [problem] = read.problems;
  return { kind: "malformed", message: problem?.message ?? "", line: problem?.line ?? 2 };
}

function findBlock(text: string): Block {
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  const none: Block = { kind: "none", yaml: "", bodyStart: start };
  const opening = /^---[ \t]*\r?\n/.exec(text.slice(start, start + 200));
  if (opening === null) return none;
  const from = start + opening[0].length;
  const closing = findClosing(text, from);
  if (closing !== undefined) {
    return { kind: "closed", yaml: text.slice(from, closing.start), bodyStart: closing.end };
  }
  // Without a key it may as well be a horizontal rule.
  return /^[\w-]+[ \t]*:/.test(text.slice(from, from + 200)) ? { ...none, kind: "open" } : none;
}

function findClosing(
  text: string,
  from: number,
): { readonly start: number; readonly end: number } | undefined {
  let at = from;
  while (at < text.length) {
    const newline = text.indexOf("\n", at);
    const end = newline === -1 ? text.length : newline + 1;
    if (/^(?:---|\.\.\.)[ \t]*\r?\n?$/.test(text.slice(at, Math.min(end, at + 200)))) {
      return { start: at, end };
    }
    at = end;
  }
  return undefined;
}
