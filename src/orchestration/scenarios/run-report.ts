import { fromStored } from "../../contract/documents/codec.ts";
import { type RunReport, runReportShape } from "../../contract/http/pack-report.ts";
import { scenarioRecordShape } from "../../contract/scenarios/artifact-shapes.ts";
import { packResultShape } from "../../contract/scenarios/run-inputs.ts";
import { collectRepairTargets } from "../../domain/scenarios/repair-targets.ts";
import { decideAcceptance, reviewBusiness, reviewTruth } from "../../domain/scenarios/reviews.ts";
import type { ScenarioRecord } from "../../domain/scenarios/run-record.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RunRecord } from "../../ports/run-store.ts";
import type { PackResult } from "./loop-iteration.ts";

interface Stored extends Pick<RunRecord, "run" | "ending"> {
  readonly job: Pick<RunRecord["job"], "kind" | "input">;
}

/** The report of a finished run; undefined while there is none. */
export function reportOf(record: Stored): RunReport | undefined {
  if (record.ending?.kind !== "finished") return undefined;
  const { result } = record.ending;
  const { folder } = record.job.input as { readonly folder: string };
  switch (record.job.kind) {
    case "pack":
      return packReport(folder, fromStored(packResultShape, result));
    case "scenario":
      return scenarioReport(record.run, folder, fromStored(scenarioRecordShape, result));
    case "pack-loop":
      return fromStored(runReportShape, result) as RunReport;
    default:
      return undefined;
  }
}

export function packReport(folder: string, { scenarios, state }: PackResult): RunReport {
  const { analyst, assistant, selection, userModel } = state;
  return {
    runId: state.runId,
    kind: "pack",
    subject: state.packId,
    title: state.title,
    folder,
    finalStatus: state.finalStatus,
    accepted: state.acceptanceGatePassed,
    reasons: state.reasons,
    scenarios,
    repairTargets: state.repairTargets,
    ...defined({ assistant, userModel, analyst, selection }),
  };
}

export function scenarioReport(runId: string, folder: string, scenario: ScenarioRecord): RunReport {
  const { scenarioId, title } = scenario;
  const pack = { packId: scenarioId, title, scenarios: [scenario] };
  const repairTargets = collectRepairTargets(pack, {});
  const truth = reviewTruth(pack, repairTargets);
  const gate = decideAcceptance(pack, truth, reviewBusiness(pack));
  return {
    runId,
    kind: "scenario",
    subject: scenarioId,
    title,
    folder,
    finalStatus: gate.finalStatus,
    accepted: gate.passed,
    reasons: gate.reasons,
    scenarios: [scenario],
    repairTargets,
  };
}
