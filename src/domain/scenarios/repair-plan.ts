import { blocksAcceptance } from "./finding.ts";
import { foldText } from "./folded-text.ts";
import { type FileHints, hintedFiles, mergeTargets, type RepairTarget } from "./repair-targets.ts";

/** What a coder is given: targets with evidence, files to look at, and how the repair will be proven. */
export interface RepairPlan {
  readonly iterationId: string;
  readonly packHash: string;
  readonly targets: readonly RepairTarget[];
  readonly candidateFiles: readonly string[];
  /** Questions that a validation has to ask. */
  readonly validationQuestions: readonly string[];
  readonly validationCommand: string;
  /** What people decided before, with their comments. */
  readonly decisions?: readonly string[];
}

/** A bounded repair: open targets only, worst first; undefined where there is nothing to repair. */
export function planRepair(
  targets: readonly RepairTarget[],
  {
    hints,
    ...about
  }: Pick<RepairPlan, "iterationId" | "packHash" | "validationCommand" | "decisions"> & {
    readonly hints: FileHints;
  },
): RepairPlan | undefined {
  const open = mergeTargets(targets)
    .filter(blocksAcceptance)
    .map((target) => withFiles(target, hints));
  if (open.length === 0) return undefined;
  const asked = open.filter((target) => foldText(target.question) !== "");
  const questions = new Map(asked.map((target) => [foldText(target.question), target.question]));
  return {
    ...about,
    targets: open,
    candidateFiles: [...new Set(open.flatMap((target) => target.candidateFiles))],
    validationQuestions: [...questions.values()],
  };
}

function withFiles(target: RepairTarget, hints: FileHints): RepairTarget {
  const hinted = hintedFiles(hints, target.problemType);
  return { ...target, candidateFiles: [...new Set([...target.candidateFiles, ...hinted])] };
}
