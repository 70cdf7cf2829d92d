import { type Decider, notByModel } from "../evidence/standing.ts";
import { countFindings, type OpenFinding, openFindings } from "./open-findings.ts";
import { type StartedRepair, startedRepairs } from "./repair-proof.ts";
import { type LoopFinished, latest, type StageClosed, type StageHistory } from "./stage-history.ts";

/** How near a stage is to being closed; only `ready_for_manual_confirmation` can be closed. */
export const CLOSING_STATUSES = [
  "not_accepted",
  "blocked_pending_repair_validation",
  "ready_for_manual_confirmation",
  "closed",
  "closed_evidence_lost",
] as const;

/**
 * `not_accepted`: the latest loop is not accepted, or a finding is open. `closed`: a person confirmed, and no person
 * reopened it. `closed_evidence_lost`: the same, but what the person relied on is gone or was changed.
 */
export type ClosingStatus = (typeof CLOSING_STATUSES)[number];

/** What the manifest demands of the latest loop; all optional, for readers that have no manifest. */
export interface StageTerms {
  readonly targetScore?: number;
  readonly packHash?: string;
  /** Who the stage's analyst is. */
  readonly decider?: Decider;
}

/** Something a stage lacks, and the command that supplies it. */
export interface StageNeed {
  readonly text: string;
  /** A command of `signoff stage`, and what follows the manifest. */
  readonly command: string;
  readonly more: string;
}

/** Whether a stage may be closed, and why not. */
export interface ClosingGate {
  /** The verdict of the latest loop. */
  readonly loopAcceptedGate: boolean;
  /** The stage's: never true while a repair is unproven or a finding is open. */
  readonly acceptedGate: boolean;
  readonly status: ClosingStatus;
  readonly unprovenRepairs: readonly StartedRepair[];
  readonly openFindings: readonly OpenFinding[];
  /** What keeps it shut, in words; none when it is open. */
  readonly reasons: readonly string[];
  /** The same, each with the command that would help. */
  readonly missing: readonly StageNeed[];
  readonly deciders: readonly Decider[];
  /** The confirmation that is in force. */
  readonly closedBy?: StageClosed;
}

/** The closing rule, over the whole history and the evidence behind it. */
export function decideClosingGate(history: StageHistory, terms: StageTerms = {}): ClosingGate {
  const closedAt = closingOf(history);
  if (closedAt === undefined) return judgeHistory(history, terms);
  const then = judgeHistory(history.slice(0, closedAt), {});
  const closedBy = history[closedAt] as StageClosed;
  const found = openFindings(history).filter(
    ({ findingId }) => !then.openFindings.some((one) => one.findingId === findingId),
  );
  const missing = [...then.missing, ...(found.length === 0 ? [] : [newFindings(found)])];
  return {
    ...then,
    status: then.acceptedGate ? "closed" : "closed_evidence_lost",
    openFindings: [...then.openFindings, ...found],
    missing,
    reasons: missing.map(({ text }) => text),
    closedBy,
  };
}

/** Where the confirmation in force is; a closed stage stays closed until a person reopens it. */
export function closingOf(history: StageHistory): number | undefined {
  const at = history.findLastIndex(
    ({ kind }) => kind === "stage-closed" || kind === "stage-reopened",
  );
  return history[at]?.kind === "stage-closed" ? at : undefined;
}

function judgeHistory(history: StageHistory, terms: StageTerms): ClosingGate {
  const loop = latest<LoopFinished>(history, "loop-finished");
  const unprovenRepairs = startedRepairs(history).filter((repair) => !repair.isProven);
  const open = openFindings(history);
  // A loop that is not accepted speaks for its own findings.
  const others = open.filter(({ from }) => loop?.accepted === true || from !== loop?.loopId);
  const missing = [
    ...loopNeeds(loop, terms),
    ...unprovenRepairs.map(repairNeed),
    ...(others.length === 0 ? [] : [findingNeed(others)]),
  ];
  const acceptedGate = missing.length === 0;
  return {
    loopAcceptedGate: loop?.accepted ?? false,
    acceptedGate,
    status:
      unprovenRepairs.length > 0
        ? "blocked_pending_repair_validation"
        : acceptedGate
          ? "ready_for_manual_confirmation"
          : "not_accepted",
    unprovenRepairs,
    openFindings: open,
    missing,
    reasons: missing.map(({ text }) => text),
    deciders: loop?.replay?.deciders ?? [],
  };
}

function loopNeeds(loop: LoopFinished | undefined, terms: StageTerms): readonly StageNeed[] {
  const run = { command: "run", more: "" } as const;
  if (loop === undefined) return [{ text: "no pack loop has been run", ...run }];
  const { loopId, problems = [], replay } = loop;
  if (!loop.accepted) {
    const why = problems.length === 0 ? "" : `: ${problems.slice(0, 3).join("; ")}`;
    return [{ text: `loop ${loopId} was not accepted${why}`, ...run }];
  }
  const { targetScore = 0, packHash = loop.packHash, decider } = terms;
  const score = replay?.score ?? 100;
  const by = notByModel(replay?.deciders ?? []);
  return [
    ...(packHash === loop.packHash
      ? []
      : [{ text: `the pack has changed since loop ${loopId}`, ...run }]),
    ...(score >= targetScore
      ? []
      : [{ text: `loop ${loopId} scored ${score}, the stage wants ${targetScore}`, ...run }]),
    ...(decider === "model" && by !== undefined
      ? [{ text: `loop ${loopId} was ${by}, and the stage names a model`, ...run }]
      : []),
  ];
}

function repairNeed({ iterationId, isClear, evidence, tampered }: StartedRepair): StageNeed {
  if (isClear) {
    const text = `repair ${iterationId} has no successful validation`;
    return { text, command: "run", more: "" };
  }
  const text =
    evidence === "tampered"
      ? `repair ${iterationId} changed what its proof would rest on: ${tampered.join(", ")}`
      : `repair ${iterationId} was not observed to its end, so it is unknown what it changed`;
  return { text, command: "rule", more: ` --repair ${iterationId}` };
}

function findingNeed(open: readonly OpenFinding[]): StageNeed {
  const { P0, P1 } = countFindings(open);
  const [first] = open;
  const example = first && `${first.from}: ${first.question || first.target.fixGoal}`;
  const text = `${P0} P0 and ${P1} P1 findings are open (${example})`;
  const isElsewhere = first?.isImported === true;
  return isElsewhere
    ? { text, command: "prepare-repair", more: "" }
    : { text, command: "run", more: "" };
}

function newFindings(found: readonly OpenFinding[]): StageNeed {
  const { P0, P1 } = countFindings(found);
  const text = `since the closing, ${P0} P0 and ${P1} P1 findings came in`;
  return { text, command: "reopen", more: "" };
}
