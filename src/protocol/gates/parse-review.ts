import type { NoteFinding } from "../../domain/gates/findings.ts";
import { foldWhiteSpace } from "../../domain/gates/note-parts.ts";
import type { PairReview } from "../../domain/gates/review-job.ts";
import { extractDecision } from "./extract-decision.ts";
import { readFindings, readWithForm } from "./read-findings.ts";
import { type ReadResult, type ResultForm, readResult } from "./read-result.ts";
import { type ReviewSections, splitSections } from "./review-sections.ts";

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
  const sections = splitSections(text, form?.code);
  const findings =
    form === undefined ? readFindings(sections.findings ?? []) : allFindings(sections);
  const summary = foldWhiteSpace(sections.summary.join(" "));
  const suggestedRevision = sections.revision.join("\n").trim();
  const result: ReadResult =
    form === undefined ? { decision: extractDecision(text) } : readResult(text, findings, form);
  return {
    ...{ gateId, text, findings, ...result },
    ...(summary === "" ? {} : { summary }),
    ...(suggestedRevision === "" ? {} : { suggestedRevision }),
  };
}

/**
 * The findings of a block that answers our prompt. A list item or row with a severity worse than `info` is one wherever
 * it is. Without the section *Findings* everything under a heading that was not asked for is one as well, and every list
 * and table before the first heading.
 */
function allFindings({
  findings,
  opening,
  summary,
  other,
}: ReviewSections): readonly NoteFinding[] {
  const [opened, others] = [readWithForm(opening), readWithForm(other)];
  const open =
    findings === undefined ? [...opened.filter(({ isListed }) => isListed), ...others] : [];
  const graded = [...opened, ...readWithForm(summary), ...others].filter(
    ({ isListed, isGraded, finding }) => isListed && isGraded && finding.severity !== "info",
  );
  return [
    ...readFindings(findings ?? []),
    ...[...new Set([...open, ...graded])].map(({ finding }) => finding),
  ];
}
