import { hostedProviders } from "../../../domain/models/hosted-providers.ts";
import type { Runner } from "../../../ports/runner.ts";
import { readBaseUrl } from "./base-url.ts";
import { hostedCall } from "./hosted-call.ts";
import { listModels } from "./model-list.ts";
import { createProviderRunner, type HostedSettings } from "./provider-runner.ts";
import { requiredKey } from "./required-key.ts";
import { streamAnswer } from "./stream-answer.ts";

const { address, variable } = hostedProviders.anthropic;

const mostListed = 1_000;

/** Throws `ConfigurationError` without a key. */
export function createAnthropicRunner(settings: HostedSettings): Runner {
  const apiKey = requiredKey("Anthropic", variable, settings.apiKey);
  const baseUrl = readBaseUrl("anthropic", settings.baseUrl ?? address);
  settings.guard({ kind: "secret", address: baseUrl, variable });
  return createProviderRunner(
    {
      title: "Anthropic",
      prefix: "anthropic",
      baseUrl,
      secrets: [apiKey],
      hints: {
        unreachable: "Check the network, HTTPS_PROXY and NO_PROXY.",
        unauthorized: "Check ANTHROPIC_API_KEY, and that the account may use this model.",
        missingModel: "See `signoff models` for what the account may use.",
      },
      async ask(call) {
        const { createAnthropic } = await import("@ai-sdk/anthropic");
        const { fetch, modelId, onText } = call;
        const model = createAnthropic({ apiKey, baseURL: baseUrl, fetch }).languageModel(modelId);
        return streamAnswer(model, hostedCall(call), onText);
      },
      list(fetch, signal) {
        const headers = { "x-api-key": apiKey, "anthropic-version": "2023-06-01" };
        return listModels(fetch, `${baseUrl}/models?limit=${mostListed}`, { headers, signal });
      },
    },
    settings,
  );
}
