import { formatModelName, parseModelName } from "../models/model-name.ts";
import type { ModelAliases } from "../models/same-model.ts";
import {
  chooseSetting,
  type GivenSetting,
  isFromProject,
  type SettingSource,
} from "./choose-setting.ts";
import type { ModelRole } from "./project-config.ts";

export const modelRoles = [
  "writer",
  "reviewer",
  "judge",
  "analyst",
  "user",
] as const satisfies ModelRole[];

export const standInModel = "offline/rules";
const defaultOllamaModel = "ollama/mistral:latest";

/** A full model name, and whether the project's files had a part in choosing it. */
export interface ModelUse {
  readonly model: string;
  readonly isFromProject: boolean;
}

export interface ChosenModel extends ModelUse {
  readonly source: SettingSource;
}

export interface GivenModels {
  readonly given: { readonly [Role in ModelRole]: readonly GivenSetting<ModelUse>[] };
  /** Any setting of Ollama was given: then Ollama is the model, not a stand-in. */
  readonly isOllamaSet: boolean;
}

/**
 * A role without a model of its own uses the writer's: a rule-based reviewer must not sign for a real writer unless
 * that was asked for.
 */
export function chooseModels(choice: GivenModels): { readonly [R in ModelRole]: ChosenModel } {
  const own = (role: ModelRole): ChosenModel | undefined => {
    const chosen = chooseSetting(choice.given[role]);
    return chosen && { ...chosen.value, source: chosen.source };
  };
  const namesOllama = modelRoles.some((role) => own(role)?.model.startsWith("ollama/"));
  const isOllama = choice.isOllamaSet || namesOllama;
  const writer = own("writer") ?? {
    model: isOllama ? defaultOllamaModel : standInModel,
    source: "default" as const,
    isFromProject: false,
  };
  const analyst = own("analyst") ?? writer;
  return {
    writer,
    reviewer: own("reviewer") ?? writer,
    judge: own("judge") ?? writer,
    analyst,
    user: own("user") ?? analyst,
  };
}

/** The model that people mean by a name: an alias of the project is looked up once, never through another. */
export function modelUse(
  text: string,
  source: SettingSource,
  aliases: ModelAliases = {},
): ModelUse {
  const named = text.trim();
  const meant = Object.hasOwn(aliases, named) ? aliases[named] : undefined;
  const model = formatModelName(parseModelName(meant ?? named));
  return { model, isFromProject: meant !== undefined || isFromProject(source) };
}

/** A model that a file of the project may have named: the user's choice only if the user chose the same. */
export function chosenUse(
  { models }: { readonly models: { readonly [role: string]: ChosenModel } },
  model: string,
): ModelUse {
  const chosen = Object.values(models).find((use) => use.model === model && !use.isFromProject);
  return { model, isFromProject: chosen === undefined };
}

/** `OLLAMA_MODEL_NAME` can name nothing but a model of Ollama, whatever it looks like. */
export function ollamaModelName(text: string): string {
  const named = text.trim().replace(/^ollama\//u, "");
  return formatModelName(parseModelName(`ollama/${named}`));
}
