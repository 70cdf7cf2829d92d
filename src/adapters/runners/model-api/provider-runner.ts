import type { Dispatcher } from "undici";
import { formatModelName, parseModelName } from "../../../domain/models/model-name.ts";
import { defined } from "../../../domain/values/defined.ts";
import {
  ConfigurationError,
  ModelNotFoundError,
  type WorkflowError,
} from "../../../domain/values/workflow-error.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { AskRequest, Attempted, Runner } from "../../../ports/runner.ts";
import {
  type Asked,
  httpFailureOf,
  type ProviderHints,
  providerFailure,
} from "./provider-failure.ts";
import { type Fetch, openProviderFetch, sentAfter } from "./provider-fetch.ts";
import type { ModelAnswer } from "./stream-answer.ts";

/** Settings of every provider's runner; the environment and files are read elsewhere. */
export interface ProviderSettings {
  readonly clock: Pick<Clock, "now">;
  /** Includes proxies, if there are any; see `createDispatcher`. */
  readonly dispatcher?: Dispatcher;
  readonly baseUrl?: string;
}

export interface ProviderCall {
  readonly request: AskRequest;
  /** The provider's own id of the model. */
  readonly modelId: string;
  readonly fetch: Fetch;
  readonly signal: AbortSignal;
  readonly onText?: (part: string) => void;
}

/** What differs between providers. */
export interface Provider {
  readonly title: string;
  /** In front of a model's id: `openai`, `compatible/lab`. */
  readonly prefix: string;
  readonly baseUrl: string;
  readonly secrets: readonly string[];
  readonly hints: ProviderHints & { missingModel(modelId: string): string };
  ask(call: ProviderCall): Promise<ModelAnswer>;
  /** Ids of the models it offers, where they can be listed. */
  list?(fetch: Fetch, signal: AbortSignal): Promise<readonly string[]>;
  /** How many tokens a model can take, where the provider says. */
  window?(call: Pick<ProviderCall, "modelId" | "fetch" | "signal">): Promise<number | undefined>;
}

/** One runner per provider, for all of its models; nothing is loaded before the first call. */
export function createProviderRunner(provider: Provider, settings: ProviderSettings): Runner {
  const { clock } = settings;
  let opened: Promise<Fetch> | undefined;
  const openFetch = () => (opened ??= openProviderFetch(settings.dispatcher));
  const windows = new Map<string, number>();
  const asked = (model?: string): Asked => ({
    who: `${provider.title} at ${provider.baseUrl}`,
    provider: provider.prefix,
    secrets: provider.secrets,
    hints: provider.hints,
    now: clock.now(),
    ...defined({ model }),
  });

  async function models(signal: AbortSignal): Promise<readonly string[]> {
    try {
      const ids = (await provider.list?.(await openFetch(), signal)) ?? [];
      return ids.map((id) => `${provider.prefix}/${id}`);
    } catch (thrown) {
      signal.throwIfAborted();
      throw providerFailure(thrown, asked());
    }
  }

  async function failureOf(thrown: unknown, model: string, signal: AbortSignal) {
    if (httpFailureOf(thrown)?.status !== 404) return providerFailure(thrown, asked(model));
    const isListed = provider.list !== undefined;
    const installed = isListed ? await models(signal).catch(() => undefined) : undefined;
    signal.throwIfAborted();
    return modelNotFound(provider, model, installed);
  }

  return {
    async attempt(request, signal, onText, beforeSending): Promise<Attempted> {
      signal.throwIfAborted();
      const startedAt = clock.now();
      const modelId = modelIdOf(provider, request.model);
      let answer: ModelAnswer;
      try {
        const fetch = sentAfter(await openFetch(), beforeSending);
        answer = await provider.ask({ request, modelId, fetch, signal, ...defined({ onText }) });
      } catch (thrown) {
        signal.throwIfAborted();
        throw await failureOf(thrown, request.model, signal);
      }
      signal.throwIfAborted();
      const { text, finish, tokens } = answer;
      return {
        kind: "replied",
        reply: {
          text,
          finish,
          model: `${provider.prefix}/${answer.modelId ?? modelId}`,
          ...defined({ usage: tokens }),
          startedAt,
          finishedAt: clock.now(),
        },
      };
    },
    ...(provider.list === undefined ? {} : { models }),
    async window(model, signal) {
      const modelId = modelIdOf(provider, model);
      const window =
        windows.get(modelId) ??
        (await provider.window?.({ modelId, fetch: await openFetch(), signal }));
      if (window !== undefined) windows.set(modelId, window);
      return window;
    },
  };
}

function modelIdOf(provider: Provider, model: string): string {
  const name = formatModelName(parseModelName(model));
  if (name.startsWith(`${provider.prefix}/`)) return name.slice(provider.prefix.length + 1);
  throw new ConfigurationError(`${model} is not a model of ${provider.title}.`, {
    code: "bad-model-name",
    facts: { model, provider: provider.prefix },
  });
}

const mostNamed = 20;

/** If the address has no list of models, the address is more likely wrong than the model missing. */
function modelNotFound(
  provider: Provider,
  model: string,
  installed: readonly string[] | undefined,
): WorkflowError {
  const facts = { model, provider: provider.prefix, base_url: provider.baseUrl };
  const hint = provider.hints.missingModel(modelIdOf(provider, model));
  if (installed === undefined) {
    return new ModelNotFoundError(
      `${provider.title} at ${provider.baseUrl} does not know ${model}.`,
      {
        code: "model-not-found",
        facts,
        hint: `Check the base URL. ${hint}`,
      },
    );
  }
  const more = installed.length > mostNamed ? ` and ${installed.length - mostNamed} more` : "";
  const named = `It has: ${installed.slice(0, mostNamed).join(", ")}${more}.`;
  const known = installed.length === 0 ? "It has none yet." : named;
  return new ModelNotFoundError(`${provider.title} has no model ${model}. ${known}`, {
    code: "model-not-found",
    facts: { ...facts, installed },
    hint,
  });
}
