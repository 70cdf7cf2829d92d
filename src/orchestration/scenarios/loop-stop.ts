import type { RunEventData } from "../../contract/scenarios/run-events.ts";
import type { RunInput } from "../../contract/scenarios/run-inputs.ts";
import { blocksAcceptance } from "../../domain/scenarios/finding.ts";
import {
  mergeTargets,
  type RepairTarget,
  targetIdOf,
} from "../../domain/scenarios/repair-targets.ts";
import type { AnalystVerdict, VerdictReading } from "../../domain/scenarios/verdict.ts";
import type { Iteration } from "./loop-iteration.ts";

/** Everything the loop's own files say when it stops, for good or for an answer. */
export function loopStop(
  input: RunInput<"pack-loop">,
  done: readonly Iteration[],
  how: {
    readonly nextAction: string;
    readonly finished: boolean;
    /** What people decided, with their comments. */
    readonly decisions: readonly string[];
    /** What a person is asked to decide now. */
    readonly question?: string;
  },
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
    reasons: [
      ...(latest?.state.reasons ?? []),
      ...openQuestion(how.question ?? questionIn(reading)),
      ...how.decisions,
    ],
    candidateFiles: [...new Set(targets.flatMap(({ candidateFiles }) => candidateFiles))],
    validationCommand: input.validationCommand,
    finished: how.finished,
  };
}

/** What a person is to decide belongs in every document that people read. */
function openQuestion(question: string | undefined): readonly string[] {
  return question === undefined ? [] : [`to be decided: ${question}`];
}

function questionIn(reading: VerdictReading | undefined): string | undefined {
  if (reading?.kind !== "read" || !reading.verdict.requiresUserDecision) return undefined;
  return reading.verdict.userDecisionPrompt ?? "what the analyst asks";
}

/** What the checks found and what the analyst added, as one backlog. */
export function targetsOf({ pack, judged }: Iteration): readonly RepairTarget[] {
  const said = judged.answers.flatMap(({ reading }) =>
    reading?.kind === "read" ? analystTargets(reading.verdict) : [],
  );
  return mergeTargets([...pack.state.repairTargets, ...said]);
}

/** What the analyst wants repaired, in the form of the checks' targets. */
export function analystTargets({ priorityTargets }: AnalystVerdict): readonly RepairTarget[] {
  return priorityTargets.map((target) => ({
    targetId: targetIdOf(target.problemType, target.question ?? target.fixGoal),
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
}
