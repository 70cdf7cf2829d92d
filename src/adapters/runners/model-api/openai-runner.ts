import { hostedProviders } from "../../../domain/models/hosted-providers.ts";
import type { Runner } from "../../../ports/runner.ts";
import { readBaseUrl } from "./base-url.ts";
import { hostedCall } from "./hosted-call.ts";
import { listModels } from "./model-list.ts";
import { createProviderRunner, type HostedSettings } from "./provider-runner.ts";
import { requiredKey } from "./required-key.ts";
import { streamAnswer } from "./stream-answer.ts";

const { address, variable } = hostedProviders.openai;

/** Chat Completions, since seeds reach the model there; throws `ConfigurationError` without a key. */
export function createOpenAiRunner(settings: HostedSettings): Runner {
  const apiKey = requiredKey("OpenAI", variable, settings.apiKey);
  const baseUrl = readBaseUrl("openai", settings.baseUrl ?? address);
  settings.guard({ kind: "secret", address: baseUrl, variable });
  return createProviderRunner(
    {
      title: "OpenAI",
      prefix: "openai",
      baseUrl,
      secrets: [apiKey],
      hints: {
        unreachable: "Check the network, HTTPS_PROXY and NO_PROXY.",
        unauthorized: "Check OPENAI_API_KEY, and that the account may use this model.",
        missingModel: "See `signoff models` for what the account may use.",
      },
      async ask(call) {
        const { createOpenAI } = await import("@ai-sdk/openai");
        const { fetch, modelId, onText } = call;
        const model = createOpenAI({ apiKey, baseURL: baseUrl, fetch }).chat(modelId);
        const options = { openai: { strictJsonSchema: false } };
        return streamAnswer(model, { ...hostedCall(call), providerOptions: options }, onText);
      },
      list(fetch, signal) {
        const headers = { authorization: `Bearer ${apiKey}` };
        return listModels(fetch, `${baseUrl}/models`, { headers, signal });
      },
    },
    settings,
  );
}
