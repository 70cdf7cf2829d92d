import type { ReviewDecision } from "../../domain/gates/decision.ts";
import type { FindingSeverity, NoteFinding } from "../../domain/gates/findings.ts";
import { foldWhiteSpace } from "../../domain/gates/note-parts.ts";
import { extractDecision, type SpeaksForReviewer } from "./extract-decision.ts";
import { FenceTracker } from "./format.ts";

/** One block of a reply as far as it could be read; `text` is what the reviewer wrote, to the character. */
export interface ParsedGateReview {
  readonly gateId: string;
  readonly decision: ReviewDecision;
  readonly text: string;
  readonly summary?: string;
  readonly findings: readonly NoteFinding[];
  readonly suggestedRevision?: string;
}

/** Never throws: what cannot be read is absent, and the decision is then `unknown`. */
export function parseReview(
  gateId: string,
  text: string,
  speaks?: SpeaksForReviewer,
): ParsedGateReview {
  const sections = splitSections(text);
  const summary = proseOf(sections.get("summary"));
  const suggestedRevision = sections.get("suggested revision")?.join("\n").trim();
  return {
    gateId,
    decision: extractDecision(text, speaks),
    text,
    findings: readFindings(sections.get("findings") ?? []),
    ...(summary === "" ? {} : { summary }),
    ...(suggestedRevision === undefined || suggestedRevision === "" ? {} : { suggestedRevision }),
  };
}

type SectionName = "summary" | "findings" | "suggested revision";

const sectionHeading =
  /^ {0,3}(?:#{1,6}\s+|\*\*|__)(summary|findings?|suggested revisions?)\s*:?(?:\*\*|__)?\s*:?\s*$/i;
const otherHeading = /^ {0,3}#{1,6}\s+\S/;
const resultLine =
  /^ {0,3}(?:\*\*|__)?(?:(?:final|overall|revised) )?(?:result|verdict|outcome|decision)\b.{0,4}[:—–-]/i;

function splitSections(text: string): ReadonlyMap<SectionName, readonly string[]> {
  const sections = new Map<SectionName, string[]>();
  const fences = new FenceTracker();
  let open: string[] | undefined;
  for (const line of text.split("\n")) {
    if (fences.isCode(line)) {
      open?.push(line);
      continue;
    }
    const heading = sectionHeading.exec(line.slice(0, 80))?.[1];
    if (heading !== undefined) {
      open = [];
      sections.set(sectionName(heading), open);
    } else if (otherHeading.test(line) || resultLine.test(line.slice(0, 80))) open = undefined;
    else open?.push(line.replace(/\r$/, ""));
  }
  return sections;
}

function sectionName(heading: string): SectionName {
  const first = heading.toLowerCase();
  if (first.startsWith("sum")) return "summary";
  return first.startsWith("f") ? "findings" : "suggested revision";
}

const bullet =
  /^ {0,3}(?:[-*+]|\d{1,3}[.)])\s+(?:\*\*severity:?\*\*:?\s*)?[*_[`]*(info|ok|pass|warn(?:ing)?|fail|error)[*_\]`]*\s*(?:[:—–]|-(?=\s)|$)[*_]*\s*(.*)$/i;
const lineNumber = /(?:^|[(\s])lines?\s+(\d{1,7})\b/i;

function readFindings(lines: readonly string[]): readonly NoteFinding[] {
  const findings: NoteFinding[] = [];
  let open: { severity: FindingSeverity; said: string[]; quoted: string[] } | undefined;
  const close = () => {
    if (open !== undefined) findings.push(finishFinding(open));
    open = undefined;
  };
  for (const line of lines) {
    const start = bullet.exec(line);
    if (start !== null) {
      close();
      open = { severity: severityOf(start[1] ?? ""), said: [start[2] ?? ""], quoted: [] };
    } else if (open !== undefined) {
      const quote = /^\s*>\s?(.*)$/.exec(line)?.[1];
      if (quote === undefined) open.said.push(line);
      else open.quoted.push(quote);
    }
  }
  close();
  return findings;
}

function finishFinding(open: {
  readonly severity: FindingSeverity;
  readonly said: readonly string[];
  readonly quoted: readonly string[];
}): NoteFinding {
  const message = foldWhiteSpace(open.said.join(" "));
  const quote = open.quoted.join("\n").trim();
  const line = lineNumber.exec(message)?.[1];
  return {
    severity: open.severity,
    message,
    ...(quote === "" ? {} : { quote }),
    ...(line === undefined ? {} : { line: Number(line) }),
  };
}

function severityOf(written: string): FindingSeverity {
  const word = written.toLowerCase();
  if (word.startsWith("warn")) return "warn";
  if (word === "fail" || word === "error") return word;
  return "info";
}

function proseOf(lines: readonly string[] | undefined): string {
  return foldWhiteSpace((lines ?? []).join(" "));
}
