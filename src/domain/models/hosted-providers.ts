import { defined } from "../values/defined.ts";

/** A provider that is paid with the user's own key. */
interface HostedProviderFacts {
  readonly title: string;
  /** Where requests go; `{region}` and the like are filled in from the settings or from `places`. */
  readonly address: string;
  /** Variables that may hold the key; the first one that is set is used. */
  readonly variables: readonly [string, ...string[]];
  /** Parts of the address, and the variables that hold them if the settings do not. */
  readonly places: { readonly [place: string]: string };
  /** Another address for keys of one of the variables. */
  readonly addressFor?: { readonly [variable: string]: string };
  /** Its package of the AI SDK with its version, if it has to be installed beside Signoff. */
  readonly package?: string;
}

export type HostedProvider =
  | "openai"
  | "anthropic"
  | "google"
  | "vertex"
  | "azure"
  | "bedrock"
  | "mistral"
  | "groq"
  | "openrouter"
  | "xai";

export const hostedProviders: { readonly [Name in HostedProvider]: HostedProviderFacts } = {
  openai: hosted("OpenAI", "https://api.openai.com/v1", ["OPENAI_API_KEY"]),
  anthropic: hosted("Anthropic", "https://api.anthropic.com/v1", ["ANTHROPIC_API_KEY"]),
  google: {
    ...hosted("Gemini", "https://generativelanguage.googleapis.com/v1beta", [
      "GEMINI_API_KEY",
      "GOOGLE_GENERATIVE_AI_API_KEY",
    ]),
    package: "@ai-sdk/google@4.0.118",
  },
  vertex: {
    ...hosted(
      "Vertex AI",
      "https://{location}-aiplatform.googleapis.com/v1beta1/projects/{project}/locations/{location}/publishers/google",
      ["GOOGLE_VERTEX_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"],
    ),
    addressFor: { GOOGLE_VERTEX_API_KEY: "https://aiplatform.googleapis.com/v1/publishers/google" },
    places: { project: "GOOGLE_VERTEX_PROJECT", location: "GOOGLE_VERTEX_LOCATION" },
    package: "@ai-sdk/google-vertex@5.0.138",
  },
  azure: {
    ...hosted("Azure OpenAI", "https://{resource}.openai.azure.com/openai", ["AZURE_API_KEY"]),
    places: { resource: "AZURE_RESOURCE_NAME" },
    package: "@ai-sdk/azure@4.0.85",
  },
  bedrock: {
    ...hosted("Amazon Bedrock", "https://bedrock-runtime.{region}.amazonaws.com", [
      "AWS_BEARER_TOKEN_BEDROCK",
      "AWS_SECRET_ACCESS_KEY",
    ]),
    places: { region: "AWS_REGION" },
    package: "@ai-sdk/amazon-bedrock@5.0.101",
  },
  mistral: {
    ...hosted("Mistral", "https://api.mistral.ai/v1", ["MISTRAL_API_KEY"]),
    package: "@ai-sdk/mistral@4.0.84",
  },
  groq: {
    ...hosted("Groq", "https://api.groq.com/openai/v1", ["GROQ_API_KEY"]),
    package: "@ai-sdk/groq@4.0.81",
  },
  openrouter: hosted("OpenRouter", "https://openrouter.ai/api/v1", ["OPENROUTER_API_KEY"]),
  xai: {
    ...hosted("xAI", "https://api.x.ai/v1", ["XAI_API_KEY"]),
    package: "@ai-sdk/xai@5.0.12",
  },
};

export const hostedProviderNames = Object.keys(hostedProviders) as readonly HostedProvider[];

export function isHostedProvider(name: string): name is HostedProvider {
  return Object.hasOwn(hostedProviders, name);
}

/** How hard a model that can reason should think before it answers. */
export type Effort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh";

/** What a project sets for a hosted provider. */
export interface HostedConfig {
  readonly baseUrl?: string;
  /** Name of the variable that holds the key, if it is not the usual one. */
  readonly apiKeyEnv?: string;
  readonly headers?: { readonly [header: string]: string };
  readonly query?: { readonly [name: string]: string };
  readonly apiVersion?: string;
  readonly effort?: Effort;
  readonly resource?: string;
  readonly project?: string;
  readonly location?: string;
  readonly region?: string;
}

/** Where a provider's key is sent, and which variable holds it. */
export interface HostedAccount {
  readonly address: string;
  readonly variable: string;
  /** Parts of the address that neither the settings nor the environment name. */
  readonly missing: readonly string[];
}

export function hostedAccount(
  provider: HostedProvider,
  config: HostedConfig,
  read: (variable: string) => string | undefined,
): HostedAccount {
  const { variables, places, ...facts } = hostedProviders[provider];
  const variable =
    config.apiKeyEnv ?? variables.find((name) => read(name) !== undefined) ?? variables[0];
  const isSet = read(variable) !== undefined;
  const whole = config.baseUrl ?? (isSet ? facts.addressFor?.[variable] : undefined);
  if (whole !== undefined) return { address: whole, variable, missing: [] };
  const given: { readonly [place: string]: unknown } = defined({ ...config });
  const found = Object.entries(places).map(
    ([place, name]) => [place, given[place] ?? read(name)] as const,
  );
  const filled = found.reduce((text, [place, value]) => fill(text, place, value), facts.address);
  const missing = found.flatMap(([place, value]) => (value === undefined ? [place] : []));
  return { address: filled, variable, missing };
}

/** A name that goes into a host or a path, never one that would lead to another host. */
export const placePattern = /^[A-Za-z0-9][A-Za-z0-9-]{0,62}$/u;

function fill(text: string, place: string, value: unknown): string {
  if (typeof value !== "string" || !placePattern.test(value)) return text;
  // Google's global endpoint has no location in front of its host.
  const host = value === "global" ? "" : `${value}-`;
  return text.replace(`{${place}}-`, host).replaceAll(`{${place}}`, value);
}

function hosted(
  title: string,
  address: string,
  variables: HostedProviderFacts["variables"],
): HostedProviderFacts {
  return { title, address, variables, places: {} };
}
