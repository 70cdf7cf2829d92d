import { compareSeverity } from "./finding.ts";
import type { ProblemSeverity } from "./manifest.ts";
import type { RepairTarget, TargetOccurrence } from "./repair-targets.ts";

/** One thing that is wrong: where it shows first, where else, and what follows from it. */
export interface RepairCause {
  readonly problemType: string;
  readonly severity: ProblemSeverity;
  /** In the order of the conversations; never empty. */
  readonly first: readonly RepairTarget[];
  /** Failures of later steps that depend on one of these. */
  readonly consequences: readonly RepairTarget[];
}

/** Targets of the same kind that are the first of their chain have one cause; consequences belong to theirs. */
export function groupByCause(targets: readonly RepairTarget[]): readonly RepairCause[] {
  const ordered = [...targets].sort((left, right) => positionOf(left) - positionOf(right));
  const roots = ordered.filter((target) => rootOf(target, ordered) === undefined);
  const types = [...new Set(roots.map(({ problemType }) => problemType))];
  const causes = types.map((problemType): RepairCause => {
    const first = roots.filter((target) => target.problemType === problemType);
    const consequences = ordered.filter((target) => {
      const root = rootOf(target, ordered);
      return root !== undefined && first.includes(root);
    });
    const [worst = "P2"] = first.map(({ severity }) => severity).sort(compareSeverity);
    return { problemType, severity: worst, first, consequences };
  });
  return causes.sort((left, right) => compareSeverity(left.severity, right.severity));
}

/** The target that another follows from; the worst of its step where there are several. */
function rootOf(
  { follows }: RepairTarget,
  ordered: readonly RepairTarget[],
): RepairTarget | undefined {
  if (follows === undefined) return undefined;
  const there = ordered.filter(({ occurrences }) => occurrences.some((one) => isAt(one, follows)));
  return [...there].sort((left, right) => compareSeverity(left.severity, right.severity))[0];
}

function isAt(left: TargetOccurrence, right: TargetOccurrence): boolean {
  return left.scenarioId === right.scenarioId && left.stepId === right.stepId;
}

/** What only an analyst names has no place in a conversation and comes last. */
function positionOf({ position = Number.MAX_SAFE_INTEGER }: RepairTarget): number {
  return position;
}
