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
import { listModels } from "./model-list.ts";
import { type Fetch, withQuery } from "./provider-fetch.ts";
import { createProviderRunner, type ProviderSettings } from "./provider-runner.ts";
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
        missingModel: "See `signoff models` for what the account may use.",
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
      ...defined({ list }),
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
const geminiList = z.object({ models: z.array(z.object({ name: z.string() })) });

type ListedBy = Pick<ModelAccess, "apiKey" | "headers"> & { readonly baseUrl: string };
type List = (fetch: Fetch, signal: AbortSignal) => Promise<readonly string[]>;

/** `undefined` where the models of an account cannot be listed with its key. */
function listOf(provider: HostedProvider, { baseUrl, apiKey = "", headers }: ListedBy) {
  const openAiList =
    (auth: { readonly [header: string]: string }, query = ""): List =>
    (fetch, signal) =>
      listModels(fetch, `${baseUrl}/models${query}`, { headers: { ...headers, ...auth }, signal });
  switch (provider) {
    case "vertex":
    case "azure":
    case "bedrock":
      return undefined;
    case "anthropic":
      return openAiList(
        { "x-api-key": apiKey, "anthropic-version": "2023-06-01" },
        `?limit=${mostListed}`,
      );
    case "google":
      return async (fetch: Fetch, signal: AbortSignal) => {
        const sent = { headers: { ...headers, "x-goog-api-key": apiKey }, signal };
        const answer = await getJson(fetch, `${baseUrl}/models?pageSize=${mostListed}`, sent);
        return geminiList.parse(answer).models.map(({ name }) => name.replace(/^models\//u, ""));
      };
    default:
      return openAiList({ authorization: `Bearer ${apiKey}` });
  }
}
