import { deciderOf } from "../evidence/decider-of.ts";
import type { Decider } from "../evidence/standing.ts";
import { type AnalystJudgement, judgeRun, type RunJudgement } from "./judge-run.ts";
import type { Scenario } from "./manifest.ts";
import { conversationOf, playChain } from "./play-chain.ts";
import type { ChainMove, ChainReply, JudgingRules } from "./play-step.ts";
import type { FileHints } from "./repair-targets.ts";
import { foldRepeats } from "./repeats.ts";
import type { PackRecord, ScenarioRecord, StepRecord } from "./run-record.ts";
import { turnStepId, type UserMove } from "./simulated-user.ts";
import type { AssistantOutcome } from "./turn.ts";

/** An answer as the store recorded it when it came. */
export interface RecordedAnswer {
  readonly question: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly outcome: AssistantOutcome;
  /** Digest of how the settings had it asked and read; absent in runs of older versions. */
  readonly setup?: string;
}

/** One chain as it was recorded. */
export interface RecordedChain {
  /** By step. */
  readonly answers: ReadonlyMap<string, RecordedAnswer>;
  /** What the simulated user did after its last turn. */
  readonly lastMove?: UserMove;
}

const nothingRecorded: RecordedChain = { answers: new Map() };

/** Everything that the acceptance of a pack run rests on, as this project's store has it. */
export interface RunEvidence {
  readonly runId: string;
  readonly packId: string;
  readonly title: string;
  /** With all their bindings; each was played once or several times. */
  readonly scenarios: readonly {
    readonly scenario: Scenario;
    readonly repeats: readonly RecordedChain[];
  }[];
  readonly fileHints: FileHints;
  /** Absent where only the checks judged. */
  readonly analysts?: AnalystJudgement | "awaited";
  /** How the run ended: what it decided when it was judged; absent while it has not ended. */
  readonly recorded?: { readonly accepted: boolean; readonly reasons: readonly string[] };
  /** Files of the run's folder that are not what the store recorded. */
  readonly changedFiles: readonly { readonly name: string; readonly isMissing: boolean }[];
}

/** A pack run judged again from its evidence. */
export interface DerivedRun extends RunJudgement {
  readonly runId: string;
  readonly record: PackRecord;
  /** None where the checks alone decided. */
  readonly deciders: readonly Decider[];
  /** When the first question was asked; absent if none was. */
  readonly startedAt?: string;
}

/**
 * Judges the steps and the gate of a run again from its recorded answers. A run is accepted only if it was accepted when
 * it ended, is accepted by today's rules, and its files are what the store recorded.
 */
export function derivePackRun(evidence: RunEvidence, how: JudgingRules): DerivedRun {
  const { runId, packId, title, fileHints, analysts, recorded, changedFiles } = evidence;
  const scenarios = evidence.scenarios.map(({ scenario, repeats }) => {
    const [first = nothingRecorded, ...more] = repeats;
    return foldRepeats([
      deriveChain(scenario, first, how),
      ...more.map((chain) => deriveChain(scenario, chain, how)),
    ]);
  });
  const record = { packId, title, scenarios };
  const judgement = judgeRun(record, fileHints, analysts);
  const reasons = [
    ...judgement.reasons,
    ...missingAnswers(evidence, record),
    ...(recorded === undefined ? ["the run has not ended"] : []),
    ...(recorded?.accepted === false && judgement.accepted
      ? recorded.reasons.map((reason) => `when the run ended: ${reason}`)
      : []),
    ...changedFiles.map(({ name, isMissing }) =>
      isMissing ? `${name} is missing` : `${name} was changed after the run`,
    ),
  ];
  const answers = evidence.scenarios.flatMap(({ repeats }) =>
    repeats.flatMap(({ answers }) => [...answers.values()]),
  );
  const [startedAt] = answers.map((answer) => answer.startedAt).sort();
  return {
    ...judgement,
    accepted: judgement.accepted && recorded?.accepted === true && reasons.length === 0,
    reasons,
    runId,
    record,
    deciders: decidersOf(analysts),
    ...(startedAt === undefined ? {} : { startedAt }),
  };
}

function decidersOf(analysts: RunEvidence["analysts"]): readonly Decider[] {
  if (analysts === undefined || analysts === "awaited") return [];
  return [...new Set(analysts.answers.map(({ model }) => deciderOf(model)))];
}

/** One conversation, judged from what was recorded of it. An answer to another question is no answer to this one. */
function deriveChain(scenario: Scenario, chain: RecordedChain, how: JudgingRules): ScenarioRecord {
  const playing = playChain(scenario, how);
  let next = playing.next();
  while (next.done !== true) {
    next = playing.next(recordedReply(next.value, chain));
  }
  return conversationOf(scenario, next.value);
}

function recordedReply(move: ChainMove, { answers, lastMove }: RecordedChain): ChainReply {
  switch (move.kind) {
    case "judged":
      return undefined;
    case "speak": {
      const { question: text } = answers.get(turnStepId(move.turn)) ?? {};
      return text === undefined ? lastMove : { kind: "says", text };
    }
    case "ask": {
      const answer = answers.get(move.step.stepId);
      return answer?.question === move.step.question ? answer.outcome : undefined;
    }
  }
}

/** Steps that must have been asked and have no recorded answer. */
function missingAnswers(evidence: RunEvidence, { scenarios }: PackRecord): readonly string[] {
  return evidence.scenarios.flatMap(({ scenario, repeats }, at) =>
    (scenarios[at]?.steps ?? []).flatMap(({ stepId, questionResolved, dialogue }) =>
      questionResolved === undefined || isRecorded(repeats, stepId, dialogue)
        ? []
        : [`no answer to ${scenario.scenarioId}/${stepId} is recorded`],
    ),
  );
}

/** Every repeat asks every step, but each open dialogue takes its own turns. */
function isRecorded(
  repeats: readonly RecordedChain[],
  stepId: string,
  dialogue: StepRecord["dialogue"],
): boolean {
  const has = ({ answers }: RecordedChain) => answers.has(stepId);
  return dialogue === undefined ? repeats.every(has) : repeats.some(has);
}
