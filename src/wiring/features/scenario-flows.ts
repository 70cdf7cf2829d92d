import { boundedAssistants } from "../../adapters/assistant/bounded-assistant.ts";
import { createAssistant } from "../../adapters/assistant/create-assistant.ts";
import { AdaptiveLimit } from "../../adapters/engines/adaptive-limit.ts";
import { processOwner } from "../../adapters/engines/process-owner.ts";
import { createRunFolders } from "../../adapters/workspace/run-folders.ts";
import { refuseAll } from "../../domain/settings/acts.ts";
import { createLoopFlow } from "../../orchestration/scenarios/loop-flow.ts";
import { packFlow } from "../../orchestration/scenarios/pack-flow.ts";
import { createRunProjector } from "../../orchestration/scenarios/run-projector.ts";
import { createScenarioFlow } from "../../orchestration/scenarios/scenario-flow.ts";
import { createRepairFlow } from "../../orchestration/stages/repair-flow.ts";
import { coderToolsOf } from "../models/coders.ts";
import { sha256 } from "../project/sha256.ts";
import { assistantSettingsOf, assistantSetup } from "../settings/scenario-settings.ts";
import { defaultSettings } from "../settings/settings.ts";
import { judgingRulesOf } from "./examine-runs.ts";
import type { FeatureParts } from "./feature.ts";
import { createEvidenceWatch } from "./watch-evidence.ts";

/** Parallel requests to an assistant under test, which may be a small server. */
const requestsAtOnce = 4;

/** Everything that asks an assistant or runs a coder, loaded together on first use. */
export function scenarioFlowsOf(parts: FeatureParts) {
  const { root, store, clock, crash, environment, settings = defaultSettings() } = parts;
  const { guard = refuseAll } = parts;
  const bounded = boundedAssistants(
    new AdaptiveLimit(settings.scenarios.assistant.concurrency ?? requestsAtOnce),
  );
  const watchEvidence = createEvidenceWatch({ root, store, settings });
  const coders = { ...coderToolsOf(root, { clock, environment, guard }), watchEvidence };
  return {
    scenario: createScenarioFlow({
      assistantAt: (baseUrl) =>
        bounded(
          createAssistant(
            assistantSettingsOf({ root, settings, environment, guard, clock }, baseUrl),
          ),
        ),
      ...judgingRulesOf(settings),
      clock,
      crash,
      setup: assistantSetup(settings),
    }),
    pack: packFlow,
    loop: createLoopFlow(coders),
    repair: createRepairFlow({ ...coders, self: processOwner() }),
    projector: createRunProjector({
      folders: createRunFolders(root, crash, guard),
      digest: sha256,
      recorded: async (run, key) => (await store.runs.find(run, key))?.value,
    }),
  };
}
