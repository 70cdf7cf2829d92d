import {
  hostedAccount,
  hostedProviderNames,
  isHostedProvider,
} from "../models/hosted-providers.ts";
import type { Json } from "../values/json.ts";
import type { ProjectConfig } from "./project-config.ts";

/** A thing in a project's files that would run a program or send a secret on the user's behalf. */
export type TrustPart =
  | { readonly kind: "command"; readonly setting: string; readonly argv: readonly string[] }
  | {
      readonly kind: "key" | "header";
      readonly setting: string;
      readonly baseUrl: string;
      readonly variable: string;
    }
  /** A setting that chooses a program, or a hosted model that is paid for with the user's own key. */
  | { readonly kind: "chosen-model"; readonly setting: string; readonly model: string };

/** A model that the project's files name, and where. */
export interface NamedModel {
  readonly setting: string;
  readonly model: string;
}

/**
 * What must do nothing until the user has seen it and said yes. `alsoNamed`: models that the project's `.env`
 * names.
 */
export function untrustedParts(
  config: ProjectConfig | undefined,
  alsoNamed: readonly NamedModel[] = [],
): readonly TrustPart[] {
  const named = [...modelsOf(config), ...alsoNamed].filter(({ model }) => isActing(model));
  return [
    ...Object.entries(config?.commands ?? {}).map(([name, { argv }]) => ({
      ...{ kind: "command" as const, setting: `commands.${name}`, argv },
    })),
    ...keyParts(config),
    ...hostedParts(config),
    ...headerParts(config),
    ...named.map((each) => ({ kind: "chosen-model" as const, ...each })),
  ];
}

/** The same text for the same parts in any order: its digest is what the user's yes is about. */
export function trustText(parts: readonly TrustPart[]): string {
  const lines = parts.map((part) => JSON.stringify(inFixedOrder(part)));
  return [...new Set(lines)].sort().join("\n");
}

/** One line for people. */
export function describeTrustPart(part: TrustPart): string {
  switch (part.kind) {
    case "command":
      return `${part.setting} runs: ${JSON.stringify(part.argv)}`;
    case "key":
    case "header": {
      const sent = `${part.setting} sends the value of ${part.variable} to ${part.baseUrl}`;
      return part.kind === "key" ? sent : `${sent} as a header`;
    }
    case "chosen-model":
      return isHosted(part.model)
        ? `${part.setting} spends on your account: ${part.model}`
        : `${part.setting} runs a program as a model: ${part.model}`;
  }
}

function modelsOf(config: ProjectConfig | undefined): readonly NamedModel[] {
  const { aliases = {}, partitions: _, ...roles } = config?.models ?? {};
  const inRoles = Object.entries(roles).map(([role, model]) => named(`models.${role}`, model));
  const inAliases = Object.entries(aliases).map(([name, model]) =>
    named(`models.aliases.${name}`, model),
  );
  const inNotes = (config?.notes?.models ?? []).map((model) => named("notes.models", model));
  const analysts = Object.entries(config?.scenarios?.analysts ?? {});
  const inAnalysts = analysts.flatMap(([name, { model }]) =>
    model === undefined ? [] : [named(`scenarios.analysts.${name}`, model)],
  );
  const coder = config?.stages?.coder;
  const inStages = coder ? [named("stages.coder", coder)] : [];
  return [...inRoles, ...inAliases, ...inNotes, ...inAnalysts, ...inStages];
}

function named(setting: string, model: string): NamedModel {
  return { setting, model };
}

/** Choosing this model runs a program or sends a key. */
export function isActing(model: string): boolean {
  return model.trim().startsWith("command/") || isHosted(model);
}

function isHosted(model: string): boolean {
  return isHostedProvider(model.trim().split("/", 1).join());
}

/** Settings of a hosted provider may change where its key is sent, so all of them need trust. */
function hostedParts(config: ProjectConfig | undefined): readonly TrustPart[] {
  return hostedProviderNames.flatMap((provider) => {
    const own = config?.providers?.[provider];
    if (own === undefined) return [];
    const { address: baseUrl, variable } = hostedAccount(provider, own, () => undefined);
    return [{ kind: "key" as const, setting: `providers.${provider}`, baseUrl, variable }];
  });
}

function keyParts(config: ProjectConfig | undefined): readonly TrustPart[] {
  return Object.entries(config?.providers?.compatible ?? {}).flatMap(([name, server]) => {
    const { baseUrl, apiKeyEnv: variable } = server;
    if (variable === undefined) return [];
    return [{ kind: "key", setting: `providers.compatible.${name}`, baseUrl, variable }];
  });
}

function headerParts(config: ProjectConfig | undefined): readonly TrustPart[] {
  const { baseUrl = defaultAssistantUrl, headersEnv = {} } = config?.scenarios?.assistant ?? {};
  return Object.entries(headersEnv).map(([header, variable]) => {
    const setting = `scenarios.assistant.headers_env.${header}`;
    return { kind: "header", setting, baseUrl, variable };
  });
}

export const defaultAssistantUrl = "http://127.0.0.1:8787";

function inFixedOrder(part: TrustPart): Json {
  return Object.entries(part)
    .map(([name, value]): readonly [string, Json] => [name, value as Json])
    .sort(([left], [right]) => (left < right ? -1 : 1));
}
