import { blocksAcceptance } from "../scenarios/finding.ts";
import { foldText } from "../scenarios/folded-text.ts";
import { type FileHints, mergeTargets, type RepairTarget } from "../scenarios/repair-targets.ts";
import type { RepairPrepared } from "./stage-history.ts";

/** What a coder is given: targets with evidence, files to look at, and how the repair will be proven. */
export interface RepairPlan {
  readonly iterationId: string;
  readonly packHash: string;
  readonly targets: readonly RepairTarget[];
  readonly candidateFiles: readonly string[];
  /** Questions that a validation has to ask. */
  readonly validationQuestions: readonly string[];
  readonly validationCommand: string;
}

export type Planned =
  | { readonly kind: "planned"; readonly plan: RepairPlan; readonly event: RepairPrepared }
  | { readonly kind: "nothing-to-repair" };

/** A bounded repair: open targets only, worst first. */
export function planRepair(
  targets: readonly RepairTarget[],
  about: {
    readonly iterationId: string;
    readonly packHash: string;
    readonly hints: FileHints;
    readonly validationCommand: string;
  },
): Planned {
  const { iterationId, packHash, hints, validationCommand } = about;
  const open = mergeTargets(targets)
    .filter(blocksAcceptance)
    .map((target) => withFiles(target, hints));
  if (open.length === 0) {
    return { kind: "nothing-to-repair" };
  }
  const asked = open.filter((target) => foldText(target.question) !== "");
  const questions = new Map(asked.map((target) => [foldText(target.question), target.question]));
  const validationQuestions = [...questions.values()];
  const plan = {
    iterationId,
    packHash,
    targets: open,
    candidateFiles: [...new Set(open.flatMap((target) => target.candidateFiles))],
    validationQuestions,
    validationCommand,
  };
  return {
    kind: "planned",
    plan,
    event: { kind: "repair-prepared", iterationId, packHash, questions: validationQuestions },
  };
}

function withFiles(target: RepairTarget, hints: FileHints): RepairTarget {
  const hinted = Object.hasOwn(hints, target.problemType) ? (hints[target.problemType] ?? []) : [];
  return { ...target, candidateFiles: [...new Set([...target.candidateFiles, ...hinted])] };
}
