import { z } from "zod";
import { getJson } from "./get-json.ts";
import type { Fetch } from "./provider-fetch.ts";

const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });

type Sent = { readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal };

/** Asks for the list of models as OpenAI, Anthropic and most servers return it. */
export async function listModels(
  fetch: Fetch,
  url: string,
  sent: Sent,
): Promise<readonly string[]> {
  return modelList.parse(await getJson(fetch, url, sent)).data.map(({ id }) => id);
}

/** Under these names servers put a model's context length into the same list: vLLM, OpenRouter, Groq, Mistral. */
const windowNames = ["max_model_len", "context_length", "context_window", "max_context_length"];
const factsList = z.object({ data: z.array(z.looseObject({ id: z.string() })) });

export async function listedWindow(
  fetch: Fetch,
  url: string,
  { modelId, ...sent }: Sent & { readonly modelId: string },
): Promise<number | undefined> {
  const { data } = factsList.parse(await getJson(fetch, url, sent));
  const facts = data.find(({ id }) => id === modelId) ?? {};
  const known = windowNames.map((name) => (facts as Readonly<Record<string, unknown>>)[name]);
  return known.find((value) => typeof value === "number");
}
