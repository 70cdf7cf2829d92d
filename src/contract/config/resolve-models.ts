import {
  type ChosenModel,
  chooseModels,
  type ModelUse,
  modelRoles,
  modelUse,
  ollamaModelName,
} from "../../domain/settings/choose-models.ts";
import {
  type GivenSetting,
  isFromProject,
  type SettingSource,
} from "../../domain/settings/choose-setting.ts";
import type { ModelRole } from "../../domain/settings/project-config.ts";
import type { NamedModel } from "../../domain/settings/trust-parts.ts";
import type { Json } from "../../domain/values/json.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import { flagName, givenFor, type SettingProblem, type SettingSources } from "./given-settings.ts";
import { settingTable } from "./setting-table.ts";

const ollamaVariable = "OLLAMA_MODEL_NAME";

/** The variables that name a role's model, strongest first. */
export function modelVariables(role: ModelRole): readonly string[] {
  return [`SIGNOFF_MODELS_${role.toUpperCase()}`, "SIGNOFF_MODEL", ollamaVariable];
}

export interface ResolvedModels {
  readonly models: { readonly [Role in ModelRole]: ChosenModel };
  readonly problems: readonly SettingProblem[];
}

export function resolveModels(sources: SettingSources): ResolvedModels {
  const problems: SettingProblem[] = [];
  const usable = (role: ModelRole): readonly GivenSetting<ModelUse>[] =>
    givenModels(role, sources).flatMap((given) => {
      const read = readModel(given, sources);
      if ("model" in read) return [{ ...given, value: read }];
      problems.push(read);
      return [];
    });
  const given = {
    writer: usable("writer"),
    reviewer: usable("reviewer"),
    judge: usable("judge"),
    analyst: usable("analyst"),
    user: usable("user"),
  };
  return { models: chooseModels({ given, isOllamaSet: isOllamaSet(sources) }), problems };
}

/** One name given for one setting: the full model, or what is wrong with it. */
export function readModel(
  given: { readonly value: Json; readonly source: SettingSource; readonly as: string },
  { config }: SettingSources,
): ModelUse | SettingProblem {
  const { source, as } = given;
  const text = String(given.value);
  try {
    return as === ollamaVariable
      ? { model: ollamaModelName(text), isFromProject: isFromProject(source) }
      : modelUse(text, source, config?.config.models?.aliases);
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error;
    const message = [error.message, error.hint].filter((part) => part !== undefined).join(" ");
    return { source, name: as, message };
  }
}

/** Models that the project's `.env` names; `signoff.yaml` is looked at as a whole. */
export function modelsNamedInDotEnv({ dotEnv }: SettingSources): readonly NamedModel[] {
  const names = new Set([
    ...modelRoles.flatMap((role) => modelVariables(role)),
    ...settingTable["stages.coder"].variables,
  ]);
  return [...names].flatMap((name) => {
    const model = Object.hasOwn(dotEnv, name) && name !== ollamaVariable ? dotEnv[name] : undefined;
    return model === undefined ? [] : [{ setting: `.env ${name}`, model }];
  });
}

function givenModels(role: ModelRole, sources: SettingSources): readonly GivenSetting[] {
  const setting = { flag: "model", variables: modelVariables(role) } as const;
  const given = givenFor(`models.${role}`, setting, sources);
  const flag = ownFlags[role];
  const own = flag && sources.flags[flag];
  if (flag === undefined || own === undefined) return given;
  return [{ value: own, source: "flag", as: flagName(flag) }, ...given];
}

/** Stronger than `--model`, for one role. */
const ownFlags: { readonly [role in ModelRole]?: "reviewerModel" | "analyst" | "userModel" } = {
  reviewer: "reviewerModel",
  analyst: "analyst",
  user: "userModel",
};

const ollamaVariables: readonly string[] = [
  ollamaVariable,
  ...Object.values(settingTable).flatMap(({ variables }) => variables),
].filter((name) => name.startsWith("OLLAMA_"));

function isOllamaSet({ flags, environment, dotEnv, config }: SettingSources): boolean {
  const isNamed = (variables: SettingSources["dotEnv"]) =>
    ollamaVariables.some(
      (name) => Object.hasOwn(variables, name) && variables[name]?.trim() !== "",
    );
  const inFile = config?.config.providers?.ollama?.baseUrl !== undefined;
  return flags.baseUrl !== undefined || isNamed(environment) || isNamed(dotEnv) || inFile;
}
