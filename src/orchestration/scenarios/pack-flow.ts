import { scenarioRecordShape } from "../../contract/manifests/artifact-shapes.ts";
import { readStoredPack } from "../../contract/manifests/parse-manifest.ts";
import { writeRunEvent } from "../../contract/manifests/run-events.ts";
import { type RunInput, readRunInput, writeRunInput } from "../../contract/manifests/run-inputs.ts";
import { writeScenario } from "../../contract/manifests/write-manifest.ts";
import { fromWire } from "../../contract/snake-case.ts";
import { bindingsOf, type Pack } from "../../domain/scenarios/manifest.ts";
import { collectRepairTargets } from "../../domain/scenarios/repair-targets.ts";
import { foldRepeats } from "../../domain/scenarios/repeats.ts";
import { decideAcceptance, reviewBusiness, reviewTruth } from "../../domain/scenarios/reviews.ts";
import {
  type PackRecord,
  type ScenarioRecord,
  scenarioStatus,
} from "../../domain/scenarios/run-record.ts";
import type { Json } from "../../domain/values/json.ts";
import { AgentError } from "../../domain/values/workflow-error.ts";
import type { Ending, Flow, FlowContext, Job } from "../../ports/flow.ts";

/** All scenarios of a pack side by side, each in its own session, judged as one. */
export const packFlow: Flow = async (ctx, json) => {
  const input = readRunInput("pack", json);
  const { folder, specHash } = input;
  ctx.emit(writeRunEvent("pack-began", { folder, pack: input.pack, specHash }));
  const { packId, title, jobs } = planPack(ctx, input);
  const scenarios = judgedScenarios(await ctx.children(jobs), input.repeat);
  const state = judgePack(ctx, input, { packId, title, scenarios });
  const final = !input.awaitsAnalyst;
  // One tree for the event and the result: a large pack is not held twice.
  const judged = writeRunEvent("pack-judged", { folder, specHash, scenarios, state, final });
  ctx.emit(judged);
  ctx.checkpoint("pack-judged");
  return packResultOf(judged.data);
};

function packResultOf(judged: Json): Json {
  const { scenarios, state } = judged as { readonly scenarios: Json; readonly state: Json };
  return { scenarios, state };
}

/** Only the jobs outlive it: the scenarios as they were read are not held while they are played. */
function planPack(ctx: FlowContext, input: RunInput<"pack">) {
  const pack = readStoredPack(input.pack);
  return { packId: pack.packId, title: pack.title, jobs: scenarioJobs(ctx, input, pack) };
}

function judgedScenarios(endings: readonly Ending[], repeat: number): readonly ScenarioRecord[] {
  return Array.from({ length: endings.length / repeat }, (_, at) => {
    const repeats = endings.slice(at * repeat, (at + 1) * repeat).map(recordOf);
    return foldRepeats(repeats as [ScenarioRecord, ...ScenarioRecord[]]);
  });
}

function scenarioJobs(ctx: FlowContext, input: RunInput<"pack">, pack: Pack): readonly Job[] {
  const { folder, assistantUrl, repeat } = input;
  return pack.scenarios.flatMap((scenario) => {
    const whole = { ...scenario, bindings: bindingsOf(pack, scenario) };
    const home = `${folder}/scenarios/${scenario.scenarioId}`;
    return Array.from({ length: repeat }, (_, at) => ({
      id: `${ctx.job.id}/${scenario.scenarioId}/${at + 1}`,
      kind: "scenario",
      input: writeRunInput("scenario", {
        folder: at === 0 ? home : `${home}/repeats/${at + 1}`,
        assistantUrl,
        scenario: writeScenario(whole),
      }),
      settings: {},
      createdAt: ctx.job.createdAt,
    }));
  });
}

function recordOf(ending: Ending): ScenarioRecord {
  if (ending.kind === "finished") return fromWire(scenarioRecordShape, ending.result);
  const why = ending.kind === "failed" ? ending.error.message : `it ended as ${ending.kind}`;
  throw new AgentError(`A scenario could not be played to its end: ${why}`, {
    code: "scenario-unfinished",
    facts: { ending: ending.kind },
  });
}

function judgePack(ctx: FlowContext, input: RunInput<"pack">, record: PackRecord) {
  const gate = decideAcceptance(record, reviewTruth(record), reviewBusiness(record));
  const open = input.awaitsAnalyst ? ["the analyst has not judged yet"] : [];
  return {
    packId: record.packId,
    title: record.title,
    runId: ctx.run,
    finalStatus: gate.finalStatus,
    acceptanceGatePassed: gate.passed && open.length === 0,
    unresolvedP0Count: gate.unresolvedP0,
    reasons: [...gate.reasons, ...open],
    scenarios: record.scenarios.map((scenario) => ({
      scenarioId: scenario.scenarioId,
      status: scenarioStatus(scenario),
      steps: scenario.steps.length,
      flakySteps: scenario.steps.filter(({ flaky }) => flaky).map(({ stepId }) => stepId),
    })),
    repairTargets: collectRepairTargets(record, input.fileHints),
    specHash: input.specHash,
  };
}
