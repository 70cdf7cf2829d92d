import { modelRoles } from "../../domain/settings/choose-models.ts";
import { chooseSetting, type SettingEntry } from "../../domain/settings/choose-setting.ts";
import { freezeDeep } from "../../domain/settings/freeze-deep.ts";
import type { Trust } from "../../domain/settings/require-trusted.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { type TrustPart, untrustedParts } from "../../domain/settings/trust-parts.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import { buildSettings, type ChosenSettings } from "./build-settings.ts";
import { fileEntries } from "./file-entries.ts";
import {
  checkGiven,
  givenFor,
  type SettingProblem,
  type SettingSources,
} from "./given-settings.ts";
import { modelsNamedInDotEnv, type ResolvedModels, resolveModels } from "./resolve-models.ts";
import { type Setting, type SettingName, settingTable } from "./setting-table.ts";

export type ResolvedSettings =
  | {
      readonly kind: "ok";
      readonly settings: Settings;
      readonly entries: readonly SettingEntry[];
    }
  | { readonly kind: "problems"; readonly problems: readonly SettingProblem[] };

/**
 * Flag, environment, `.env`, `signoff.yaml`, default, in this order, for every setting. A function of its
 * arguments alone: what one invocation overrides, another never sees.
 */
export function resolveSettings(
  sources: SettingSources,
  judgeTrust: (parts: readonly TrustPart[]) => Trust,
): ResolvedSettings {
  const { chosen, problems } = chooseAll(sources);
  const resolved = resolveModels(sources);
  const built = buildSettings({
    ...{ sources, chosen, models: resolved.models },
    trust: judgeTrust(untrustedParts(sources.config?.config, modelsNamedInDotEnv(sources))),
  });
  const all = eachOnce([...problems, ...resolved.problems, ...built.problems]);
  if (all.length > 0) return { kind: "problems", problems: all };
  const entries = [...modelEntries(resolved), ...tableEntries(chosen), ...fileEntries(sources)];
  return { kind: "ok", settings: freezeDeep(built.settings), entries: freezeDeep(entries) };
}

/** A flag that names every role's model is wrong once. */
function eachOnce(problems: readonly SettingProblem[]): readonly SettingProblem[] {
  const byPlace = problems.map((each) => [`${each.source} ${each.name}`, each] as const);
  return [...new Map(byPlace).values()];
}

function chooseAll(sources: SettingSources) {
  const problems: SettingProblem[] = [];
  const chosen = Object.entries(settingTable).map(([name, setting]: [string, Setting]) => {
    const checked = checkGiven(givenFor(name, setting, sources), setting.schema);
    problems.push(...checked.problems);
    return [name, chooseSetting(checked.usable)] as const;
  });
  return { chosen: Object.fromEntries(chosen) as ChosenSettings, problems };
}

function modelEntries({ models }: ResolvedModels): readonly SettingEntry[] {
  return modelRoles.map((role) => ({
    ...{ name: `models.${role}`, value: models[role].model, source: models[role].source },
  }));
}

function tableEntries(chosen: ChosenSettings): readonly SettingEntry[] {
  return Object.entries(settingTable).map(([name, setting]: [string, Setting]) => {
    const given = chosen[name as SettingName];
    if (given !== undefined) return { name, value: given.value as Json, source: given.source };
    const { note } = setting;
    return {
      ...{ name, value: (setting.default ?? null) as Json, source: "default" },
      ...defined({ note }),
    };
  });
}
