import { blocksAcceptance } from "./finding.ts";
import { excerpt } from "./folded-text.ts";
import type { RepairTarget } from "./repair-targets.ts";
import type { AcceptanceGate } from "./reviews.ts";
import { VERDICT_FLAGS, type VerdictFlag, type VerdictReading } from "./verdict.ts";

/** The least score, and the flags that must be true. */
export interface GateRules {
  readonly targetScore: number;
  readonly flags: readonly VerdictFlag[];
}

/** The rules of `pack loop`. */
export const PACK_GATE: GateRules = { targetScore: 80, flags: VERDICT_FLAGS };

export const STAGE_FLAGS: readonly VerdictFlag[] = [
  "businessUsefulnessOk",
  "directAnswerOk",
  "temporalHonestyOk",
  "fieldTruthOk",
  "answerLayeringOk",
];

export const DEFAULT_STAGE_SCORE = 88;

/** Whether a verdict is good enough. */
export interface GateDecision {
  readonly accepted: boolean;
  readonly score?: number;
  /** Every reason against it, not only the first. */
  readonly reasons: readonly string[];
}

/**
 * Decides from what the analyst and the checks found, never from the analyst's word alone: its `accepted` is one
 * condition among others.
 */
export function decideVerdictGate(
  reading: VerdictReading,
  checks: { readonly gate: AcceptanceGate; readonly targets: readonly RepairTarget[] },
  rules: GateRules,
): GateDecision {
  const live = checks.targets.filter(blocksAcceptance).length;
  const fromChecks = [
    ...checks.gate.reasons,
    ...(live === 0 ? [] : [`${live} live P0/P1 repair targets from the checks`]),
  ];
  if (reading.kind === "void") {
    return {
      accepted: false,
      reasons: [`void verdict: ${reading.problems.join("; ")}`, ...fromChecks],
    };
  }
  const { verdict } = reading;
  const analystTargets = verdict.priorityTargets.filter(blocksAcceptance).length;
  const enough = verdict.qualityScore >= rules.targetScore && verdict.qualityScore <= 100;
  const reasons = [
    ...(enough ? [] : [`score ${verdict.qualityScore} is below ${rules.targetScore}`]),
    ...(verdict.loopDecision === "accepted" ? [] : [`analyst decided ${verdict.loopDecision}`]),
    ...(verdict.unresolvedP0Count === 0
      ? []
      : [`analyst counts ${verdict.unresolvedP0Count} unresolved P0`]),
    ...(analystTargets === 0
      ? []
      : [`${analystTargets} live P0/P1 repair targets from the analyst`]),
    ...(verdict.requiresUserDecision ? ["the analyst asks for a person's decision"] : []),
    ...rules.flags
      .filter((flag) => verdict[flag] !== true)
      .map((flag) => `${wireName(flag)} is false`),
    ...fromChecks,
    ...(verdict.loopDecision === "accepted" && reading.signature.how === "refused"
      ? [`the analyst accepts with reservations: ${excerpt(reading.signature.beside ?? "")}`]
      : []),
  ];
  return { accepted: reasons.length === 0, score: verdict.qualityScore, reasons };
}

/** As people know the flag from the verdict's file. */
function wireName(flag: VerdictFlag): string {
  return flag.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
