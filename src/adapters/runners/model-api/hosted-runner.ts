import { z } from "zod";
import {
  type Effort,
  type HostedProvider,
  hostedProviders,
} from "../../../domain/models/hosted-providers.ts";
import type { Guard } from "../../../domain/settings/acts.ts";
import { defined } from "../../../domain/values/defined.ts";
import type { Runner } from "../../../ports/runner.ts";
import { readBaseUrl } from "./base-url.ts";
import { getJson } from "./get-json.ts";
import { askWithRoom, hostedCall } from "./hosted-call.ts";
import { type ModelAccess, openHostedModel, optionsForSchema } from "./hosted-models.ts";
import { listedWindow, listModels } from "./model-list.ts";
import { type Fetch, withQuery } from "./provider-fetch.ts";
import { createProviderRunner, type Provider, type ProviderSettings } from "./provider-runner.ts";
import { requiredKey } from "./required-key.ts";
import { streamAnswer } from "./stream-answer.ts";

export interface HostedSettings
  extends ProviderSettings,
    Omit<ModelAccess, "baseURL" | "fetch" | "headers"> {
  readonly provider: HostedProvider;
  /** The variable that the key comes from. */
  readonly variable: string;
  readonly baseUrl: string;
  readonly headers?: ModelAccess["headers"];
  readonly query?: { readonly [name: string]: string };
  readonly effort?: Effort;
  readonly guard: Guard;
}

/** Throws `ConfigurationError` without a key. */
export function createHostedRunner(settings: HostedSettings): Runner {
  const { provider, variable, guard, signing, headers = {}, effort } = settings;
  const { title } = hostedProviders[provider];
  const isKeyless = signing !== undefined || variable === "GOOGLE_APPLICATION_CREDENTIALS";
  const apiKey = isKeyless ? "" : requiredKey(title, variable, settings.apiKey);
  const baseUrl = readBaseUrl(provider, settings.baseUrl);
  guard({ kind: "secret", address: baseUrl, variable });
  const secrets = [apiKey, signing?.secretAccessKey ?? "", signing?.sessionToken ?? ""];
  const thinking = new Set<string>();
  const access = (fetch: Fetch): ModelAccess => {
    const { region, project, location, apiVersion } = settings;
    const more = defined({ signing, region, project, location, apiVersion });
    return { baseURL: baseUrl, apiKey, headers, fetch: withQuery(fetch, settings.query), ...more };
  };
  const list = listOf(provider, { baseUrl, apiKey, headers });
  const runner = createProviderRunner(
    {
      title,
      prefix: provider,
      baseUrl,
      secrets: secrets.filter((secret) => secret !== ""),
      hints: {
        unreachable: "Check the network, HTTPS_PROXY and NO_PROXY.",
        unauthorized: `Check ${variable}, and that the account may use this model.`,
        missingModel: () => "See `signoff models` for what the account may use.",
      },
      async ask(call) {
        const model = await openHostedModel[provider](access(call.fetch), call.modelId);
        const options = optionsForSchema(provider, call.modelId);
        const { replySchema, ...plain } = call.request;
        const request = options === undefined ? plain : call.request;
        const held = replySchema === undefined ? undefined : options;
        return askWithRoom(call, { thinking, ...defined({ effort }) }, (room) =>
          streamAnswer(
            model,
            { ...hostedCall({ ...call, request, ...room }), ...defined({ providerOptions: held }) },
            room.onText,
          ),
        );
      },
      ...defined({ list, window: windowOf(provider, { baseUrl, apiKey, headers }) }),
    },
    settings,
  );
  const prefix = `${provider}/`.length;
  return {
    ...runner,
    thinks: (model) => effort !== undefined || thinking.has(model.slice(prefix)),
  };
}

const mostListed = 1_000;
const modelFacts = z.object({
  max_input_tokens: z.number().nullish(),
  inputTokenLimit: z.number().nullish(),
});
const geminiList = z.object({ models: z.array(z.object({ name: z.string() })) });

type ListedBy = Pick<ModelAccess, "apiKey" | "headers"> & { readonly baseUrl: string };
type List = (fetch: Fetch, signal: AbortSignal) => Promise<readonly string[]>;

/** `undefined` where the models of an account cannot be listed with its key. */
function listOf(provider: HostedProvider, by: ListedBy): List | undefined {
  const headers = listHeaders(provider, by);
  const url = `${by.baseUrl}/models`;
  switch (provider) {
    case "vertex":
    case "azure":
    case "bedrock":
      return undefined;
    case "google":
      return async (fetch, signal) => {
        const answer = await getJson(fetch, `${url}?pageSize=${mostListed}`, { headers, signal });
        return geminiList.parse(answer).models.map(({ name }) => name.replace(/^models\//u, ""));
      };
    default: {
      const query = provider === "anthropic" ? `?limit=${mostListed}` : "";
      return (fetch, signal) => listModels(fetch, `${url}${query}`, { headers, signal });
    }
  }
}

/** `undefined` where the provider does not say how much a model can read. */
function windowOf(provider: HostedProvider, by: ListedBy): Provider["window"] {
  const headers = listHeaders(provider, by);
  const url = `${by.baseUrl}/models`;
  switch (provider) {
    case "anthropic":
    case "google":
      return async ({ fetch, modelId, signal }) => {
        const answer = await getJson(fetch, `${url}/${modelId}`, { headers, signal });
        const { max_input_tokens: input, inputTokenLimit = input } = modelFacts.parse(answer);
        return inputTokenLimit ?? undefined;
      };
    case "mistral":
    case "groq":
    case "openrouter":
      return ({ fetch, modelId, signal }) => listedWindow(fetch, url, { headers, signal, modelId });
    default:
      return undefined;
  }
}

function listHeaders(provider: HostedProvider, { apiKey = "", headers }: ListedBy) {
  if (provider === "google") return { ...headers, "x-goog-api-key": apiKey };
  return provider === "anthropic"
    ? { ...headers, "x-api-key": apiKey, "anthropic-version": "2023-06-01" }
    : { ...headers, authorization: `Bearer ${apiKey}` };
}
