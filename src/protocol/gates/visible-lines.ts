import { FenceTracker } from "./format.ts";

/** A line of a review that is not quoted, fenced or commented out. Offsets are into the scanned text. */
export interface VisibleLine {
  readonly start: number;
  readonly end: number;
  /** Offset of the first letter or digit behind list marks, hashes, emphasis and the like. */
  readonly core: number;
  readonly isLast: boolean;
  /** The non-blank line before it, visible or not; empty range for none. */
  readonly previousStart: number;
  readonly previousEnd: number;
}

const newline = 10;
const backtick = 96;
const tilde = 126;
const greater = 62;
const less = 60;

/** Calls `visit` for every visible line, in one pass and without copying the text. */
export function forEachVisibleLine(text: string, visit: (line: VisibleLine) => void): void {
  const last = text.trimEnd().length;
  const hidden = new HiddenRegions(text);
  const line = { start: 0, end: 0, core: 0, isLast: false, previousStart: 0, previousEnd: 0 };
  for (let at = 0; at < last; at = line.end + 1) {
    const found = text.indexOf("\n", at);
    line.start = at;
    line.end = found === -1 || found > last ? last : found;
    const first = skipBlanks(text, at, line.end);
    if (first === line.end) continue;
    if (!hidden.covers(at, first, line.end) && !isIndentedCode(text, at, first)) {
      line.core = skipMarks(text, first, line.end);
      line.isLast = line.end === last;
      visit(line);
    }
    line.previousStart = at;
    line.previousEnd = line.end;
  }
}

class HiddenRegions {
  readonly #text: string;
  readonly #fences = new FenceTracker();
  #inComment = false;

  constructor(text: string) {
    this.#text = text;
  }

  covers(start: number, first: number, end: number): boolean {
    if (this.#inComment) return this.#comment(start, end);
    const code = this.#text.charCodeAt(first);
    if (this.#fences.isOpen || code === backtick || code === tilde)
      if (this.#fences.isCode(this.#text.slice(start, end))) return true;
    if (code === less && this.#text.startsWith("<!--", first)) return this.#comment(first + 4, end);
    return code === greater;
  }

  #comment(start: number, end: number): boolean {
    const close = this.#text.slice(start, end).includes("-->");
    this.#inComment = !close;
    return true;
  }
}

function isIndentedCode(text: string, start: number, first: number): boolean {
  if (first === start) return false;
  return first - start > 3 || text.slice(start, first).includes("\t");
}

function skipBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

function isBlank(code: number): boolean {
  return code === 32 || code === newline || code === 13 || code === 9;
}

const marks = new Uint8Array(128);
for (const mark of " \t#*_-+|`[]()~.0123456789") marks[mark.charCodeAt(0)] = 1;

function skipMarks(text: string, from: number, end: number): number {
  let at = from;
  for (; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 128 || marks[code] === 0) break;
  }
  return at;
}
