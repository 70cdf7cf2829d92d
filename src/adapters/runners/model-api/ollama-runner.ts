import { z } from "zod";
import { replyTokens } from "../../../domain/models/reasoning-allowance.ts";
import {
  type ContextNeed,
  contextFor,
  largerContext,
} from "../../../domain/models/truncation-guard.ts";
import { defined } from "../../../domain/values/defined.ts";
import type { Runner } from "../../../ports/runner.ts";
import { readOllamaUrl } from "./base-url.ts";
import { readCallSettings } from "./call-settings.ts";
import { getJson } from "./get-json.ts";
import { afterFirst, promptOf } from "./hosted-call.ts";
import { type OllamaDone, watchOllama } from "./ollama-watch.ts";
import { type ApprovalTest, cutPrompt, promptBytes } from "./prompt-guard.ts";
import { httpFailureOf } from "./provider-failure.ts";
import {
  createProviderRunner,
  type ProviderCall,
  type ProviderSettings,
} from "./provider-runner.ts";
import { type ModelAnswer, streamAnswer } from "./stream-answer.ts";

export interface OllamaSettings extends ProviderSettings {
  readonly isApproval?: ApprovalTest;
  /** What is known of models, by address and name; several runners may share it. */
  readonly known?: Map<string, ModelFacts>;
}

const installed = z.object({ models: z.array(z.object({ name: z.string() })) });
const shown = z.object({
  model_info: z.record(z.string(), z.unknown()).optional(),
  capabilities: z.array(z.string()).optional(),
});

/** What the server reports about a model; both decide how much context a call needs. */
export interface ModelFacts {
  readonly contextTokens?: number;
  /** The server can separate its thinking from the answer. */
  readonly canThink: boolean;
}

type FactsCall = Pick<ProviderCall, "modelId" | "fetch" | "signal">;

/** Context reserved for the reply if the recipe sets no limit. */
const unboundedReply = 4_096;

export function createOllamaRunner(settings: OllamaSettings): Runner {
  const baseUrl = readOllamaUrl(settings.baseUrl ?? "http://localhost:11434");
  const { known = new Map<string, ModelFacts>() } = settings;

  async function factsOf(call: FactsCall): Promise<ModelFacts> {
    const name = `${baseUrl} ${call.modelId}`;
    const facts = known.get(name) ?? (await showModel(baseUrl, call));
    if (facts !== undefined) known.set(name, facts);
    return facts ?? { canThink: false };
  }

  return createProviderRunner(
    {
      title: "Ollama",
      prefix: "ollama",
      baseUrl,
      secrets: [],
      hints: {
        unreachable:
          "Start it with `ollama serve`, or name its address with --base-url or OLLAMA_BASE_URL.",
        unauthorized: "Something in front of it wants a login; set OLLAMA_BASE_URL past it.",
        missingModel: (id) =>
          `Get it with \`ollama pull ${id}\`, or name an installed one with --model.`,
      },
      ask: async (call) => askGuarded(baseUrl, call, await factsOf(call), settings.isApproval),
      async list(fetch, signal) {
        const answer = await getJson(fetch, `${baseUrl}/api/tags`, { signal });
        return installed.parse(answer).models.map(({ name }) => name);
      },
      window: async (call) => (await factsOf(call)).contextTokens,
    },
    settings,
  );
}

/**
 * Servers accept any `num_ctx` but silently use at most what the model was trained for, so that limit must be known.
 * If the server does not report it, the call is made anyway.
 */
async function showModel(baseUrl: string, call: FactsCall): Promise<ModelFacts | undefined> {
  const { modelId, fetch, signal } = call;
  try {
    const sent = { body: { model: modelId }, signal };
    const answer = shown.parse(await getJson(fetch, `${baseUrl}/api/show`, sent));
    const info = Object.entries(answer.model_info ?? {});
    const length = info.find(([key]) => key.endsWith(".context_length"))?.[1];
    return {
      ...(typeof length === "number" ? { contextTokens: length } : {}),
      canThink: answer.capabilities?.includes("thinking") === true,
    };
  } catch (thrown) {
    if (httpFailureOf(thrown) === undefined) throw thrown;
    return undefined;
  }
}

/** A void approval is asked for once more with a larger context, then fails. */
async function askGuarded(
  baseUrl: string,
  call: ProviderCall,
  facts: ModelFacts,
  isApproval: ApprovalTest | undefined,
): Promise<ModelAnswer> {
  const need = needOf(call, facts);
  const room = (wanted: number) => Math.min(wanted, facts.contextTokens ?? wanted);
  const { numCtx } = readCallSettings(call.request.settings);
  const context = room(numCtx ?? contextFor(need));
  const first = await askOnce(baseUrl, call, { facts, context });
  const cut = cutPrompt(call.request, first, { contextTokens: context, isApproval });
  if (cut === undefined) return first;
  const larger = largerContext(context, need);
  if (larger === undefined) throw cut;
  const unseen = { ...call, onText: () => call.onText?.("") };
  const second = await askOnce(baseUrl, unseen, { facts, context: larger });
  const cutAgain = cutPrompt(call.request, second, { contextTokens: larger, isApproval });
  if (cutAgain !== undefined) throw cutAgain;
  return afterFirst(first, second);
}

function needOf(call: ProviderCall, facts: ModelFacts): ContextNeed {
  return {
    bytes: promptBytes(call.request),
    replyTokens: replyLimit(call, facts) ?? unboundedReply,
    ...defined({ mostTokens: facts.contextTokens }),
  };
}

function replyLimit(call: ProviderCall, { canThink }: ModelFacts): number | undefined {
  const { maxTokens } = readCallSettings(call.request.settings);
  if (maxTokens === undefined) return undefined;
  return replyTokens(maxTokens, canThink);
}

interface Room {
  readonly facts: ModelFacts;
  readonly context: number;
}

/** Settings go into `options`: the package's own fields for them are not read by Ollama's chat API. */
async function askOnce(baseUrl: string, call: ProviderCall, room: Room): Promise<ModelAnswer> {
  const { createOllama } = await import("ollama-ai-provider-v2");
  const { request, modelId, signal, onText } = call;
  const { temperature, seed } = readCallSettings(request.settings);
  const { replySchema: schema } = request;
  let done: OllamaDone = {};
  const fetch = watchOllama(call.fetch, (last) => {
    done = last;
  });
  const limit = replyLimit(call, room.facts);
  const options = {
    num_ctx: room.context,
    ...defined({ num_predict: limit, temperature, seed }),
  };
  const format = schema === undefined ? {} : { schema: { ...schema } };
  const { tokens: _zeros, ...answer } = await streamAnswer(
    createOllama({ baseURL: `${baseUrl}/api`, fetch })(modelId),
    {
      prompt: promptOf(request),
      abortSignal: signal,
      ...(request.expects === "json" ? { responseFormat: { type: "json", ...format } } : {}),
      providerOptions: { ollama: { think: room.facts.canThink, options } },
    },
    onText,
  );
  return { ...answer, ...countedBy(done) };
}

/** The package reports 0 if an old server reports nothing. */
function countedBy(done: OllamaDone): Pick<ModelAnswer, "tokens" | "modelId"> {
  const { promptTokens, replyTokens: output, model } = done;
  return {
    ...defined({ modelId: model }),
    ...(promptTokens === undefined && output === undefined
      ? {}
      : { tokens: { input: promptTokens ?? 0, output: output ?? 0 } }),
  };
}
