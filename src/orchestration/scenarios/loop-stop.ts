import type { RunEventData } from "../../contract/scenarios/run-events.ts";
import type { RunInput } from "../../contract/scenarios/run-inputs.ts";
import { blocksAcceptance } from "../../domain/scenarios/finding.ts";
import { foldText } from "../../domain/scenarios/folded-text.ts";
import { mergeTargets, type RepairTarget } from "../../domain/scenarios/repair-targets.ts";
import type { Iteration } from "./loop-iteration.ts";

/** Everything the loop's own files say when it stops, for good or for an answer. */
export function loopStop(
  input: RunInput<"pack-loop">,
  done: readonly Iteration[],
  how: { readonly nextAction: string; readonly finished: boolean },
): RunEventData<"loop-stopped"> {
  const latest = done.at(-1);
  const { folder, specHash, targetScore, maxIterations, repairMode, analystModel, standIn } = input;
  const targets = latest === undefined ? [] : targetsOf(latest).filter(blocksAcceptance);
  const reading = latest?.judged.reading;
  return {
    folder,
    specHash,
    title: latest?.pack.state.title ?? "",
    state: {
      packId: latest?.pack.state.packId ?? "",
      targetScore,
      maxIterations,
      repairMode,
      experimental: repairMode === "auto-coder",
      analystModel,
      standIn,
      iterations: [...input.previous, ...done.map(({ state }) => state)],
      nextAction: how.nextAction,
    },
    summary:
      reading?.kind === "read"
        ? (reading.verdict.summary ?? "")
        : `The verdict could not be used: ${reading?.problems.join("; ") ?? ""}`,
    targets,
    reasons: latest?.state.reasons ?? [],
    candidateFiles: [...new Set(targets.flatMap(({ candidateFiles }) => candidateFiles))],
    validationCommand: input.validationCommand,
    finished: how.finished,
  };
}

/** What the checks found and what the analyst added, as one backlog. */
export function targetsOf({ pack, judged }: Iteration): readonly RepairTarget[] {
  const said = judged.answers.flatMap(({ reading }) =>
    reading?.kind === "read" ? reading.verdict.priorityTargets : [],
  );
  const added = said.map((target) => ({
    targetId: `${target.problemType}:${foldText(target.question ?? target.fixGoal).replaceAll(" ", "-")}`,
    severity: target.severity,
    problemType: target.problemType,
    question: target.question ?? "",
    visibleAnswer: "",
    expectation: target.fixGoal,
    evidence: target.evidence ?? "",
    fixGoal: target.fixGoal,
    candidateFiles: target.candidateFiles,
    occurrences: [],
  }));
  return mergeTargets([...pack.state.repairTargets, ...added]);
}
