import type { Fetch } from "./provider-fetch.ts";

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal: AbortSignal;
}

/** One small request to a provider. A status other than 2xx is thrown in the form that `httpFailureOf` reads. */
export async function getJson(fetch: Fetch, url: string, sent: Sent): Promise<unknown> {
  const { signal, headers = {}, body } = sent;
  const response = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal,
  });
  const text = await response.text();
  if (!response.ok) {
    throw Object.assign(new Error(`The server answered ${response.status}.`), {
      statusCode: response.status,
      responseHeaders: Object.fromEntries(response.headers.entries()),
      responseBody: text,
    });
  }
  return JSON.parse(text);
}
