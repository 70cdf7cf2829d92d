import {
  decidePanel,
  describeVote,
  type PanelDecision,
  type PanelRule,
} from "../drafting/panel.ts";
import { defined } from "../values/defined.ts";
import { collectRepairTargets, type FileHints, type RepairTarget } from "./repair-targets.ts";
import { decideAcceptance, reviewBusiness, reviewTruth } from "./reviews.ts";
import type { PackRecord } from "./run-record.ts";
import type { Status } from "./step-status.ts";
import type { VerdictReading } from "./verdict.ts";
import { decideVerdictGate, type GateDecision, type GateRules } from "./verdict-gate.ts";

/** What one analyst made of a run; no reading where its call failed. */
export interface AnalystAnswer {
  readonly name: string;
  readonly model: string;
  readonly reading?: VerdictReading;
}

/** What the analysts made of a run, and what their verdicts are held against. */
export interface AnalystJudgement {
  readonly answers: readonly AnalystAnswer[];
  readonly rules: GateRules;
  readonly panel: PanelRule;
}

/** Whether a run is accepted, with every reason against it. */
export interface RunJudgement {
  readonly accepted: boolean;
  readonly finalStatus: Status;
  readonly unresolvedP0: number;
  /** The lowest that an analyst gave. */
  readonly score?: number;
  readonly reasons: readonly string[];
  readonly repairTargets: readonly RepairTarget[];
  /** Of several analysts. */
  readonly vote?: PanelDecision;
}

/** The gate of a run: the checks and, where they were asked, the analysts. `awaited`: they have still to judge. */
export function judgeRun(
  record: PackRecord,
  hints: FileHints,
  analysts?: AnalystJudgement | "awaited",
): RunJudgement {
  const repairTargets = collectRepairTargets(record, hints);
  const truth = reviewTruth(record, repairTargets);
  const gate = decideAcceptance(record, truth, reviewBusiness(record));
  const { finalStatus, unresolvedP0 } = gate;
  const facts = { finalStatus, unresolvedP0, repairTargets };
  if (analysts === undefined) return { ...facts, accepted: gate.passed, reasons: gate.reasons };
  if (analysts === "awaited") {
    const reasons = [...gate.reasons, "the analyst has not judged yet"];
    return { ...facts, accepted: false, reasons };
  }
  const { answers, rules, panel } = analysts;
  const checks = { gate, targets: repairTargets };
  const judged = answers.map(({ name, reading }) => ({
    ...{ name, reading },
    gate: reading && decideVerdictGate(reading, checks, rules),
  }));
  const [only, ...others] = judged;
  if (only?.gate !== undefined && others.length === 0) return { ...facts, ...only.gate };
  return { ...facts, ...decideVote(judged, panel) };
}

interface JudgedAnswer {
  readonly name: string;
  readonly reading: VerdictReading | undefined;
  readonly gate: GateDecision | undefined;
}

/** An analyst approves where the gate would pass on its verdict alone. */
function decideVote(judged: readonly JudgedAnswer[], rule: PanelRule) {
  const vote = decidePanel(
    judged.map(({ name, reading, gate }) => {
      const verdict = reading?.kind === "read" ? reading.verdict : undefined;
      const said = gate?.accepted === true ? "approves" : "objects";
      const answer = verdict?.requiresUserDecision === true ? "needs_human" : said;
      const statesError = verdict?.priorityTargets.some(({ severity }) => severity === "P0");
      return {
        member: name,
        answer: gate === undefined ? "absent" : answer,
        statesError: statesError === true,
      };
    }),
    rule,
  );
  const accepted = vote.verdict === "ok";
  const against = judged.flatMap(({ name, gate }) =>
    (gate?.reasons ?? []).map((reason) => `${name}: ${reason}`),
  );
  const [score] = judged.flatMap(({ gate }) => gate?.score ?? []).sort((a, b) => a - b);
  const reasons = accepted ? [] : [`the analysts: ${describeVote(vote)}`, ...against];
  return { accepted, reasons, vote, ...defined({ score }) };
}
