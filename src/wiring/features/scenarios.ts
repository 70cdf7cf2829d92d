import { createRunFolders } from "../../adapters/workspace/run-folders.ts";
import { projectedRunEvents } from "../../orchestration/scenarios/run-event-kinds.ts";
import type { Flow } from "../../ports/flow.ts";
import type { Projector } from "../../ports/projector.ts";
import { sha256 } from "../project/sha256.ts";
import type { Feature, FeatureParts } from "./feature.ts";
import { laterFlow, laterProjector } from "./load-later.ts";

/** Requests to an assistant under test: it may be somebody's only one. */
const requestsAtOnce = 4;

/** Nothing of it is loaded before a scenario runs: HTTP, patterns and manifests are heavy. */
export function scenariosFeature(parts: FeatureParts): Feature {
  return {
    flows: [
      ["scenario", laterFlow(() => scenarioFlowOf(parts))],
      [
        "pack",
        laterFlow(
          async () => (await import("../../orchestration/scenarios/pack-flow.ts")).packFlow,
        ),
      ],
      ["pack-loop", laterFlow(() => loopFlowOf(parts))],
      ["stage-repair", laterFlow(() => repairFlowOf(parts))],
    ],
    projectors: [laterProjector({ kinds: projectedRunEvents }, () => projectorOf(parts))],
  };
}

async function scenarioFlowOf(parts: FeatureParts): Promise<Flow> {
  const { createHttpAssistant } = await import("../../adapters/assistant/http-assistant.ts");
  const { createMatcher, isUsablePattern } = await import(
    "../../adapters/assistant/pattern-matcher.ts"
  );
  const { createScenarioFlow } = await import("../../orchestration/scenarios/scenario-flow.ts");
  const { assistantSettingsOf, checkRulesOf } = await import("../settings/scenario-settings.ts");
  const { boundedAssistants } = await import("../../adapters/assistant/bounded-assistant.ts");
  const { AdaptiveLimit } = await import("../../adapters/engines/adaptive-limit.ts");
  const { clock, crash, environment } = parts;
  const bounded = boundedAssistants(new AdaptiveLimit(requestsAtOnce));
  const settings = parts.settings ?? (await import("../settings/settings.ts")).defaultSettings();
  return createScenarioFlow({
    assistantAt: (baseUrl) =>
      bounded(createHttpAssistant(assistantSettingsOf(settings, environment, baseUrl))),
    rules: checkRulesOf(settings),
    matches: createMatcher(),
    isUsable: isUsablePattern,
    clock,
    crash,
  });
}

async function loopFlowOf({ root, clock, environment }: FeatureParts): Promise<Flow> {
  const { coderToolsOf } = await import("../models/coders.ts");
  const { createLoopFlow } = await import("../../orchestration/scenarios/loop-flow.ts");
  return createLoopFlow(coderToolsOf(root, clock, environment));
}

async function repairFlowOf({ root, clock, environment }: FeatureParts): Promise<Flow> {
  const { coderToolsOf } = await import("../models/coders.ts");
  const { processOwner } = await import("../../adapters/engines/embedded/process-owner.ts");
  const { createRepairFlow } = await import("../../orchestration/stages/repair-flow.ts");
  return createRepairFlow({ ...coderToolsOf(root, clock, environment), self: processOwner() });
}

async function projectorOf({ root, store, crash }: FeatureParts): Promise<Projector> {
  const { createRunProjector } = await import("../../orchestration/scenarios/run-projector.ts");
  return createRunProjector({
    folders: createRunFolders(root, crash),
    digest: sha256,
    recorded: async (run, key) => (await store.runs.find(run, key))?.value,
  });
}
