import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type AssistantSettings,
  DEFAULT_ASSISTANT_SETTINGS,
} from "../adapters/assistant/assistant-settings.ts";
import { checkPattern, createRewriter } from "../adapters/assistant/pattern-matcher.ts";
import { parsedOrThrow } from "../contract/manifests/manifest-problem.ts";
import {
  defaultScenarioSettings,
  parseScenarioSettings,
  type ScenarioSettings,
} from "../contract/manifests/scenario-settings.ts";
import { canonicalJson } from "../domain/scenarios/canonical-json.ts";
import { type CheckRules, DEFAULT_CHECK_RULES } from "../domain/scenarios/check-rules.ts";
import { NOISE_PHRASES } from "../domain/scenarios/locale.ts";
import { ConfigurationError } from "../domain/values/workflow-error.ts";
import { readVariable } from "./config.ts";

/** The project's own settings for scenarios, or the defaults where it has none. */
export function loadScenarioSettings(root: string): ScenarioSettings {
  const file = "signoff.yaml";
  try {
    const text = readFileSync(join(root, file), "utf8");
    return parsedOrThrow(parseScenarioSettings({ file, text }, checkPattern));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return defaultScenarioSettings;
    throw error;
  }
}

export function checkRulesOf(settings: ScenarioSettings): CheckRules {
  return {
    ...DEFAULT_CHECK_RULES,
    noisePhrases: settings.noise_phrases ?? NOISE_PHRASES[settings.locale],
    garbageMarkers: settings.garbage_markers ?? DEFAULT_CHECK_RULES.garbageMarkers,
  };
}

/** The adapter's settings; header values come from the environment and are kept nowhere. */
export function assistantSettingsOf(
  settings: ScenarioSettings,
  baseUrl: string,
): AssistantSettings {
  const { assistant, mask } = settings;
  const { sessionPath, ...defaults } = DEFAULT_ASSISTANT_SETTINGS;
  const { session } = assistant;
  return {
    ...defaults,
    baseUrl,
    ...(session === false ? {} : { sessionPath: session?.path ?? sessionPath ?? "" }),
    messagePath: assistant.message?.path ?? defaults.messagePath,
    requestTemplate: assistant.message?.body ?? defaults.requestTemplate,
    answer: { ...defaults.answer, ...assistant.answer },
    session: { ...defaults.session, ...assistant.session_items },
    headers: assistant.headers ?? {},
    secretHeaders: secretHeadersOf(settings),
    ...(mask.length === 0 ? {} : { rewrite: createRewriter(mask) }),
    timeoutMs: (assistant.timeout_seconds ?? defaults.timeoutMs / 1000) * 1000,
    maxBytes: assistant.max_bytes ?? defaults.maxBytes,
    retries: assistant.retries ?? defaults.retries,
  };
}

/** A project that names variables of the environment gets them only from somebody who has read what it names. */
function secretHeadersOf({ assistant }: ScenarioSettings): { readonly [name: string]: string } {
  const names = assistant.headers_env ?? {};
  if (Object.keys(names).length === 0) return {};
  const asked = { base_url: assistant.base_url ?? null, headers_env: names };
  const digest = createHash("sha256").update(canonicalJson(asked)).digest("hex").slice(0, 16);
  if (readVariable("SIGNOFF_TRUST") !== digest) {
    throw new ConfigurationError(
      `signoff.yaml wants to send ${Object.values(names).join(", ")} of your environment to the assistant.`,
      {
        code: "trust-needed",
        facts: { digest, variables: Object.values(names) },
        hint: `If that is right, set SIGNOFF_TRUST=${digest}.`,
      },
    );
  }
  return Object.fromEntries(
    Object.entries(names).map(([header, variable]) => [header, headerValue(header, variable)]),
  );
}

function headerValue(header: string, variable: string): string {
  const value = readVariable(variable);
  if (value !== undefined) return value;
  throw new ConfigurationError(`The header ${header} needs the variable ${variable}.`, {
    code: "variable-missing",
    facts: { header, variable },
  });
}
