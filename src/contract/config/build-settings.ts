import { type ChosenModel, modelRoles } from "../../domain/settings/choose-models.ts";
import type { GivenSetting, SettingSource } from "../../domain/settings/choose-setting.ts";
import type { ModelRole, ProjectConfig } from "../../domain/settings/project-config.ts";
import type { Trust } from "../../domain/settings/require-trusted.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { defined } from "../../domain/values/defined.ts";
import type { SettingProblem, SettingSources } from "./given-settings.ts";
import { readModel } from "./resolve-models.ts";
import {
  type Setting,
  type SettingName,
  type SettingValue,
  settingTable,
} from "./setting-table.ts";

/** The value that applies to each setting, if one was given. */
export type ChosenSettings = {
  readonly [Name in SettingName]: GivenSetting<SettingValue<Name>> | undefined;
};

export interface SettingParts {
  readonly sources: SettingSources;
  readonly chosen: ChosenSettings;
  readonly models: { readonly [Role in ModelRole]: ChosenModel };
  readonly trust: Trust;
}

export interface BuiltSettings {
  readonly settings: Settings;
  readonly problems: readonly SettingProblem[];
}

const firstLocalCallSeconds = 180;
const defaultImportedRuns = {
  report: "reports/{id}.md",
  sessions: "assistant_sessions/{id}-*.json",
};

export function buildSettings(parts: SettingParts): BuiltSettings {
  const { chosen, models, trust } = parts;
  const config = parts.sources.config?.config;
  const problems: SettingProblem[] = [];
  const other = otherModels(parts, problems);
  const temperature = chosen.temperature?.value;
  const maxTokens = chosen.max_tokens?.value;
  const idleSeconds = settingOf(chosen, "limits.timeout");
  const totalSeconds = chosen["limits.total_timeout"]?.value;
  const settings: Settings = {
    models,
    aliases: config?.models?.aliases ?? {},
    ...defined({ temperature, maxTokens }),
    idleSeconds,
    firstIdleSeconds: chosen["limits.timeout"] === undefined ? firstLocalCallSeconds : idleSeconds,
    ...defined({ totalSeconds }),
    ollama: { baseUrl: ollamaRoot(settingOf(chosen, "providers.ollama.base_url")) },
    ...trustedOnly(config, trust),
    prices: config?.prices ?? [],
    limits: limitsOf(chosen, config),
    ...featuresOf(parts, other),
    trust,
  };
  return { settings, problems };
}

/** The value, or the table's default where it has one. */
function settingOf<Name extends SettingName>(
  chosen: ChosenSettings,
  name: Name,
): (typeof settingTable)[Name] extends { readonly default: unknown }
  ? SettingValue<Name>
  : SettingValue<Name> | undefined {
  const setting: Setting = settingTable[name];
  return (chosen[name]?.value ?? setting.default) as ReturnType<typeof settingOf<Name>>;
}

/** What may be used of the things that need trust: nothing before it was given. */
function trustedOnly(config: ProjectConfig | undefined, { isTrusted }: Trust) {
  const servers = Object.entries(config?.providers?.compatible ?? {});
  const usable = servers.filter(([, { apiKeyEnv }]) => isTrusted || apiKeyEnv === undefined);
  const { ollama: _, compatible: __, ...hosted } = config?.providers ?? {};
  return {
    hosted: isTrusted ? hosted : {},
    compatible: Object.fromEntries(usable),
    commands: isTrusted ? (config?.commands ?? {}) : {},
  };
}

function limitsOf(chosen: ChosenSettings, config: ProjectConfig | undefined): Settings["limits"] {
  const usd = chosen["limits.budget.usd"]?.value;
  const tokens = chosen["limits.budget.tokens"]?.value;
  const seconds = chosen["limits.budget.seconds"]?.value;
  return {
    concurrency: {
      ...config?.limits?.concurrency,
      default: settingOf(chosen, "limits.concurrency.default"),
      ollama: settingOf(chosen, "limits.concurrency.ollama"),
    },
    ...defined({ requestsPerSecond: config?.limits?.requestsPerSecond }),
    attempts: settingOf(chosen, "limits.retries"),
    longestWaitSeconds: settingOf(chosen, "limits.longest_wait_seconds"),
    budget: {
      ...defined({ usd, tokens, seconds }),
    },
  };
}

