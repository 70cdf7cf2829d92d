import { configFileName, configPath, readSmallFile } from "../../adapters/workspace/config-file.ts";
import type { SettingProblem } from "../../contract/config/given-settings.ts";
import { parseConfig, type ReadConfig } from "../../contract/config/parse-config.ts";
import { modelVariables } from "../../contract/config/resolve-models.ts";
import { resolveSettings } from "../../contract/config/resolve-settings.ts";
import { type SettingFlags, settingTable } from "../../contract/config/setting-table.ts";
import { messageWithHint, type Parsed } from "../../contract/documents/file-problem.ts";
import { nearestName } from "../../contract/documents/nearest-name.ts";
import { hostedProviderNames, hostedProviders } from "../../domain/models/hosted-providers.ts";
import { modelRoles } from "../../domain/settings/choose-models.ts";
import type { SettingEntry } from "../../domain/settings/choose-setting.ts";
import type { ProjectConfig } from "../../domain/settings/project-config.ts";
import {
  createRedactor,
  passwordsIn,
  type Redactor,
  redacted,
  withoutCredentials,
} from "../../domain/settings/redactor.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { type DotEnv, loadDotEnv } from "./dot-env.ts";
import type { Environment } from "./environment.ts";
import { createGuard, type TrustGuard } from "./guard.ts";
import { judgeTrust, loadTrustedDigest } from "./trust.ts";

export interface SettingsRequest {
  readonly root: string;
  readonly environment: Environment;
  readonly flags: SettingFlags;
  /** `--trust` */
  readonly trust?: boolean;
}

export interface LoadedSettings {
  readonly settings: Settings;
  /** For `config show`, without secrets. */
  readonly entries: readonly SettingEntry[];
  /** Warnings about settings that have no effect. */
  readonly notices: readonly string[];
  /** Knows every secret that these settings name. */
  readonly redactor: Redactor;
  readonly guard: TrustGuard;
}

/**
 * Reads the project's files and settles every value for one invocation. Throws `ConfigurationError`
 * (`settings-invalid`) that names everything wrong at once.
 */
export async function loadProjectSettings(request: SettingsRequest): Promise<LoadedSettings> {
  const { root, environment, flags } = request;
  const dotEnv = await loadDotEnv(root);
  const text = await readSmallFile(configPath(root));
  const parsed = saysNothing(text) ? undefined : parseConfig(text, configFileName);
  const stored = await loadTrustedDigest({ userFolder: environment.userFolder, root });
  const byEnvironment = environment.trustedDigest;
  const given = { byFlag: request.trust ?? false, byEnvironment, stored };
  const resolved = resolveSettings(
    {
      ...{ flags, environment: environment.variables, dotEnv: dotEnv.variables },
      ...(parsed?.kind === "parsed" ? { config: parsed.value } : {}),
    },
    (parts) => judgeTrust(parts, given),
  );
  const config = parsed?.kind === "parsed" ? parsed.value.config : undefined;
  const redactor = createRedactor(secretsOf({ config, environment, dotEnv }));
  const problems = [
    ...fileProblems(parsed),
    ...(await maskProblems(parsed)),
    ...(resolved.kind === "problems" ? resolved.problems : []),
  ];
  if (problems.length > 0 || resolved.kind === "problems") throw invalid(problems, redactor);
  const { settings } = resolved;
  const guard = createGuard({ root, settings, environment });
  if (flags.assistantUrl !== undefined) rememberAddress(guard, settings);
  return {
    settings,
    guard,
    entries: [
      ...resolved.entries.map((each) => shown(each, redactor)),
      ...keyEntries(config, environment),
    ],
    notices: [
      ...dotEnv.notices,
      ...unknownVariables(environment.variables, "The environment"),
      ...unknownVariables(dotEnv.variables, ".env"),
    ],
    redactor,
  };
}

/** The user gave the assistant's address, and trusts the settings that say which secrets it gets. */
function rememberAddress(guard: TrustGuard, { scenarios }: Settings): void {
  const { baseUrl: address, headersEnv = {} } = scenarios.assistant;
  for (const variable of Object.values(headersEnv)) {
    guard.remember({ kind: "secret", address, variable });
  }
}

/** The settings without any files, variables or flags. */
export function defaultSettings(): Settings {
  const nothing = { flags: {}, environment: {}, dotEnv: {} };
  const untrusted = { byFlag: false, byEnvironment: undefined, stored: undefined };
  const resolved = resolveSettings(nothing, (parts) => judgeTrust(parts, untrusted));
  if (resolved.kind === "problems") throw new TypeError("The defaults contradict the shape.");
  return resolved.settings;
}

