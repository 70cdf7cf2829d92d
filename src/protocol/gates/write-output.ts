import type { ReviewDecision } from "../../domain/gates/decision.ts";
import type { NoteFinding } from "../../domain/gates/findings.ts";
import { foldWhiteSpace } from "../../domain/gates/note-parts.ts";
import { extractDecision } from "./extract-decision.ts";
import { renderSentinel } from "./format.ts";
import type { ReadOptions } from "./parse-output.ts";
import { resultCode } from "./result-code.ts";

/** A review to be written: as data, or as text that goes into its block unchanged. */
export type WrittenReview =
  | {
      readonly decision: ReviewDecision;
      readonly summary: string;
      readonly findings: readonly NoteFinding[];
    }
  | { readonly text: string };

/** As the reader is given them: the run's nonce, and the texts that the prompt shows. */
export type WriteOptions = Pick<ReadOptions, "nonce" | "sources">;

/** Writes what `parseBundleOutput` reads, so that scripted and rule-based reviewers pass the same reader. */
export function writeBundleOutput(
  reviews: readonly { readonly gateId: string; readonly review: WrittenReview }[],
  { nonce, sources = [] }: WriteOptions = {},
): string {
  return reviews
    .map(({ gateId, review }) => {
      const inner = body(review, nonce && resultCode(nonce, gateId, sources));
      return block(["gate-start", "gate-end"], gateId, inner, nonce);
    })
    .join("\n");
}

/** Writes what `parseSweepOutput` reads. */
export function writeSweepOutput(
  gateId: string,
  reviews: readonly { readonly notePath: string; readonly review: WrittenReview }[],
  { nonce, sources = [] }: WriteOptions = {},
): string {
  return reviews
    .map(({ notePath, review }) => {
      const inside = body(review, nonce && resultCode(nonce, notePath, sources));
      const inner = block(["gate-start", "gate-end"], gateId, inside, nonce);
      return block(["note-start", "note-end"], notePath, inner, nonce);
    })
    .join("\n");
}

function block(
  [start, end]: readonly ["gate-start", "gate-end"] | readonly ["note-start", "note-end"],
  name: string,
  inner: string,
  nonce: string | undefined,
): string {
  const opening = renderSentinel({ kind: start, name }, nonce);
  return `${opening}\n${inner}\n${renderSentinel({ kind: end, name }, nonce)}\n`;
}

function body(review: WrittenReview, code: string | undefined): string {
  if ("text" in review) return review.text.replaceAll("{{code}}", code ?? "");
  const findings = review.findings.map(renderFinding).join("\n");
  return [
    `### Summary\n\n${asProse(review.summary)}`,
    `### Findings\n\n${findings === "" ? "None." : findings}`,
    `## Result${code === undefined ? "" : ` ${code}`}: ${review.decision.toUpperCase()}`,
  ].join("\n\n");
}

/** Words of the note are always quoted with `>`, so they cannot open a heading, fence or comment of ours. */
function renderFinding({ severity, message, quote, line }: NoteFinding): string {
  const mentioned = line === undefined || /\blines?\s+\d/i.test(message);
  const place = mentioned ? "" : ` (line ${line})`;
  const quoted =
    quote === undefined
      ? ""
      : `\n${quote
          .split("\n")
          .map((part) => `  > ${part}`)
          .join("\n")}`;
  return `- ${severity}: ${oneLine(message)}${place}${quoted}`;
}

/** A summary that looks like markup or a verdict must not be read as one. */
function asProse(summary: string): string {
  const line = oneLine(summary);
  return /^[\p{L}\p{N}]/u.test(line) && extractDecision(line) === "unknown"
    ? line
    : `Summary: ${line}`;
}

function oneLine(text: string): string {
  return foldWhiteSpace(text);
}
