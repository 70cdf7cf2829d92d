import { chosenUse } from "../../domain/settings/choose-models.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Budget } from "../../ports/flow.ts";
import { requireUsable } from "../models/check-models.ts";
import { createRunnerFor } from "../models/runners.ts";
import { clockOf } from "../project/system-clock.ts";
import type { Environment } from "../settings/environment.ts";
import type { LoadedSettings } from "../settings/settings.ts";

/** Fails before the first question, not after the last, if an analyst or a user cannot be asked. */
export async function requireQuestionModels(
  by: {
    readonly root: string;
    readonly loaded: LoadedSettings;
    readonly environment: Environment;
  },
  { models, budget }: { readonly models: readonly string[]; readonly budget?: Budget },
): Promise<void> {
  const { root, environment, loaded } = by;
  const { settings, redactor, guard } = loaded;
  for (const model of models) guard.choose(chosenUse(settings, model));
  const clock = clockOf(environment);
  const access = { settings, redactor, environment, guard: guard.allow };
  const runnerFor = createRunnerFor({ root, clock, access });
  await requireUsable({ models, ...defined({ budget }) }, { settings, runnerFor, at: clock.now() });
}
