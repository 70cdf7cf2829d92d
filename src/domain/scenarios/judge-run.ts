import { defined } from "../values/defined.ts";
import { collectRepairTargets, type FileHints, type RepairTarget } from "./repair-targets.ts";
import { decideAcceptance, reviewBusiness, reviewTruth } from "./reviews.ts";
import type { PackRecord } from "./run-record.ts";
import type { Status } from "./step-status.ts";
import type { VerdictReading } from "./verdict.ts";
import { decideVerdictGate, type GateRules } from "./verdict-gate.ts";

/** What an analyst made of a run, and what its verdict is held against. */
export interface AnalystJudgement {
  readonly reading: VerdictReading;
  readonly rules: GateRules;
}

/** Whether a run is accepted, with every reason against it. */
export interface RunJudgement {
  readonly accepted: boolean;
  readonly finalStatus: Status;
  readonly unresolvedP0: number;
  readonly score?: number;
  readonly reasons: readonly string[];
  readonly repairTargets: readonly RepairTarget[];
}

/** The gate of a run: the checks and, where one was asked, the analyst. `awaited`: it has still to judge. */
export function judgeRun(
  record: PackRecord,
  hints: FileHints,
  analyst?: AnalystJudgement | "awaited",
): RunJudgement {
  const repairTargets = collectRepairTargets(record, hints);
  const gate = decideAcceptance(record, reviewTruth(record), reviewBusiness(record));
  const { finalStatus, unresolvedP0 } = gate;
  const facts = { finalStatus, unresolvedP0, repairTargets };
  if (analyst === undefined) return { ...facts, accepted: gate.passed, reasons: gate.reasons };
  if (analyst === "awaited") {
    const reasons = [...gate.reasons, "the analyst has not judged yet"];
    return { ...facts, accepted: false, reasons };
  }
  const checks = { gate, targets: repairTargets };
  const { accepted, score, reasons } = decideVerdictGate(analyst.reading, checks, analyst.rules);
  return { ...facts, accepted, reasons, ...defined({ score }) };
}