function featuresOf({ chosen, sources, trust }: SettingParts, other: OtherModels) {
  const maxTurns = chosen["drafting.max_turns"]?.value;
  const maxIterations = chosen["episodes.max_iterations"]?.value;
  const { scenarios, stages } = sources.config?.config ?? {};
  const { headersEnv, ...assistant } = scenarios?.assistant ?? {};
  const { garbageMarkers, noisePhrases, questions, importedRuns, analysts, analystRule } =
    scenarios ?? {};
  return {
    drafting: {
      ...defined({ maxTurns }),
      recipes: settingOf(chosen, "drafting.recipes"),
    },
    episodes: {
      language: settingOf(chosen, "episodes.language"),
      ...defined({ maxIterations }),
    },
    notes: {
      roots: settingOf(chosen, "notes.roots"),
      exclude: settingOf(chosen, "notes.exclude"),
      gates: settingOf(chosen, "notes.gates"),
      models: other.notes,
      lock: settingOf(chosen, "notes.lock"),
      exports: settingOf(chosen, "notes.exports"),
      findings: settingOf(chosen, "notes.findings"),
      partitions: sources.config?.config.models?.partitions ?? {},
      allowOffline: settingOf(chosen, "notes.allow_offline"),
      panels: sources.config?.config.notes?.panels ?? {},
    },
    scenarios: {
      outputDir: settingOf(chosen, "scenarios.output_dir"),
      assistant: {
        ...assistant,
        baseUrl: settingOf(chosen, "scenarios.assistant.base_url"),
        ...(headersEnv === undefined || !trust.isTrusted ? {} : { headersEnv }),
      },
      mask: settingOf(chosen, "scenarios.mask"),
      locale: settingOf(chosen, "scenarios.locale"),
      library: settingOf(chosen, "scenarios.library"),
      ...defined({ garbageMarkers, noisePhrases, questions, analysts, analystRule }),
      importedRuns: { ...defaultImportedRuns, ...importedRuns },
    },
    stages: {
      repairMode: settingOf(chosen, "stages.repair_mode"),
      targetScore: settingOf(chosen, "stages.target_score"),
      coder: other.coder,
      fileHints: stages?.fileHints ?? {},
    },
    studio: { port: settingOf(chosen, "studio.port") },
  };
}

interface OtherModels {
  readonly notes: readonly ChosenModel[];
  readonly coder: ChosenModel;
}

/** `notes.models` holds names of roles or of models. */
function otherModels(parts: SettingParts, problems: SettingProblem[]): OtherModels {
  const { chosen, models, sources } = parts;
  const read = (name: "notes.models" | "stages.coder", text: string): ChosenModel => {
    const source: SettingSource = chosen[name]?.source ?? "default";
    const use = readModel({ value: text, source, as: chosen[name]?.as ?? name }, sources);
    if ("model" in use) return { ...use, source };
    problems.push(use);
    return models.writer;
  };
  const notes = settingOf(chosen, "notes.models").map((text) =>
    isRole(text) ? models[text] : read("notes.models", text),
  );
  return { notes, coder: read("stages.coder", settingOf(chosen, "stages.coder")) };
}

function isRole(text: string): text is ModelRole {
  return modelRoles.some((role) => role === text);
}

/** Ollama's own address, also when the address of its OpenAI-compatible part was given. */
function ollamaRoot(baseUrl: string): string {
  return baseUrl.replace(/\/+$/u, "").replace(/\/v1$/u, "").replace(/\/+$/u, "");
}
