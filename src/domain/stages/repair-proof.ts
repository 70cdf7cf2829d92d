import { foldText } from "../scenarios/folded-text.ts";
import { isSameCheck } from "./asked-question.ts";
import { type OpenFinding, openFindings } from "./open-findings.ts";
import type {
  LoopFinished,
  RepairEvidence,
  RepairExecuted,
  RulingGiven,
  RunIngested,
  StageEvent,
  StageHistory,
} from "./stage-history.ts";

/**
 * `scope_mismatch`: the run did not ask what the repair was about. `too_old`: it began before the coder had ended.
 * `undated`: it is unknown when it was held. Runs of these three kinds prove nothing.
 */
export const VALIDATION_STATUSES = [
  "accepted",
  "not_accepted",
  "scope_mismatch",
  "too_old",
  "undated",
] as const;

export type ValidationStatus = (typeof VALIDATION_STATUSES)[number];

/** A run held against one repair. */
export interface RepairValidation {
  readonly iterationId: string;
  readonly runId: string;
  readonly by: "replay" | "ingested_run";
  readonly status: ValidationStatus;
  readonly remainingP0: number;
  readonly remainingP1: number;
  /** Questions of the repair's targets that the run did not ask. */
  readonly missingQuestions: readonly string[];
}

/** A coder that was started, with every run that came after it. */
export interface StartedRepair {
  readonly iterationId: string;
  /** Its place in the history; the same iteration may be run twice. */
  readonly at: number;
  readonly evidence: RepairEvidence;
  readonly tampered: readonly string[];
  /** What it left behind was seen by a person, or needs no person. */
  readonly isClear: boolean;
  readonly validations: readonly RepairValidation[];
  readonly isProven: boolean;
}

/** Every coder that was started, whatever it reports: an old unproven one still keeps the stage open. */
export function startedRepairs(history: StageHistory): readonly StartedRepair[] {
  return history.flatMap((event, at) => {
    if (isEndOfCoder(event)) {
      const { iterationId, endedAt = "", evidence = "intact", tampered = [] } = event;
      return [followRepair(history, { iterationId, at, endedAt, evidence, tampered })];
    }
    if (event.kind !== "repair-started") return [];
    const { iterationId } = event;
    const next = history
      .slice(at + 1)
      .find((one) => one.kind === "repair-started" || isEndOfCoder(one));
    const isOver = next?.kind === "repair-executed" && next.iterationId === iterationId;
    const lost = { iterationId, at, endedAt: "", evidence: "unobserved", tampered: [] } as const;
    return isOver ? [] : [followRepair(history, lost)];
  });
}

function isEndOfCoder(event: StageEvent): event is RepairExecuted {
  return event.kind === "repair-executed" && !event.dryRun;
}

/** All validations in the order of the runs, as `repair_validation_history` keeps them. */
export function validationHistory(history: StageHistory): readonly RepairValidation[] {
  return startedRepairs(history).flatMap((repair) => repair.validations);
}

interface EndedRepair extends Pick<StartedRepair, "iterationId" | "at" | "evidence" | "tampered"> {
  readonly endedAt: string;
}

function followRepair(history: StageHistory, repair: EndedRepair): StartedRepair {
  const { endedAt, ...facts } = repair;
  const later = history.slice(repair.at + 1);
  const ruling = later.find(
    (event): event is RulingGiven =>
      event.kind === "ruling-given" && event.repair === repair.iterationId,
  );
  const isClear = repair.evidence === "intact" || ruling !== undefined;
  // What came before a person looked at a damaged record says nothing about it.
  const since = repair.evidence === "intact" ? endedAt : (ruling?.ruledAt ?? endedAt);
  const plan = planOf(history, repair);
  const validations = later.flatMap((run) =>
    run.kind === "loop-finished" || run.kind === "run-ingested"
      ? [validate({ iterationId: repair.iterationId, since, plan }, run)]
      : [],
  );
  const isProven = isClear && validations.some(({ status }) => status === "accepted");
  return { ...facts, isClear, validations, isProven };
}

interface Plan {
  readonly packHash: string;
  readonly questions: readonly string[];
  readonly findings: readonly OpenFinding[];
}

interface ToProve {
  readonly iterationId: string;
  readonly since: string;
  readonly plan: Plan | undefined;
}

function validate(about: ToProve, run: LoopFinished | RunIngested): RepairValidation {
  const { iterationId } = about;
  const remaining = { remainingP0: run.openP0, remainingP1: run.openP1 };
  return run.kind === "loop-finished"
    ? { iterationId, runId: run.loopId, by: "replay", ...remaining, ...byReplay(about, run) }
    : { iterationId, runId: run.runId, by: "ingested_run", ...remaining, ...byImport(about, run) };
}

type Verdict = Pick<RepairValidation, "status" | "missingQuestions">;

function byReplay({ since, plan }: ToProve, run: LoopFinished): Verdict {
  if (plan === undefined) return { status: "scope_mismatch", missingQuestions: [] };
  const missingQuestions = notReplayed(plan, run);
  const begunAt = run.replay?.begunAt;
  if (begunAt !== undefined && begunAt < since) return { status: "too_old", missingQuestions };
  if (missingQuestions.length > 0) return { status: "scope_mismatch", missingQuestions };
  const isAccepted = run.accepted && begunAt !== undefined;
  return { status: isAccepted ? "accepted" : "not_accepted", missingQuestions };
}

function byImport({ since, plan }: ToProve, run: RunIngested): Verdict {
  const missingQuestions = plan === undefined ? [] : notAskedElsewhere(plan, run);
  if (plan === undefined || plan.questions.length === 0 || missingQuestions.length > 0) {
    return { status: "scope_mismatch", missingQuestions };
  }
  if (run.openP0 + run.openP1 > 0) return { status: "not_accepted", missingQuestions };
  if (run.heldAt === undefined) return { status: "undated", missingQuestions };
  return { status: run.heldAt < since ? "too_old" : "accepted", missingQuestions };
}

/** A replay of the same pack asks everything; one of a changed pack must hold every finding against the same. */
function notReplayed(plan: Plan, { packHash, replay }: LoopFinished): readonly string[] {
  if (packHash === plan.packHash) return [];
  if (plan.findings.length === 0) return plan.questions;
  return questionsOf(
    plan.findings.filter((one) => !replay?.asked.some((asked) => isSameCheck(one, asked))),
  );
}

function notAskedElsewhere(plan: Plan, { questions, asked = [] }: RunIngested): readonly string[] {
  const known = new Set(questions.map(foldText));
  const neverAsked = plan.questions.filter((question) => !known.has(foldText(question)));
  const notShown = plan.findings.filter(
    (one) => !one.isVisible || !asked.some((question) => isSameCheck(one, question)),
  );
  return [...new Set([...neverAsked, ...questionsOf(notShown)])];
}

function questionsOf(findings: readonly OpenFinding[]): readonly string[] {
  return [...new Set(findings.map(({ question, findingId }) => question || findingId))];
}

/** The plan that was in force when the repair ran. Without one nothing can prove it. */
function planOf(history: StageHistory, { iterationId, at }: EndedRepair): Plan | undefined {
  const planAt = history
    .slice(0, at)
    .findLastIndex(
      (event) => event.kind === "repair-prepared" && event.iterationId === iterationId,
    );
  const planned = history[planAt];
  if (planned?.kind !== "repair-prepared") return undefined;
  const { packHash, questions, findings: wanted = [] } = planned;
  const findings = openFindings(history.slice(0, planAt));
  return {
    packHash,
    questions,
    findings: findings.filter((one) => wanted.includes(one.findingId)),
  };
}
