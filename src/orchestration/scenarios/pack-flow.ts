import { fromStored } from "../../contract/documents/codec.ts";
import { toWire } from "../../contract/documents/snake-case.ts";
import { scenarioRecordShape } from "../../contract/scenarios/artifact-shapes.ts";
import { writeRunEvent } from "../../contract/scenarios/run-events.ts";
import { type RunInput, readRunInput, writeRunInput } from "../../contract/scenarios/run-inputs.ts";
import { openWrittenPack } from "../../contract/scenarios/write-manifest.ts";
import { assistantIdentityOf } from "../../domain/scenarios/assistant-identity.ts";
import { judgeRun } from "../../domain/scenarios/judge-run.ts";
import { foldRepeats } from "../../domain/scenarios/repeats.ts";
import {
  type PackRecord,
  type ScenarioRecord,
  scenarioStatus,
} from "../../domain/scenarios/run-record.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import { AgentError } from "../../domain/values/workflow-error.ts";
import type { Ending, Flow, FlowContext, Job } from "../../ports/flow.ts";
import type { StoredError } from "../../ports/runner.ts";
import { unreachableCode } from "./ask-assistant.ts";
import { budgetUsedUp } from "./question-budget.ts";
import { scenarioFolder } from "./scenario-folder.ts";

/** All scenarios of a pack side by side, each in its own session, judged as one. */
export const packFlow: Flow = async (ctx, json) => {
  const input = readRunInput("pack", json);
  const { folder, specHash } = input;
  ctx.emit(writeRunEvent("pack-began", { folder, pack: input.pack, specHash }));
  const jobs = scenarioJobs(ctx, input);
  const endings = await ctx.children(jobs);
  requireReached(endings);
  const results = endings.map(resultOf);
  const { scenarios, state } = judge(ctx, input, results);
  const { repeat, awaitsAnalyst } = input;
  const final = !awaitsAnalyst;
  const judged = writeRunEvent("pack-judged", { folder, specHash, repeat, state, final });
  ctx.emit(judged);
  ctx.checkpoint("pack-judged");
  return { scenarios, state: (judged.data as { readonly state: Json }).state };
};

/** Unless repeats are folded, the results are returned unchanged, so a large pack is not held twice. */
function judge(ctx: FlowContext, input: RunInput<"pack">, results: readonly Json[]) {
  const { packId, title } = openWrittenPack(input.pack);
  const { repeat } = input;
  const scenarios = Array.from({ length: results.length / repeat }, (_, at) => {
    const own = results.slice(at * repeat, (at + 1) * repeat);
    const repeats = own.map((result): ScenarioRecord => fromStored(scenarioRecordShape, result));
    return foldRepeats(repeats as [ScenarioRecord, ...ScenarioRecord[]]);
  });
  const state = judgePack(ctx, input, { packId, title, scenarios });
  const written = (record: ScenarioRecord): Json =>
    toWire(scenarioRecordShape, record, { absent: "omit" });
  return { state, scenarios: repeat === 1 ? results : scenarios.map(written) };
}

function scenarioJobs(ctx: FlowContext, input: RunInput<"pack">): readonly Job[] {
  const { folder, assistantUrl, assistantName, repeat, userModel, said = {} } = input;
  return openWrittenPack(input.pack).scenarios.flatMap(({ scenarioId, written }) =>
    Array.from({ length: repeat }, (_, at) => ({
      id: `${ctx.job.id}/${scenarioId}/${at + 1}`,
      kind: "scenario",
      input: writeRunInput("scenario", {
        folder: `${folder}/${scenarioFolder(scenarioId, at + 1)}`,
        assistantUrl,
        ...defined({ assistantName }),
        scenario: written,
        ...(isOpen(written) && defined({ userModel, said: said[scenarioId] })),
      }),
      settings: {},
      createdAt: ctx.job.createdAt,
    })),
  );
}

/** A simulated user talks in it. */
function isOpen(scenario: Json): boolean {
  return (scenario as { readonly user?: Json }).user !== undefined;
}

function resultOf(ending: Ending): Json {
  if (ending.kind === "finished") return ending.result;
  if (ending.kind === "stopped" && ending.reason === "budget") throw budgetUsedUp(ending.facts);
  const why = ending.kind === "failed" ? ending.error.message : `it ended as ${ending.kind}`;
  throw new AgentError(`A scenario could not be played to its end: ${why}`, {
    code: "scenario-unfinished",
    facts: { ending: ending.kind },
  });
}

/** A part that could not reach the assistant ends the whole for the same reason, and both can be resumed. */
export function requireReached(endings: readonly Ending[]): void {
  const lost = endings.flatMap((ending) =>
    ending.kind === "failed" && ending.error.code === unreachableCode ? [ending.error] : [],
  );
  const [first] = lost;
  if (first === undefined) return;
  const factsOf = ({ facts }: StoredError) => facts as { was_heard?: Json; hint?: string };
  const wasHeard =
    endings.some(({ kind }) => kind === "finished") ||
    lost.some((error) => factsOf(error).was_heard === true);
  const { code, message } = first;
  const { hint } = factsOf(first);
  const facts = { was_heard: wasHeard };
  throw new AgentError(message, { code, retryable: true, facts, ...defined({ hint }) });
}

function judgePack(ctx: FlowContext, input: RunInput<"pack">, record: PackRecord) {
  const analyst = input.awaitsAnalyst ? "awaited" : undefined;
  const judgement = judgeRun(record, input.fileHints, analyst);
  return {
    packId: record.packId,
    title: record.title,
    runId: ctx.run,
    finalStatus: judgement.finalStatus,
    acceptanceGatePassed: judgement.accepted,
    unresolvedP0Count: judgement.unresolvedP0,
    reasons: judgement.reasons,
    scenarios: record.scenarios.map((scenario) => ({
      scenarioId: scenario.scenarioId,
      status: scenarioStatus(scenario),
      steps: scenario.steps.length,
      flakySteps: scenario.steps.filter(({ flaky }) => flaky).map(({ stepId }) => stepId),
    })),
    repairTargets: judgement.repairTargets,
    specHash: input.specHash,
    ...defined({ selection: input.selection, userModel: input.userModel }),
    assistant: assistantIdentityOf(input, record),
  };
}
