import { blocksAcceptance } from "./finding.ts";
import { type FileHints, hintedFiles, mergeTargets, type RepairTarget } from "./repair-targets.ts";

/** Enough to start the repair: targets, what users saw, where to look, how it is proven. */
export interface HandOff {
  readonly title: string;
  /** Why the run was not accepted. */
  readonly reasons: readonly string[];
  readonly targets: readonly RepairTarget[];
  readonly sampleFailures: readonly {
    readonly question: string;
    readonly visibleAnswer: string;
    readonly expectation: string;
  }[];
  readonly candidateFiles: readonly string[];
  readonly validationCommand: string;
}

const SAMPLES = 5;

export function handOver(
  targets: readonly RepairTarget[],
  about: Pick<HandOff, "title" | "reasons" | "validationCommand"> & { readonly hints: FileHints },
): HandOff {
  const open = mergeTargets(targets).filter(blocksAcceptance);
  const hinted = open.flatMap(({ problemType, candidateFiles }) => [
    ...candidateFiles,
    ...hintedFiles(about.hints, problemType),
  ]);
  return {
    title: about.title,
    reasons: about.reasons,
    targets: open,
    sampleFailures: open.slice(0, SAMPLES).map(({ question, visibleAnswer, expectation }) => ({
      question,
      visibleAnswer,
      expectation,
    })),
    candidateFiles: [...new Set(hinted)],
    validationCommand: about.validationCommand,
  };
}
