import type { Pack } from "../../domain/scenarios/manifest.ts";
import { chosenUse } from "../../domain/settings/choose-models.ts";
import { defined } from "../../domain/values/defined.ts";
import { membersOf } from "../../orchestration/scenarios/ask-analyst.ts";
import { hasUser } from "../../orchestration/scenarios/run-pack.ts";
import type { Budget } from "../../ports/flow.ts";
import type { RunnerFor } from "../../ports/runner.ts";
import { requireUsable } from "../models/check-models.ts";
import { type ProjectAccess, runnersOf } from "../models/runners.ts";
import { clockOf } from "../project/system-clock.ts";
import type { AssistantAccess } from "../settings/scenario-settings.ts";

/** Fails before the first question, not after the last, if an analyst or a simulated user cannot be asked. */
export async function requireQuestionModels(
  by: ProjectAccess & { readonly runnerFor?: RunnerFor },
  asked: {
    readonly pack: Pack;
    readonly analysts?: Parameters<typeof membersOf>[0] | undefined;
    readonly budget?: Budget | undefined;
  },
): Promise<void> {
  const { pack, analysts, budget } = asked;
  const { settings, guard } = by.loaded;
  const models = [
    ...(analysts === undefined ? [] : membersOf(analysts).map(({ model }) => model)),
    ...(hasUser(pack) ? [settings.models.user.model] : []),
  ];
  for (const model of models) guard.choose(chosenUse(settings, model));
  const { runnerFor = runnersOf(by) } = by;
  const at = clockOf(by.environment).now();
  await requireUsable({ models, ...defined({ budget }) }, { settings, runnerFor, at });
}

/** What the assistant of a project may be sent. */
export function assistantAccessOf({ root, environment, loaded }: ProjectAccess): AssistantAccess {
  const { settings, guard } = loaded;
  return { root, settings, environment, guard: guard.allow, clock: clockOf(environment) };
}
