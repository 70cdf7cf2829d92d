import { type ContinueStep, decideContinue } from "../../domain/stages/continue-stage.ts";
import { defined } from "../../domain/values/defined.ts";
import type { QuestionSettings } from "../scenarios/check-questions.ts";
import { type IngestRequest, ingestRun } from "./ingest-run.ts";
import { loadStage } from "./load-stage.ts";
import { planStage } from "./plan-stage.ts";
import { prepareRepair } from "./prepare-repair.ts";
import { type Recording, refuseMoved } from "./record-stage.ts";
import { type CoderTemplate, dryRunRepair, executeRepair, type RepairParts } from "./run-repair.ts";
import { refuseWhileCoding, type Stage, type StageState, termsOf } from "./stage.ts";

export interface ContinueRequest extends Recording {
  readonly executeRepair: boolean;
  readonly runId?: string;
  readonly questions: QuestionSettings;
  readonly analyst: string;
  /** Asked only if the step needs a coder; throws when none is named. */
  readonly coder: () => CoderTemplate;
  /** Asked only if a run is ingested. */
  readonly loadRun: (
    runId: string,
  ) => Promise<Pick<IngestRequest, "pairs" | "rules" | "by" | "heldAt">>;
  readonly signal: AbortSignal;
}

export interface Continued {
  readonly step: ContinueStep;
  readonly state: StageState;
  readonly commandLine?: string;
  readonly iterationId?: string;
}

/** Takes exactly one step: the next one. Fails without doing anything if the stage has changed since it was read. */
export async function continueStage(
  parts: RepairParts,
  stage: Stage,
  request: ContinueRequest,
): Promise<Continued> {
  await parts.endOrphans();
  const now = await loadStage(parts, { folder: stage.folder, terms: termsOf(stage) });
  refuseWhileCoding(now);
  refuseMoved(now, request.seen);
  const { executeRepair: mayExecute, runId } = request;
  const options = { executeRepair: mayExecute, ...defined({ runId }) };
  const step = decideContinue(now.history, options, now.terms);
  parts.crash.reach("stage-read");
  return await takeStep(parts, stage, { step, request, now });
}

async function takeStep(
  parts: RepairParts,
  stage: Stage,
  about: {
    readonly step: ContinueStep;
    readonly request: ContinueRequest;
    readonly now: StageState;
  },
): Promise<Continued> {
  const { step, request, now } = about;
  const seen = now.entries.length;
  switch (step.kind) {
    case "write-loop-command":
      return { step, state: (await planStage(parts, stage, { ...request, seen })).state };
    case "prepare-and-dry-run": {
      const coder = request.coder();
      const prepared = await prepareRepair(parts, stage, { seen });
      if (prepared.kind === "nothing-to-repair") return { step, state: prepared.state };
      const how = { coder, seen: prepared.state.entries.length };
      const { state, commandLine } = await dryRunRepair(parts, stage, how);
      return { step, state, commandLine, iterationId: prepared.plan.iterationId };
    }
    case "dry-run-repair": {
      const how = { coder: request.coder(), seen };
      const { state, commandLine } = await dryRunRepair(parts, stage, how);
      return { step, state, commandLine, iterationId: step.iterationId };
    }
    case "execute-repair": {
      const how = { coder: request.coder(), signal: request.signal, seen };
      const { state, commandLine } = await executeRepair(parts, stage, how);
      return { step, state, commandLine, iterationId: step.iterationId };
    }
    case "ingest-run": {
      const { runId } = step;
      const run = { runId, ...(await request.loadRun(runId)), seen };
      return { step, state: (await ingestRun(parts, stage, run)).state };
    }
    case "wait-for-run-id":
    case "nothing":
      return { step, state: now };
  }
}

/** What a step did, in lines. */
export function saidOf({ step, iterationId, commandLine }: Continued): readonly string[] {
  return [stepText(step, iterationId), ...(commandLine === undefined ? [] : [commandLine])];
}

function stepText(step: ContinueStep, iterationId: string | undefined): string {
  switch (step.kind) {
    case "write-loop-command":
      return "Wrote domain_pack_loop.command.txt; the loop was not started.";
    case "prepare-and-dry-run":
      return iterationId === undefined
        ? "Nothing to repair: no P0 or P1 is open."
        : `Prepared ${iterationId} and made its dry run; no coder was started.`;
    case "dry-run-repair":
      return `Made the dry run of ${step.iterationId}; no coder was started.`;
    case "execute-repair":
      return `Ran the coder on ${step.iterationId}.`;
    case "ingest-run":
      return `Ingested ${step.runId}.`;
    case "wait-for-run-id":
      return "The repair needs a run that proves it: replay the pack, or import a run (--run-id).";
    case "nothing":
      return step.because === "execute_prepared_repair"
        ? "Nothing was done: a prepared repair starts only on request (--execute-repair)."
        : "There is nothing for this command to do.";
  }
}
