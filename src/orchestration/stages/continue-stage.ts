import type {
  ConversationPair,
  RunReviewRules,
} from "../../domain/scenarios/conversation-review.ts";
import { type ContinueStep, decideContinue } from "../../domain/stages/continue-stage.ts";
import { defined } from "../../domain/values/defined.ts";
import { type QuestionSettings, questionFiles } from "../scenarios/check-questions.ts";
import { type IngestRequest, ingestRun } from "./ingest-run.ts";
import { loadStage } from "./load-stage.ts";
import { checkStageQuestions, commandFile, makePlan } from "./plan-stage.ts";
import { planNextRepair } from "./prepare-repair.ts";
import { recordStage } from "./record-stage.ts";
import { type CoderTemplate, dryRunRepair, executeRepair, type RepairParts } from "./run-repair.ts";
import { refuseWhileCoding, type Stage, type StageState } from "./stage.ts";

export interface ContinueRequest {
  readonly executeRepair: boolean;
  readonly runId?: string;
  readonly questions: QuestionSettings;
  readonly analyst: string;
  /** Asked only if the step needs a coder; throws when none is named. */
  readonly coder: () => CoderTemplate;
  /** Asked only if a run is ingested. */
  readonly loadRun: (runId: string) => Promise<{
    readonly pairs: readonly ConversationPair[];
    readonly rules: RunReviewRules;
  }>;
  readonly signal: AbortSignal;
}

export interface Continued {
  readonly step: ContinueStep;
  readonly state: StageState;
  readonly commandLine?: string;
  readonly iterationId?: string;
}

/** Takes exactly the one step that is next. If somebody else took it first, nothing is done and that is said. */
export async function continueStage(
  parts: RepairParts,
  stage: Stage,
  request: ContinueRequest,
): Promise<Continued> {
  await parts.endOrphans();
  const now = await loadStage(parts, stage);
  refuseWhileCoding(now);
  const { executeRepair: mayExecute, runId } = request;
  const step = decideContinue(now.history, { executeRepair: mayExecute, ...defined({ runId }) });
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
      return { step, state: await writeLoopCommand(parts, stage, { request, seen }) };
    case "prepare-and-dry-run":
      return await prepareAndDryRun(parts, stage, { step, request, seen });
    case "dry-run-repair": {
      const { state, commandLine } = await dryRunRepair(parts, stage, {
        coder: request.coder(),
        seen,
      });
      return { step, state, commandLine, iterationId: step.iterationId };
    }
    case "execute-repair": {
      const how = { coder: request.coder(), signal: request.signal, seen };
      const { state, commandLine } = await executeRepair(parts, stage, how);
      return { step, state, commandLine, iterationId: step.iterationId };
    }
    case "ingest-run": {
      const run: IngestRequest = {
        runId: step.runId,
        ...(await request.loadRun(step.runId)),
        seen,
      };
      return { step, state: (await ingestRun(parts, stage, run)).state };
    }
    case "wait-for-run-id":
    case "nothing":
      return { step, state: now };
  }
}

function writeLoopCommand(
  parts: RepairParts,
  stage: Stage,
  { request, seen }: { readonly request: ContinueRequest; readonly seen: number },
): Promise<StageState> {
  const review = checkStageQuestions(stage, request.questions);
  const plan = makePlan(stage, review, request.analyst);
  const files = [...questionFiles(review, stage.pack), commandFile(stage, plan)];
  return recordStage(parts, stage, () => ({ files }), { seen });
}

/** Both are one step: a dry run that nobody has to type. */
async function prepareAndDryRun(
  parts: RepairParts,
  stage: Stage,
  about: {
    readonly step: ContinueStep;
    readonly request: ContinueRequest;
    readonly seen: number;
  },
): Promise<Continued> {
  const { step, request, seen } = about;
  const coder = request.coder();
  let iterationId: string | undefined;
  const prepared = await recordStage(
    parts,
    stage,
    async (before) => {
      const planned = await planNextRepair(parts, stage, before);
      iterationId = planned?.plan.iterationId;
      return planned?.change ?? {};
    },
    { seen },
  );
  if (iterationId === undefined) return { step, state: prepared };
  const { state, commandLine } = await dryRunRepair(parts, stage, {
    coder,
    seen: prepared.entries.length,
  });
  return { step, state, commandLine, iterationId };
}
