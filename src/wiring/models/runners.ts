import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { paced } from "../../adapters/runners/paced-runner.ts";
import { parseModelName } from "../../domain/models/model-name.ts";
import { standInModel } from "../../domain/settings/choose-models.ts";
import { requireTrusted } from "../../domain/settings/require-trusted.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import { ConfigurationError, ModelNotFoundError } from "../../domain/values/workflow-error.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ResolvedRunner, Runner, RunnerFor } from "../../ports/runner.ts";
import { clockOf } from "../project/system-clock.ts";
import type { Environment } from "../settings/environment.ts";
import { withFrozen } from "../settings/frozen-settings.ts";
import type { LoadedSettings } from "../settings/settings.ts";
import { createProviderRunners, type ProviderAccess } from "./provider-runners.ts";

export interface RunnerSettings {
  /** Script files are named relative to the project. */
  readonly root: string;
  /** Where scripts may change files, if anywhere. */
  readonly workspace?: string;
  readonly clock: Clock;
  /** Lets text appear at reading speed on a terminal; without it nothing waits. */
  readonly millisPerWord?: number;
  /** Access to real models; without it there are only stand-ins and scripts. */
  readonly access?: ProviderAccess;
}

/** A project's settings, and who uses them. */
export interface ProjectAccess {
  readonly root: string;
  readonly environment: Environment;
  readonly loaded: LoadedSettings;
}

/** Finds models by a project's settings; needs no open project. */
export function runnersOf(
  { root, environment, loaded }: ProjectAccess,
  more: Pick<RunnerSettings, "workspace"> & Pick<ProviderAccess, "agents"> = {},
): RunnerFor {
  const { workspace, ...agents } = more;
  const access = { ...loaded, guard: loaded.guard.allow, environment, ...agents };
  return createRunnerFor({ root, clock: clockOf(environment), access, ...defined({ workspace }) });
}

const free = (): number => 0;

/** Finds the runner for a model's name. Each is created once, on first use, for each set of frozen settings. */
export function createRunnerFor(settings: RunnerSettings): RunnerFor {
  const made = new Map<string, RunnersOfModels>();
  return (model, frozen = {}) => {
    const name = JSON.stringify(frozen);
    const runners = made.get(name) ?? runnersWith(settings, frozen);
    made.set(name, runners);
    return runners(model);
  };
}

type RunnersOfModels = (model: string) => Promise<ResolvedRunner>;

function runnersWith(settings: RunnerSettings, frozen: Json): RunnersOfModels {
  const made = new Map<string, Promise<ResolvedRunner>>();
  const { root, clock } = settings;
  const access = settings.access && {
    ...settings.access,
    settings: withFrozen(settings.access.settings, frozen),
  };
  const providers =
    access === undefined ? undefined : createProviderRunners({ ...access, root, clock });
  const find = async (model: string): Promise<ResolvedRunner> => {
    if (model.startsWith("script:")) {
      return { runner: await scripted(model.slice(7), settings), provider: "script", price: free };
    }
    if (model === standInModel) {
      return { runner: await offline(settings), provider: "offline", price: free };
    }
    if (access === undefined || providers === undefined) throw unknownModel(model);
    const name = parseModelName(model);
    if (name.provider === "own") throw ownModel(model);
    if (name.provider === "offline" || name.provider === "script") throw unknownModel(model);
    // A command or server of untrusted settings is not among the settings; this says why.
    requireTrusted(access.settings.trust, { model, isFromProject: false });
    return providers(name);
  };
  return (model) => {
    const known = made.get(model) ?? find(model);
    made.set(model, known);
    return known;
  };
}

function unknownModel(model: string): ModelNotFoundError {
  return new ModelNotFoundError(`There is no model "${model}".`, {
    code: "model-not-found",
    facts: { model },
    hint: "`signoff models` lists what is available; offline/rules and script:<file> always work.",
  });
}

function ownModel(model: string): ModelNotFoundError {
  return new ModelNotFoundError(`${model} is known only to the program that brought it.`, {
    code: "model-not-found",
    facts: { model },
    hint: "Run that program again to resume its run, or start over with a model that has a name.",
  });
}

async function scripted(file: string, { root, workspace }: RunnerSettings): Promise<Runner> {
  const { parseScript } = await import("../../adapters/runners/scripted/script.ts");
  const { createScriptedRunner } = await import(
    "../../adapters/runners/scripted/scripted-runner.ts"
  );
  const script = parseScript(readScript(resolve(root, file), file), file);
  return createScriptedRunner(script, workspace === undefined ? {} : { root: workspace });
}

function readScript(path: string, file: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new ConfigurationError(`The script ${file || "."} cannot be read.`, {
      code: "script-unreadable",
      facts: { file },
      hint: 'Give the path of a JSON file such as {"creator": ["…"], "reviewer": ["SHIP IT!"]}.',
      cause,
    });
  }
}

async function offline({ clock, millisPerWord }: RunnerSettings): Promise<Runner> {
  const { createOfflineRunner } = await import("../../adapters/runners/offline/offline-runner.ts");
  const runner = createOfflineRunner({ clock });
  return millisPerWord === undefined ? runner : paced(runner, { clock, millisPerWord });
}
