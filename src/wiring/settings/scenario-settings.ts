import { pathWith } from "../../adapters/assistant/assistant-request.ts";
import {
  type AssistantSettings,
  DEFAULT_ASSISTANT_SETTINGS,
  DEFAULT_MESSAGE,
  DEFAULT_SESSION,
  type MessageSettings,
  type RunProgram,
  type SessionSettings,
} from "../../adapters/assistant/assistant-settings.ts";
import { createRewriter } from "../../adapters/assistant/pattern-matcher.ts";
import { type AssistantPreset, assistantPresets } from "../../adapters/assistant/presets.ts";
import { allowedEnvironment } from "../../adapters/runners/command/allowed-environment.ts";
import { type ProcessEnd, runProcess } from "../../adapters/runners/command/run-process.ts";
import { type CheckRules, DEFAULT_CHECK_RULES } from "../../domain/scenarios/check-rules.ts";
import { NOISE_PHRASES } from "../../domain/scenarios/locale.ts";
import type { SessionKind } from "../../domain/scenarios/turn.ts";
import type { Guard } from "../../domain/settings/acts.ts";
import { withoutCredentials } from "../../domain/settings/redactor.ts";
import { refuseUntrusted, requireTrustedHeaders } from "../../domain/settings/require-trusted.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { canonicalJson } from "../../domain/values/canonical-json.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { Clock } from "../../ports/clock.ts";
import { sha256 } from "../project/sha256.ts";
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
  readonly root: string;
  readonly settings: Settings;
  readonly environment: Pick<Environment, "secret" | "everything">;
  readonly guard: Guard;
  readonly clock: Clock;
}

/** The adapter's settings; header values come from the environment and are kept nowhere. */
export function assistantSettingsOf(access: AssistantAccess, baseUrl: string): AssistantSettings {
  const { assistant, mask } = access.settings.scenarios;
  const { preset: presetName, model, stream, versionHeader } = assistant;
  const preset = presetName && assistantPresets[presetName];
  const defaults = DEFAULT_ASSISTANT_SETTINGS;
  refuseCredentials(baseUrl);
  const message = messageOf(assistant, preset);
  const runProgram = programOf(access, baseUrl);
  return {
    ...defaults,
    baseUrl,
    message,
    session: sessionOf(assistant, { message, preset, isServer: runProgram === undefined }),
    ...defined({ versionHeader, model, stream, runProgram }),
    headers: { ...preset?.headers, ...assistant.headers },
    secretHeaders: secretHeadersOf(access, baseUrl),
    ...(mask.length === 0 ? {} : { rewrite: createRewriter(mask) }),
    timeoutMs: (assistant.timeoutSeconds ?? defaults.timeoutMs / 1000) * 1000,
    maxBytes: assistant.maxBytes ?? defaults.maxBytes,
    retries: assistant.retries ?? defaults.retries,
  };
}

/** A digest of all settings that decide what the assistant is sent and what is recorded of its answer. */
export function assistantSetup({ scenarios: { assistant, mask } }: Settings): string {
  const { preset, model, stream, message, session, headers } = assistant;
  const facts = { preset, model, stream, message, session, headers, mask };
  return sha256(canonicalJson(JSON.parse(JSON.stringify(facts)) as Json)).slice(0, 16);
}

type AssistantConfig = Settings["scenarios"]["assistant"];

function messageOf(
  { message: own }: AssistantConfig,
  preset: AssistantPreset | undefined,
): MessageSettings {
  const given = { ...preset?.message, ...own } as Partial<MessageSettings>;
  const answer = { ...DEFAULT_MESSAGE.answer, ...preset?.message.answer, ...own?.answer };
  return { ...DEFAULT_MESSAGE, ...given, answer };
}

function sessionOf(
  { session: own = {}, headers = {} }: AssistantConfig,
  about: {
    readonly message: MessageSettings;
    readonly preset: AssistantPreset | undefined;
    readonly isServer: boolean;
  },
): SessionSettings {
  const { message, preset, isServer } = about;
  const create = own.create && {
    path: own.create.path,
    body: (own.create.body ?? {}) as Json,
    sessionId: own.create.sessionId ?? "id || session_id",
  };
  const usualKind = create
    ? "given"
    : (preset?.sessions ?? kindIn([message.body, message.path, headers]));
  const kind = own.kind ?? usualKind;
  const hasUsual = preset === undefined && isServer && (kind === "given" || kind === "client");
  const usual = hasUsual ? DEFAULT_SESSION.path : undefined;
  const path = own.available === false ? undefined : (own.path ?? usual);
  if (kind === "given" && create === undefined) pathWith(message.path, undefined);
  return {
    ...defined({ create, path }),
    kind,
    answer: { ...DEFAULT_SESSION.answer, ...own.answer },
  };
}

/** Without a word about it, what the requests contain says who keeps a conversation together. */
function kindIn(sent: readonly unknown[]): SessionKind {
  const text = JSON.stringify(sent);
  const names = (name: string) => new RegExp(`[{]\\s*${name}\\s*[}]|:${name}`, "u").test(text);
  return names("messages") ? "history" : names("session_id") ? "given" : "none";
}

/** `command:NAME` asks a program of the project's settings: the request on its input, the answer on its output. */
function programOf(access: AssistantAccess, baseUrl: string): RunProgram | undefined {
  const name = /^command:(.+)$/u.exec(baseUrl)?.[1];
  if (name === undefined) return undefined;
  const { root, settings, environment, guard, clock } = access;
  const { trust } = settings;
  refuseUntrusted(
    trust,
    trust.parts.filter(({ setting }) => setting === `commands.${name}`),
  );
  const command = Object.hasOwn(settings.commands, name) ? settings.commands[name] : undefined;
  if (command === undefined) {
    throw new ConfigurationError(`There is no command ${name} for the assistant.`, {
      code: "command-unknown",
      facts: { command: name },
      hint: `Name it in signoff.yaml: commands: { ${name}: { argv: [PROGRAM, ARGUMENT] } }`,
    });
  }
  const { argv, seconds = settings.scenarios.assistant.timeoutSeconds ?? 180 } = command;
  guard({ kind: "program", argv, folder: root });
  return async (input, signal) => {
    const end = await runProcess({
      ...{ argv, cwd: root, guard, clock, input, signal },
      environment: allowedEnvironment(environment.everything(), []),
      limits: { wallMs: seconds * 1000, outputBytes: 10 * 1024 * 1024, graceMs: 5_000 },
    });
    if (end.kind === "exited" && end.code === 0) return { kind: "ended", stdout: end.stdout };
    if (end.kind === "not-started") {
      return { kind: "failed", message: `${argv[0]}: ${end.reason}`, wasStarted: false };
    }
    const said = end.stderr.trim();
    const message = `${howItEnded(end, seconds)}${said === "" ? "" : `: ${said}`}`;
    return { kind: "failed", message, wasStarted: true };
  };
}

function howItEnded(end: Exclude<ProcessEnd, { kind: "not-started" }>, seconds: number): string {
  if (end.kind === "exited") {
    return end.code === null ? "ended by a signal" : `exit code ${end.code}`;
  }
  return end.limit === "output" ? "more than 10 MB of output" : `no answer within ${seconds} s`;
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
  { settings, environment, guard }: Pick<AssistantAccess, "settings" | "environment" | "guard">,
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
