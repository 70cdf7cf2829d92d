import type { ReviewDecision } from "./decision.ts";
import type { NoteFinding } from "./findings.ts";
import type { NoteParts } from "./note-parts.ts";
import { evaluateRules, type Rule } from "./rule-gate.ts";

export interface OfflineReview {
  readonly decision: ReviewDecision;
  readonly summary: string;
  /** Each names the rule it comes from; the decision follows from these and nothing else. */
  readonly findings: readonly NoteFinding[];
}

/**
 * A stand-in for a model: it evaluates the rules that the gate itself gives for this, and knows nothing else about
 * gates. Without rules, or with rules that cannot be read, it is undecided.
 */
export function judgeOffline(
  gateId: string,
  check: readonly Rule[] | string | undefined,
  note: NoteParts,
): OfflineReview {
  if (check === undefined || typeof check === "string") {
    const why = check ?? "the gate has no offline check";
    const summary = `A rule-based stand-in cannot judge ${gateId}: ${why}. Ask a model.`;
    return { decision: "unknown", summary, findings: [] };
  }
  const byRule = check.map((rule) =>
    evaluateRules([rule], note, () => undefined).findings.map((finding) => ({
      ...finding,
      message: `${rule.kind}: ${finding.message}`,
    })),
  );
  const findings = byRule.flat();
  const { decision } = evaluateRules(check, note, () => undefined);
  return {
    decision,
    summary: `The offline check of ${gateId} found ${findings.length || "nothing"}.`,
    findings,
  };
}
