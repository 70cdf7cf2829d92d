import { z } from "zod";
import {
  packStateShape,
  repairTargetShape,
  scenarioRecordShape,
} from "../../contract/manifests/artifact-shapes.ts";
import { packResultShape } from "../../contract/manifests/run-inputs.ts";
import { type Frozen, fromWire, toWire } from "../../contract/snake-case.ts";
import { collectRepairTargets } from "../../domain/scenarios/repair-targets.ts";
import { decideAcceptance, reviewBusiness, reviewTruth } from "../../domain/scenarios/reviews.ts";
import type { ScenarioRecord } from "../../domain/scenarios/run-record.ts";
import type { Json } from "../../domain/values/json.ts";
import type { RunRecord } from "../../ports/run-store.ts";

/** A judged run as every report and `--json` show it. */
export const runReportShape = z.strictObject({
  runId: z.string(),
  kind: z.enum(["pack", "scenario", "pack-loop"]),
  subject: z.string(),
  title: z.string(),
  folder: z.string(),
  finalStatus: packStateShape.shape.finalStatus,
  accepted: z.boolean(),
  reasons: z.array(z.string()),
  scenarios: z.array(scenarioRecordShape),
  repairTargets: z.array(repairTargetShape),
  analyst: packStateShape.shape.analyst,
  nextAction: z.string().exactOptional(),
});

export type RunReport = Frozen<z.output<typeof runReportShape>>;

export function reportToJson(report: RunReport): Json {
  return toWire(runReportShape, report, { absent: "omit" });
}

type Stored = Pick<RunRecord, "run" | "job" | "ending">;

/** The report of a finished run; undefined while there is none. */
export function reportOf(record: Stored): RunReport | undefined {
  if (record.ending?.kind !== "finished") return undefined;
  const { result } = record.ending;
  const { folder } = record.job.input as { readonly folder: string };
  switch (record.job.kind) {
    case "pack":
      return packReport(record, folder, result);
    case "scenario":
      return scenarioReport(record, folder, fromWire(scenarioRecordShape, result));
    case "pack-loop":
      return fromWire(runReportShape, result) as RunReport;
    default:
      return undefined;
  }
}

function packReport(record: Stored, folder: string, result: Json): RunReport {
  const { scenarios, state } = fromWire(packResultShape, result);
  return {
    runId: record.run,
    kind: "pack",
    subject: state.packId,
    title: state.title,
    folder,
    finalStatus: state.finalStatus,
    accepted: state.acceptanceGatePassed,
    reasons: state.reasons,
    scenarios,
    repairTargets: state.repairTargets,
  };
}

function scenarioReport(record: Stored, folder: string, scenario: ScenarioRecord): RunReport {
  const { scenarioId, title } = scenario;
  const pack = { packId: scenarioId, title, scenarios: [scenario] };
  const gate = decideAcceptance(pack, reviewTruth(pack), reviewBusiness(pack));
  return {
    runId: record.run,
    kind: "scenario",
    subject: scenarioId,
    title,
    folder,
    finalStatus: gate.finalStatus,
    accepted: gate.passed,
    reasons: gate.reasons,
    scenarios: [scenario],
    repairTargets: collectRepairTargets(pack, {}),
  };
}

/** Every question that was sent failed because nobody listened. */
export function isUnreachable(report: RunReport): boolean {
  const steps = report.scenarios.flatMap((scenario) => scenario.steps);
  const failed = steps.filter(({ execution }) => execution === "failed");
  return (
    failed.length > 0 &&
    steps.every(({ execution }) => execution !== "answered") &&
    failed.every(({ findings }) =>
      findings.some(({ evidence }) => evidence.startsWith("unreachable:")),
    )
  );
}
