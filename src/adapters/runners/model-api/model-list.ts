import { z } from "zod";
import { getJson } from "./get-json.ts";
import type { Fetch } from "./provider-fetch.ts";

const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Asks for the list of models as OpenAI, Anthropic and most servers return it. */
export async function listModels(
  fetch: Fetch,
  url: string,
  sent: { readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<readonly string[]> {
  return modelList.parse(await getJson(fetch, url, sent)).data.map(({ id }) => id);
}