/** An empty file only marks the root of the project. */
function saysNothing(text: string | undefined): text is undefined {
  return (text ?? "").split("\n").every((line) => /^\s*(?:#|$)/u.test(line));
}

interface SecretSources {
  readonly config: ProjectConfig | undefined;
  readonly environment: Environment;
  readonly dotEnv: DotEnv;
}

/** Keys of the big providers, and the secrets that the project's files name, trusted or not. */
function secretsOf({ config, environment, dotEnv }: SecretSources): readonly string[] {
  const { httpProxy, httpsProxy } = environment.proxy;
  const addresses = [
    ...Object.values(environment.variables),
    ...Object.values(dotEnv.variables),
    ...Object.values(config?.providers?.compatible ?? {}).map(({ baseUrl }) => baseUrl),
    ...hostedProviderNames.map((name) => config?.providers?.[name]?.baseUrl),
    config?.providers?.ollama?.baseUrl,
    config?.scenarios?.assistant?.baseUrl,
    httpProxy,
    httpsProxy,
  ];
  return [
    ...["PGPASSWORD", ...keyVariables(config)].flatMap((name) => environment.secret(name) ?? []),
    ...addresses.flatMap((url) => (url === undefined ? [] : passwordsIn(url))),
  ];
}

function keyVariables(config: ProjectConfig | undefined): readonly string[] {
  const servers = Object.values(config?.providers?.compatible ?? {});
  const named = servers.flatMap(({ apiKeyEnv }) => apiKeyEnv ?? []);
  const headers = Object.values(config?.scenarios?.assistant?.headersEnv ?? {});
  const hosted = hostedProviderNames.flatMap((name) => [
    ...hostedProviders[name].variables,
    ...(config?.providers?.[name]?.apiKeyEnv ?? []),
  ]);
  return [...new Set([...hosted, "AWS_SESSION_TOKEN", ...named, ...headers])];
}

function keyEntries(
  config: ProjectConfig | undefined,
  environment: Environment,
): readonly SettingEntry[] {
  return keyVariables(config)
    .filter((name) => environment.secret(name) !== undefined)
    .map((name) => ({ name, value: redacted, source: "environment" }));
}

function shown(entry: SettingEntry, redactor: Redactor): SettingEntry {
  const { value } = entry;
  const safe = typeof value === "string" ? withoutCredentials(value) : value;
  return { ...entry, value: redactor.json(safe) };
}

function fileProblems(parsed: Parsed<ReadConfig> | undefined): readonly SettingProblem[] {
  if (parsed?.kind !== "problems") return [];
  return parsed.problems.map((problem) => ({
    source: `${configFileName}:${problem.line ?? 1}` as const,
    name: problem.path,
    message: messageWithHint(problem),
  }));
}

/** Patterns are checked by the engine that runs them. */
async function maskProblems(
  parsed: Parsed<ReadConfig> | undefined,
): Promise<readonly SettingProblem[]> {
  if (parsed?.kind !== "parsed") return [];
  const { config, lineOf } = parsed.value;
  const rules = config.scenarios?.mask ?? [];
  if (rules.length === 0) return [];
  const { checkPattern } = await import("../../adapters/assistant/pattern-matcher.ts");
  return rules.flatMap(({ pattern }, index) => {
    const problem = checkPattern(pattern);
    if (problem === undefined) return [];
    const path = ["scenarios", "mask", index, "pattern"];
    const source = `${configFileName}:${lineOf(path)}` as const;
    return [{ source, name: path.join("."), message: problem.message }];
  });
}

function invalid(problems: readonly SettingProblem[], redactor: Redactor): ConfigurationError {
  const texts = problems.map(
    ({ source, name, message }) => `${name === "" ? "the file" : name} (${source}): ${message}`,
  );
  const count =
    problems.length === 1 ? "A setting is wrong" : `${problems.length} settings are wrong`;
  return new ConfigurationError(redactor.text(`${count}: ${texts.join("; ")}`), {
    code: "settings-invalid",
    facts: { problems: problems.map((each) => redactor.json({ ...each })) },
  });
}

const knownVariables: readonly string[] = [
  ...["TRUST", "USER", "DATABASE_URL", "STOP_AT", "CRASH_LOG", "FIXED_TIME"].map(
    (name) => `SIGNOFF_${name}`,
  ),
  ...modelRoles.flatMap((role) => modelVariables(role)),
  ...Object.values(settingTable).flatMap(({ variables }) => variables),
];

/** Unknown `OLLAMA_…` are Ollama's own; an unknown `SIGNOFF_…` is most likely a typing error. */
function unknownVariables(variables: DotEnv["variables"], where: string): readonly string[] {
  return Object.keys(variables)
    .filter((name) => /^SIGNOFF_\w+$/u.test(name) && !knownVariables.includes(name))
    .map((name) => {
      const nearest = nearestName(name, knownVariables);
      const hint = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
      return `${where} sets ${name}, which is not a setting.${hint}`;
    });
}
