import { foldWhiteSpace } from "../../domain/gates/note-parts.ts";
import type { PairReview } from "../../domain/gates/review-job.ts";
import { extractDecision } from "./extract-decision.ts";
import { FenceTracker } from "./format.ts";
import { readFindings } from "./read-findings.ts";
import { type ReadResult, type ResultForm, readResult } from "./read-result.ts";

/** One block of a reply as far as it could be read; `text` is what the reviewer wrote, to the character. */
export interface ParsedGateReview extends Omit<PairReview, "notePath"> {
  /** Why the decision of a reply to our own prompt is `unknown`, in words for the reviewer. */
  readonly doubt?: string;
  readonly declaresFail?: true;
}

/**
 * Never throws: what cannot be read is absent, and the decision is then `unknown`. With a form the block answers a
 * prompt of ours and is held to it; without one it is a review from elsewhere, read generously.
 */
export function parseReview(gateId: string, text: string, form?: ResultForm): ParsedGateReview {
  const sections = splitSections(text);
  const findings = readFindings(sections.get("findings") ?? []);
  const summary = proseOf(sections.get("summary"));
  const suggestedRevision = sections.get("suggested revision")?.join("\n").trim();
  const result: ReadResult =
    form === undefined ? { decision: extractDecision(text) } : readResult(text, findings, form);
  return {
    ...{ gateId, text, findings, ...result },
    ...(summary === "" ? {} : { summary }),
    ...(suggestedRevision === undefined || suggestedRevision === "" ? {} : { suggestedRevision }),
  };
}

type SectionName = "summary" | "findings" | "suggested revision";

const sectionHeading =
  /^ {0,3}(?:(#{1,6})\s+|\*\*|__)(summary|findings?|issues|problems|concerns|violations|suggested revisions?)\s*:?(?:\*\*|__)?\s*:?\s*$/i;
const otherHeading = /^ {0,3}(#{1,6})\s+\S/;
const resultLine =
  /^ {0,3}(?:#{1,6}\s+)?(?:\*\*|__)?(?:(?:final|overall|revised) )?(?:result|verdict|outcome|decision)\b.{0,20}[:—–-]/i;

/** Deeper headings belong to their section; one that occurs twice is continued. */
function splitSections(text: string): ReadonlyMap<SectionName, readonly string[]> {
  const sections = new Map<SectionName, string[]>();
  const fences = new FenceTracker();
  let open: string[] | undefined;
  let level = 0;
  for (const line of text.split("\n")) {
    if (fences.isCode(line)) {
      open?.push(line);
      continue;
    }
    const [, marks, heading] = sectionHeading.exec(line.slice(0, 80)) ?? [];
    const other = otherHeading.exec(line)?.[1];
    if (heading !== undefined) {
      const name = sectionName(heading);
      open = sections.get(name) ?? [];
      sections.set(name, open);
      level = marks?.length ?? 6;
    } else if (resultLine.test(line.slice(0, 80)) || (other !== undefined && other.length <= level))
      open = undefined;
    else open?.push(line.replace(/\r$/, ""));
  }
  return sections;
}

function sectionName(heading: string): SectionName {
  const first = heading.toLowerCase();
  if (first.startsWith("sum")) return "summary";
  return first.startsWith("sug") ? "suggested revision" : "findings";
}

function proseOf(lines: readonly string[] | undefined): string {
  return foldWhiteSpace((lines ?? []).join(" "));
}
