import type { CoderStatus } from "../../src/domain/scenarios/coder-status.ts";
import type { Replay, StageEvent } from "../../src/domain/stages/stage-history.ts";
import { loopFinished, supplierFinding } from "./stage-parts.ts";

export const loop = loopFinished;
export const ingested = (
  openP0: number,
  openP1: number,
  questions = ["Who supplied the desk?"],
): StageEvent => ({
  kind: "run-ingested",
  runId: "gui-7",
  openP0,
  openP1,
  questions,
  asked: questions.map((question) => ({
    question,
    asAsked: question === supplierFinding.question ? "who" : question,
    basis: "Nordholz",
    isAnswered: true,
    problems: openP0 + openP1 === 0 ? [] : ["direct_answer_gap"],
  })),
  findings:
    openP0 + openP1 === 0 ? [] : [{ ...supplierFinding, severity: openP0 > 0 ? "P0" : "P1" }],
  by: "Ada",
  heldAt: "2026-11-15T13:00:00.000Z",
});
export const prepared: StageEvent = {
  kind: "repair-prepared",
  iterationId: "r1",
  packHash: "pack-a",
  questions: ["who supplied the DESK"],
};
export const started: StageEvent = { kind: "repair-started", iterationId: "r1" };
export const executed = (coderStatus: CoderStatus, dryRun = false): StageEvent => ({
  kind: "repair-executed",
  iterationId: "r1",
  dryRun,
  coderStatus,
});
export const patched = [prepared, started, executed("patched")];
export const decision = { kind: "decision-given", by: "Ada" } as const;
export const closed: StageEvent = { kind: "stage-closed", confirmedBy: "Ada" };
export const reopened: StageEvent = { kind: "stage-reopened", by: "Ada", reason: "asked again" };
export const { replay } = loop(true) as { readonly replay: Replay };
