import type { Guard } from "../../../domain/settings/acts.ts";
import { defined } from "../../../domain/values/defined.ts";
import type { Runner } from "../../../ports/runner.ts";
import { readBaseUrl } from "./base-url.ts";
import { askWithRoom, hostedCall } from "./hosted-call.ts";
import { listedWindow, listModels } from "./model-list.ts";
import { type ApprovalTest, cutPrompt } from "./prompt-guard.ts";
import { type Fetch, streamed, withQuery } from "./provider-fetch.ts";
import { createProviderRunner, type ProviderSettings } from "./provider-runner.ts";
import { requiredKey } from "./required-key.ts";
import { streamAnswer } from "./stream-answer.ts";

export interface CompatibleSettings extends ProviderSettings {
  /** As in `compatible/<name>/…`. */
  readonly name: string;
  readonly baseUrl: string;
  /** Many such servers want none. */
  readonly apiKey?: string;
  /** The variable the key comes from, for messages. */
  readonly apiKeyVariable?: string;
  /** Set for servers that cut long prompts silently: the room they have. Approvals are then guarded. */
  readonly contextTokens?: number;
  /** It can hold a model to a JSON Schema; others are sent none, since some refuse it. */
  readonly structuredOutput?: boolean;
  readonly headers?: { readonly [header: string]: string };
  readonly query?: { readonly [name: string]: string };
  readonly guard: Guard;
  readonly isApproval?: ApprovalTest;
}

/** Any server that speaks OpenAI's Chat Completions. */
export function createCompatibleRunner(settings: CompatibleSettings): Runner {
  const { name, contextTokens, isApproval, guard } = settings;
  const variable = settings.apiKeyVariable ?? "its key";
  const apiKey =
    settings.apiKey === undefined ? undefined : requiredKey(name, variable, settings.apiKey);
  const baseUrl = readBaseUrl(`compatible/${name}`, settings.baseUrl);
  const auth = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const headers = { ...settings.headers, ...auth };
  const through = (fetch: Fetch): Fetch => withQuery(fetch, settings.query);
  if (apiKey !== undefined) guard({ kind: "secret", address: baseUrl, variable });
  const thinking = new Set<string>();
  const runner = createProviderRunner(
    {
      title: `The server "${name}"`,
      prefix: `compatible/${name}`,
      baseUrl,
      secrets: apiKey === undefined ? [] : [apiKey],
      hints: {
        unreachable: `Check that it runs, and providers.compatible.${name}.base_url.`,
        unauthorized: `Check ${variable}.`,
        missingModel: () => "See `signoff models` for what it offers.",
      },
      async ask(call) {
        const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
        const structured = settings.structuredOutput === true;
        const { replySchema: _, ...plain } = call.request;
        const request = structured ? call.request : plain;
        const fetch = streamed(withQuery(call.fetch, settings.query));
        const access = {
          baseURL: baseUrl,
          fetch,
          ...defined({ apiKey, headers: settings.headers }),
        };
        const shape = {
          name,
          includeUsage: true,
          supportsStructuredOutputs: structured,
          ...access,
        };
        const model = createOpenAICompatible(shape).chatModel(call.modelId);
        const answer = await askWithRoom(call, { thinking }, (room) =>
          streamAnswer(
            model,
            {
              ...hostedCall({ ...call, request, ...room }),
              providerOptions: { [name]: { strictJsonSchema: false } },
            },
            room.onText,
          ),
        );
        if (contextTokens === undefined) return answer;
        const cut = cutPrompt(call.request, answer, { contextTokens, isApproval });
        if (cut !== undefined) throw cut;
        return answer;
      },
      list: (fetch, signal) => listModels(through(fetch), `${baseUrl}/models`, { headers, signal }),
      window: async ({ fetch, modelId, signal }) =>
        contextTokens ??
        listedWindow(through(fetch), `${baseUrl}/models`, { headers, signal, modelId }),
    },
    settings,
  );
  const prefix = `compatible/${name}/`.length;
  return { ...runner, thinks: (model) => thinking.has(model.slice(prefix)) };
}
