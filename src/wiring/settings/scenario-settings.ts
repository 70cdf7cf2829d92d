import {
  type AssistantSettings,
  DEFAULT_ASSISTANT_SETTINGS,
} from "../../adapters/assistant/assistant-settings.ts";
import { createRewriter } from "../../adapters/assistant/pattern-matcher.ts";
import { type CheckRules, DEFAULT_CHECK_RULES } from "../../domain/scenarios/check-rules.ts";
import { NOISE_PHRASES } from "../../domain/scenarios/locale.ts";
import type { Guard } from "../../domain/settings/acts.ts";
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

/** What the assistant may be sent. */
export interface AssistantAccess {
  readonly settings: Settings;
  readonly environment: Pick<Environment, "secret">;
  readonly guard: Guard;
}

/** The adapter's settings; header values come from the environment and are kept nowhere. */
export function assistantSettingsOf(access: AssistantAccess, baseUrl: string): AssistantSettings {
  const { assistant, mask } = access.settings.scenarios;
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
    secretHeaders: secretHeadersOf(access, baseUrl),
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

/** An address that a stage or a run remembers gets a secret only if the user agreed to exactly that address. */
function secretHeadersOf(
  { settings, environment, guard }: AssistantAccess,
  baseUrl: string,
): { readonly [name: string]: string } {
  requireTrustedHeaders(settings.trust);
  const named = Object.entries(settings.scenarios.assistant.headersEnv ?? {});
  return Object.fromEntries(
    named.map(([header, variable]) => {
      guard({ kind: "secret", address: baseUrl, variable });
      return [header, headerValue(header, variable, environment)];
    }),
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
