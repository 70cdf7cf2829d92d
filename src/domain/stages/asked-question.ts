import { foldText } from "../scenarios/folded-text.ts";
import type { ProblemSeverity } from "../scenarios/manifest.ts";
import type { RepairTarget } from "../scenarios/repair-targets.ts";

/** How a question is recognised in another run, and what its answer was held against. */
export interface QuestionIdentity {
  readonly question: string;
  /** Digest of the question and all before it in its conversation, as they were asked. */
  readonly asAsked?: string;
  /** The same as the pack words them; absent in runs made elsewhere. */
  readonly asWorded?: string;
  /** Digest of the expectations; absent where none were declared. */
  readonly basis?: string;
}

/** A question that a run asked. */
export interface AskedQuestion extends QuestionIdentity {
  readonly isAnswered: boolean;
  /** Types of all problems in the answer, whatever their severity: a lower severity hides nothing. */
  readonly problems: readonly string[];
}

/** A P0 or P1 of a run. */
export interface StageFinding extends QuestionIdentity {
  readonly findingId: string;
  readonly severity: ProblemSeverity;
  readonly problemType: string;
  /** Seen in the visible answer, so that a run made elsewhere can show that it is gone. */
  readonly isVisible: boolean;
  /** The model that objected, where no check did. */
  readonly analyst?: string;
  readonly target: RepairTarget;
}

/** Problems that every answer is checked for, whatever the pack expects of it. */
export const ALWAYS_CHECKED: readonly string[] = [
  "technical_garbage_gap",
  "answer_noise_gap",
  "answer_layering_gap",
  "runtime_transport_gap",
];

/**
 * The same question after the same earlier questions, held against the same expectations. Of a finding from elsewhere
 * only the question is known.
 */
export function isSameCheck(finding: StageFinding, asked: AskedQuestion): boolean {
  if (finding.asAsked === undefined && finding.asWorded === undefined) {
    return foldText(finding.question) === foldText(asked.question);
  }
  const isSameQuestion =
    isEqual(finding.asAsked, asked.asAsked) || isEqual(finding.asWorded, asked.asWorded);
  if (!isSameQuestion) return false;
  const isAlways = finding.analyst === undefined && ALWAYS_CHECKED.includes(finding.problemType);
  return isAlways || finding.basis === asked.basis;
}

function isEqual(left: string | undefined, right: string | undefined): boolean {
  return left !== undefined && left === right;
}
