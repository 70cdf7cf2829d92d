import {
  type AssistantSettings,
  DEFAULT_ASSISTANT_SETTINGS,
} from "../../adapters/assistant/assistant-settings.ts";
import { createRewriter } from "../../adapters/assistant/pattern-matcher.ts";
import { type CheckRules, DEFAULT_CHECK_RULES } from "../../domain/scenarios/check-rules.ts";
import { NOISE_PHRASES } from "../../domain/scenarios/locale.ts";
import { withoutCredentials } from "../../domain/settings/redactor.ts";
import { requireTrustedHeaders } from "../../domain/settings/require-trusted.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { Environment } from "./environment.ts";

export function checkRulesOf({ scenarios }: Settings): CheckRules {
  return {
    ...DEFAULT_CHECK_RULES,
    noisePhrases: scenarios.noisePhrases ?? NOISE_PHRASES[scenarios.locale],
    garbageMarkers: scenarios.garbageMarkers ?? DEFAULT_CHECK_RULES.garbageMarkers,
  };
}

/** The adapter's settings; header values come from the environment and are kept nowhere. */
export function assistantSettingsOf(
  settings: Settings,
  environment: Pick<Environment, "secret">,
  baseUrl: string,
): AssistantSettings {
  const { assistant, mask } = settings.scenarios;
  const { sessionPath = "", ...defaults } = DEFAULT_ASSISTANT_SETTINGS;
  const { message, session } = assistant;
  refuseCredentials(baseUrl);
  return {
    ...defaults,
    baseUrl,
    ...(session?.available === false ? {} : { sessionPath: session?.path ?? sessionPath }),
    messagePath: message?.path ?? defaults.messagePath,
    requestTemplate: (message?.body as Json | undefined) ?? defaults.requestTemplate,
    answer: { ...defaults.answer, ...message?.answer },
    session: { ...defaults.session, ...session?.answer },
    ...defined({ versionHeader: assistant.versionHeader }),
    headers: assistant.headers ?? {},
    secretHeaders: secretHeadersOf(settings, environment, baseUrl),
    ...(mask.length === 0 ? {} : { rewrite: createRewriter(mask) }),
    timeoutMs: (assistant.timeoutSeconds ?? defaults.timeoutMs / 1000) * 1000,
    maxBytes: assistant.maxBytes ?? defaults.maxBytes,
    retries: assistant.retries ?? defaults.retries,
  };
}

/** The address of a run is stored in its files, so it must not contain a password. */
function refuseCredentials(baseUrl: string): void {
  const shown = withoutCredentials(baseUrl);
  if (shown === baseUrl) return;
  throw new ConfigurationError(
    `The assistant's address ${shown} contains a user name or password.`,
    {
      code: "address-with-password",
      facts: { address: shown },
      hint: "Send them as a header: scenarios.assistant.headers_env of signoff.yaml.",
    },
  );
}

/**
 * The user's trust covers these variables for the address in the settings; another address gets them only if the user
 * gives it for this invocation. An address that a stage or a run remembers counts as neither.
 */
function secretHeadersOf(
  { scenarios, trust }: Settings,
  environment: Pick<Environment, "secret">,
  baseUrl: string,
): { readonly [name: string]: string } {
  requireTrustedHeaders(trust);
  const { headersEnv = {}, baseUrl: settled } = scenarios.assistant;
  const named = Object.entries(headersEnv);
  if (named.length > 0 && baseUrl !== settled) {
    throw new ConfigurationError(
      `The assistant at ${baseUrl} would get ${named.map(([, variable]) => variable).join(", ")}, which you have trusted only for ${settled}.`,
      {
        code: "trust-needed",
        facts: { address: baseUrl, trusted: settled },
        hint: `To allow it, give --assistant-url ${baseUrl}.`,
      },
    );
  }
  return Object.fromEntries(
    named.map(([header, variable]) => [header, headerValue(header, variable, environment)]),
  );
}

function headerValue(
  header: string,
  variable: string,
  environment: Pick<Environment, "secret">,
): string {
  const value = environment.secret(variable);
  if (value !== undefined) return value;
  throw new ConfigurationError(`The header ${header} needs the variable ${variable}.`, {
    code: "variable-missing",
    facts: { header, variable },
    hint: `Set ${variable} in your environment.`,
  });
}
