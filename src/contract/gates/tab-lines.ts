import { actingCharacters } from "../../domain/values/visible.ts";

/** Fields of a line, separated by tabs: lines of git's union merge, sorted by bytes. */
export function renderFields(fields: readonly string[]): string {
  return fields.map(escapeField).join("\t");
}

export function readFields(line: string): readonly string[] {
  return line.split("\t").map(unescapeField);
}

export interface LineProblem {
  readonly line: number;
  readonly message: string;
  /** The line as it is, so that a newer program's lines are not lost. */
  readonly written: string;
}

/** Reads what it can: a line that cannot be read (a merge conflict, an edit by hand) is a problem. */
export function readLines<T>(
  text: string,
  parse: (line: string) => T | undefined,
  what: string,
): { readonly lines: readonly T[]; readonly problems: readonly LineProblem[] } {
  const problems: LineProblem[] = [];
  const lines: T[] = [];
  text.split("\n").forEach((raw, index) => {
    const written = raw.replace(/\r$/, "");
    if (written === "" || written.startsWith("#")) return;
    const line = parse(written);
    if (line !== undefined) lines.push(line);
    else problems.push({ line: index + 1, message: whyUnreadable(written, what), written });
  });
  return { lines, problems };
}

function whyUnreadable(written: string, what: string): string {
  return /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/.test(written)
    ? "a merge conflict; delete the marker and keep all other lines"
    : `not a line of ${what}`;
}

/** Each line once, sorted by bytes, so that the same content gives the same file and merges stay small. */
export function renderLines(lines: readonly string[]): string {
  const sorted = [...new Set(lines)].sort(compareBytes);
  return sorted.length === 0 ? "" : `${sorted.join("\n")}\n`;
}

/** File names may hold tabs, line breaks and anything else but `/` and NUL. */
function escapeField(text: string): string {
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll("\t", "\\t")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replace(actingCharacters, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
  return escaped.startsWith("#") ? `\\${escaped}` : escaped;
}

function unescapeField(text: string): string {
  if (!text.includes("\\")) return text;
  const meanings: { readonly [letter: string]: string } = { t: "\t", n: "\n", r: "\r" };
  return text.replace(/\\(?:u\{([0-9a-f]{1,4})\}|(.))/gs, (_, number?: string, letter = "") =>
    number === undefined
      ? (meanings[letter] ?? letter)
      : String.fromCodePoint(Number.parseInt(number, 16)),
  );
}

/** Order of the UTF-8 bytes, which is the order of code points and not of JavaScript's strings. */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (left === right) continue;
    const [leftHigh, rightHigh] = [isSurrogate(left), isSurrogate(right)];
    if (leftHigh !== rightHigh) return leftHigh ? 1 : -1;
    return left - right;
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
