import { deciderOf } from "../evidence/decider-of.ts";
import type { Decider } from "../evidence/standing.ts";
import { type AnalystJudgement, judgeRun, type RunJudgement } from "./judge-run.ts";
import type { Scenario } from "./manifest.ts";
import { conversationOf, type JudgingRules, playChain } from "./play-chain.ts";
import type { FileHints } from "./repair-targets.ts";
import { foldRepeats } from "./repeats.ts";
import type { PackRecord, ScenarioRecord } from "./run-record.ts";
import type { AssistantOutcome } from "./turn.ts";

/** An answer as the store recorded it when it came. */
export interface RecordedAnswer {
  readonly question: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly outcome: AssistantOutcome;
}

/** The recorded answers of one chain, by step. */
export type RecordedChain = ReadonlyMap<string, RecordedAnswer>;

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
    const [first = new Map(), ...more] = repeats;
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
    repeats.flatMap((chain) => [...chain.values()]),
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
    const move = next.value;
    const answer = move.kind === "ask" ? chain.get(move.step.stepId) : undefined;
    const isMeant = move.kind === "ask" && answer?.question === move.step.question;
    next = playing.next(isMeant ? answer?.outcome : undefined);
  }
  return conversationOf(scenario, next.value);
}

/** Steps that must have been asked and have no recorded answer. */
function missingAnswers(evidence: RunEvidence, { scenarios }: PackRecord): readonly string[] {
  return evidence.scenarios.flatMap(({ scenario, repeats }, at) =>
    (scenarios[at]?.steps ?? []).flatMap(({ stepId, questionResolved }) =>
      questionResolved === undefined || repeats.every((chain) => chain.has(stepId))
        ? []
        : [`no answer to ${scenario.scenarioId}/${stepId} is recorded`],
    ),
  );
}
