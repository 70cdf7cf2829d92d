import type { ReviewDecision } from "./decision.ts";
import { foldWhiteSpace } from "./note-parts.ts";

export type FindingSeverity = "info" | "warn" | "fail" | "error";

/** One thing a review says about a note. */
export interface NoteFinding {
  readonly severity: FindingSeverity;
  readonly message: string;
  /** The words objected to, verbatim. */
  readonly quote?: string;
  readonly line?: number;
}

export interface FindingKey {
  readonly gateId: string;
  readonly notePath: string;
  readonly finding: Pick<NoteFinding, "message" | "quote">;
}

export interface Fingerprint {
  readonly id: string;
  /** Names the finding within its pair, so that it survives a move of the note. */
  readonly anchor: string;
  /** Without a quote the finding's own words are hashed, so another wording is another finding. */
  readonly survivesRewording: boolean;
}

/** Identity of a finding across reviews: gate, note and the quoted text, whatever is said about it. */
export function fingerprintFinding(
  { gateId, notePath, finding }: FindingKey,
  digest: (text: string) => string,
): Fingerprint {
  const quote = finding.quote === undefined ? "" : foldQuote(finding.quote);
  const survivesRewording = quote !== "";
  const anchor = survivesRewording ? ["quote", quote] : ["message", foldQuote(finding.message)];
  return {
    id: digest(JSON.stringify([gateId, notePath, ...anchor])),
    anchor: digest(JSON.stringify(anchor)).slice(0, anchorLength),
    survivesRewording,
  };
}

const anchorLength = 16;

/**
 * What a review adds to the work list. A warn or fail without a finding still counts as one, its summary,
 * so that no verdict disappears for lack of bullets.
 */
export function workOf(review: {
  readonly decision: ReviewDecision;
  readonly findings: readonly NoteFinding[];
  readonly summary?: string;
}): readonly NoteFinding[] {
  const { decision } = review;
  if (decision !== "warn" && decision !== "fail") return [];
  const open = review.findings.filter(({ severity }) => severity !== "info");
  if (open.length > 0) return open;
  const message = review.summary ?? "The review gives no reason.";
  return [{ severity: decision, message }];
}

export interface NoteWork<T> {
  readonly notePath: string;
  readonly items: readonly T[];
}

/** Grouped by note, most findings first, then by path. */
export function groupByNote<T extends { readonly notePath: string }>(
  items: readonly T[],
): readonly NoteWork<T>[] {
  return [...Map.groupBy(items, ({ notePath }) => notePath)]
    .map(([notePath, group]) => ({ notePath, items: group }))
    .sort((a, b) => b.items.length - a.items.length || (a.notePath < b.notePath ? -1 : 1));
}

/**
 * The line of a note in which a quotation begins: quotations are wrapped and marked up otherwise than the note, so both
 * are folded. `undefined` if the note does not have it.
 */
export function lineOfQuote(text: string, quote: string): number | undefined {
  const wanted = foldQuote(quote);
  if (wanted === "") return undefined;
  let folded = "";
  const ends: { readonly line: number; readonly end: number }[] = [];
  for (const [at, line] of text.split("\n").entries()) {
    const words = foldQuote(line);
    if (words === "") continue;
    folded += `${words} `;
    ends.push({ line: at + 1, end: folded.length });
  }
  const start = folded.indexOf(wanted);
  return start === -1 ? undefined : ends.find(({ end }) => end > start)?.line;
}

/** Case, white space, quotation marks and ellipses vary between quotations. */
export function foldQuote(text: string): string {
  return foldWhiteSpace(
    text
      .normalize("NFKC")
      .toLowerCase()
      .replace(/["'`“”„‘’«»*_]|\.{3}/g, " "),
  );
}
