import type { LanguageModelV4, SharedV4ProviderOptions } from "@ai-sdk/provider";
import { type HostedProvider, hostedProviders } from "../../../domain/models/hosted-providers.ts";
import { defined } from "../../../domain/values/defined.ts";
import { loadPackage } from "./optional-package.ts";
import type { Fetch } from "./provider-fetch.ts";

/** How to reach an account. Keys are passed on explicitly: the packages would look for them in the environment. */
export interface ModelAccess {
  readonly baseURL: string;
  /** Absent where Google's own library finds the credentials. */
  readonly apiKey?: string;
  /** Bedrock without a bearer token: requests are signed. */
  readonly signing?: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
  readonly region?: string;
  readonly project?: string;
  readonly location?: string;
  readonly apiVersion?: string;
  readonly headers: { readonly [header: string]: string };
  readonly fetch: Fetch;
}

/** Packages that are installed only where they are used. */
const packages = {
  google: () => import("@ai-sdk/google"),
  vertex: () => import("@ai-sdk/google-vertex"),
  azure: () => import("@ai-sdk/azure"),
  bedrock: () => import("@ai-sdk/amazon-bedrock"),
  mistral: () => import("@ai-sdk/mistral"),
  groq: () => import("@ai-sdk/groq"),
  xai: () => import("@ai-sdk/xai"),
} as const;

type Packages = typeof packages;

/** Refuses a provider whose package is not installed. */
export async function requirePackage(provider: HostedProvider): Promise<void> {
  if (Object.hasOwn(packages, provider)) await loaded(provider as keyof Packages);
}

type OpenModel = (access: ModelAccess, modelId: string) => Promise<LanguageModelV4>;

/** The model of each provider in the AI SDK's form; nothing is loaded before it is used. */
export const openHostedModel: { readonly [Name in HostedProvider]: OpenModel } = {
  // Chat Completions, since seeds reach the model there.
  openai: async (access, modelId) =>
    (await import("@ai-sdk/openai")).createOpenAI(plain(access)).chat(modelId),
  anthropic: async (access, modelId) =>
    (await import("@ai-sdk/anthropic")).createAnthropic(plain(access)).languageModel(modelId),
  google: async (access, modelId) => {
    const { createGoogle } = await loaded("google");
    return createGoogle(plain(access)).languageModel(modelId);
  },
  vertex: async (access, modelId) => {
    const { createVertex } = await loaded("vertex");
    const { project, location } = access;
    return createVertex({ ...plain(access), ...defined({ project, location }) })(modelId);
  },
  azure: async (access, modelId) => {
    const { createAzure } = await loaded("azure");
    const { apiVersion } = access;
    // A dated version belongs to the addresses with a deployment in them.
    const version =
      apiVersion === undefined
        ? {}
        : { apiVersion, useDeploymentBasedUrls: /^\d/u.test(apiVersion) };
    return createAzure({ ...plain(access), ...version }).chat(modelId);
  },
  bedrock: async (access, modelId) => {
    const { createAmazonBedrock } = await loaded("bedrock");
    const { region = "us-east-1", signing } = access;
    return createAmazonBedrock({ ...plain(access), region, ...signing })(modelId);
  },
  mistral: async (access, modelId) => {
    const { createMistral } = await loaded("mistral");
    return createMistral(plain(access))(modelId);
  },
  groq: async (access, modelId) => {
    const { createGroq } = await loaded("groq");
    return createGroq(plain(access))(modelId);
  },
  openrouter: async (access, modelId) => {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const shape = { name: "openrouter", includeUsage: true, supportsStructuredOutputs: true };
    return createOpenAICompatible({ ...shape, ...plain(access) }).chatModel(modelId);
  },
  xai: async (access, modelId) => {
    const { createXai } = await loaded("xai");
    return createXai(plain(access))(modelId);
  },
};

const loosely = { strictJsonSchema: false };

/** With the schema of a reply, the options that the packages need for it. Members may be left out, which strict modes forbid. */
const schemaOptions: { readonly [Name in HostedProvider]: SharedV4ProviderOptions } = {
  openai: { openai: loosely },
  anthropic: {},
  azure: { openai: loosely },
  bedrock: {},
  google: {},
  vertex: {},
  mistral: { mistral: loosely },
  groq: { groq: loosely },
  openrouter: { openrouter: loosely },
  xai: {},
};

/**
 * `undefined` where a model cannot be held to a schema: on Bedrock only Claude can, the others would be forced to call a
 * tool that many of them do not have. The prompt says the form in words as well.
 */
export function optionsForSchema(
  provider: HostedProvider,
  modelId: string,
): SharedV4ProviderOptions | undefined {
  const isHeld = provider !== "bedrock" || /(?:^|\.)anthropic\./u.test(modelId);
  return isHeld ? schemaOptions[provider] : undefined;
}

function plain({ baseURL, apiKey, headers, fetch }: ModelAccess) {
  return { baseURL, headers: { ...headers }, fetch, ...defined({ apiKey }) };
}

function loaded<Name extends keyof Packages>(
  provider: Name,
): Promise<Awaited<ReturnType<Packages[Name]>>> {
  const load = packages[provider] as () => Promise<Awaited<ReturnType<Packages[Name]>>>;
  return loadPackage(hostedProviders[provider].package ?? "", load);
}
