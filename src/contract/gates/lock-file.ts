import { type AcceptanceKind, acceptanceKinds } from "../../domain/gates/acceptance.ts";
import { isSettled, reviewDecisions, type Settled } from "../../domain/gates/decision.ts";
import type { AcceptanceSnapshot } from "../../domain/gates/snapshots.ts";
import { actingCharacters } from "../../domain/values/visible.ts";

/** One line of `signoff.lock`: evidence that a pair was reviewed, for a checkout without a database. */
export interface LockLine extends AcceptanceSnapshot {
  readonly decision: Settled;
  readonly kind: AcceptanceKind;
  readonly format: string;
}

export interface LockProblem {
  readonly line: number;
  readonly message: string;
}

export interface ParsedLock {
  readonly lines: readonly LockLine[];
  readonly problems: readonly LockProblem[];
}

/**
 * Reads what it can: a bad line (a merge conflict, an edit by hand) is a problem and its pair is simply not known.
 * Of two lines for one pair neither counts, because it is unclear which one is meant.
 */
export function parseLock(text: string): ParsedLock {
  const problems: LockProblem[] = [];
  const byPair = new Map<string, { readonly line: LockLine; readonly written: string }>();
  const doubled = new Set<string>();
  text.split("\n").forEach((raw, index) => {
    const written = raw.replace(/\r$/, "");
    if (written === "" || written.startsWith("#")) return;
    const line = parseLine(written);
    if (line === undefined) {
      problems.push({ line: index + 1, message: whyUnreadable(written) });
      return;
    }
    const pair = lockKey(line);
    const known = byPair.get(pair);
    if (known !== undefined && known.written !== written) {
      doubled.add(pair);
      problems.push({ line: index + 1, message: "a second line for the same pair and model" });
    }
    byPair.set(pair, { line, written });
  });
  const lines = [...byPair].flatMap(([pair, { line }]) => (doubled.has(pair) ? [] : [line]));
  return { lines, problems };
}

function whyUnreadable(written: string): string {
  return /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/.test(written)
    ? "a merge conflict; `signoff notes lock` settles it by what the store knows"
    : "not a line of a lock file";
}

/** Sorted by bytes and without times, so that the same reviews give the same file and merges stay small. */
export function renderLock(lines: readonly LockLine[]): string {
  const written = lines.map(renderLine).sort(compareBytes);
  return written.length === 0 ? "" : `${written.join("\n")}\n`;
}

export interface LockMerge {
  readonly present: readonly LockLine[];
  /** What the store knows; it knows better. */
  readonly known: readonly LockLine[];
  readonly noteExists: (path: string) => boolean;
  readonly gateExists: (id: string) => boolean;
}

/** Lines the store does not know stay while their note and gate exist; everything else is the store's. */
export function mergeLock({
  present,
  known,
  noteExists,
  gateExists,
}: LockMerge): readonly LockLine[] {
  const merged = new Map<string, LockLine>();
  for (const line of [...present, ...known])
    if (noteExists(line.notePath) && gateExists(line.gateId)) merged.set(lockKey(line), line);
  return [...merged.values()];
}

export function lockKey(line: Pick<LockLine, "notePath" | "gateId" | "modelId">): string {
  return [line.notePath, line.gateId, line.modelId].map(escapeField).join("\t");
}

function renderLine(line: LockLine): string {
  return [
    lockKey(line),
    line.acceptedNoteSha,
    line.acceptedGateSha,
    line.decision,
    line.kind,
    escapeField(line.format),
  ].join("\t");
}

const blobId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

function parseLine(written: string): LockLine | undefined {
  const [note, gate, model, noteSha, gateSha, decision, kind, format, ...rest] =
    written.split("\t");
  if (note === undefined || gate === undefined || model === undefined || format === undefined)
    return undefined;
  const settled = reviewDecisions.filter(isSettled).find((known) => known === decision);
  const acceptance = acceptanceKinds.find((known) => known === kind);
  if (rest.length > 0 || settled === undefined || acceptance === undefined) return undefined;
  if (!blobId.test(noteSha ?? "") || !blobId.test(gateSha ?? "")) return undefined;
  return {
    notePath: unescapeField(note),
    gateId: unescapeField(gate),
    modelId: unescapeField(model),
    acceptedNoteSha: noteSha ?? "",
    acceptedGateSha: gateSha ?? "",
    decision: settled,
    kind: acceptance,
    format: unescapeField(format),
  };
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
  const meanings: { readonly [letter: string]: string } = { t: "\t", n: "\n", r: "\r" };
  return text.replace(/\\(?:u\{([0-9a-f]{1,6})\}|(.))/gs, (_, number?: string, letter = "") =>
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
