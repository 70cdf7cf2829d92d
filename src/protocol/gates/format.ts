/** Stored with every acceptance: another grammar or other instructions may give other verdicts. */
export const gateFormatVersion = "gates/2";

export type SentinelKind = "gate-start" | "gate-end" | "note-start" | "note-end";

export interface Sentinel {
  readonly kind: SentinelKind;
  readonly name: string;
}

const words: { readonly [kind in SentinelKind]: string } = {
  "gate-start": "GATE REVIEW START",
  "gate-end": "GATE REVIEW END",
  "note-start": "NOTE START",
  "note-end": "NOTE END",
};

const kinds: readonly SentinelKind[] = ["gate-start", "gate-end", "note-start", "note-end"];

/** With a nonce, a note written before the run cannot contain the line. */
export function renderSentinel({ kind, name }: Sentinel, nonce: string | undefined): string {
  return `=== ${words[kind]}${nonce === undefined ? "" : ` ${nonce}`}: ${wireName(name)} ===`;
}

/** Exact to the character, up to three blanks before and blanks after; anything else is prose. */
export function readSentinel(line: string, nonce: string | undefined): Sentinel | undefined {
  const mark = line.indexOf("===");
  if (mark === -1 || mark > 3 || /[^ ]/.test(line.slice(0, mark))) return undefined;
  const trimmed = line.slice(mark).trimEnd();
  if (!trimmed.endsWith(" ===")) return undefined;
  for (const kind of kinds) {
    const opening = `=== ${words[kind]}${nonce === undefined ? "" : ` ${nonce}`}: `;
    if (trimmed.startsWith(opening) && trimmed.length > opening.length + 4)
      return { kind, name: trimmed.slice(opening.length, -4) };
  }
  return undefined;
}

/**
 * How a path or gate id is written on one line. Line breaks, invisible and direction-changing characters are
 * percent-encoded, and so is the percent sign, so that two names never look alike.
 */
export function wireName(name: string): string {
  return name
    .replace(/[%\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => encodeURIComponent(character))
    .replace(/^ | $/g, "%20");
}

/** Tracks code fences line by line, as CommonMark opens and closes them. */
export class FenceTracker {
  #open: { readonly mark: string; readonly length: number } | undefined;

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Whether this line is inside a fence or opens or closes one. */
  isCode(line: string): boolean {
    const fence = readFence(line);
    if (this.#open === undefined) {
      if (fence === undefined || (fence.mark === "`" && fence.rest.includes("`"))) return false;
      this.#open = fence;
      return true;
    }
    const closes =
      fence !== undefined &&
      fence.mark === this.#open.mark &&
      fence.length >= this.#open.length &&
      fence.rest.trim() === "";
    if (closes) this.#open = undefined;
    return true;
  }
}

export function readFence(
  line: string,
): { readonly mark: string; readonly length: number; readonly rest: string } | undefined {
  let start = 0;
  while (start < 3 && line[start] === " ") start += 1;
  const mark = line[start];
  if (mark !== "`" && mark !== "~") return undefined;
  let end = start;
  while (line[end] === mark) end += 1;
  return end - start < 3 ? undefined : { mark, length: end - start, rest: line.slice(end) };
}
