import type { Dispatcher } from "undici";
import { RunnerError } from "../../../domain/values/workflow-error.ts";
import { checkedFrames, checkedUsage } from "./checked-usage.ts";

export type Fetch = typeof globalThis.fetch;

const mostBytes = 64 * 1024 * 1024;

/**
 * Fetch for providers. Uses undici's fetch because Node's reads proxies from the environment only at start-up and
 * times out after five minutes, while a local model may take longer to load. Redirects are not followed, because
 * headers with keys would be sent to another host.
 */
export async function openProviderFetch(dispatcher: Dispatcher | undefined): Promise<Fetch> {
  const undici = await import("undici");
  const through = dispatcher ?? new undici.Agent({ headersTimeout: 0, bodyTimeout: 0 });
  const fetch = async (input: string | URL, init: object = {}) => {
    const response = await undici.fetch(input, {
      ...init,
      dispatcher: through,
      redirect: "manual",
    });
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    const isFramed = headers.get("content-type") === "application/vnd.amazon.eventstream";
    const check = isFramed ? checkedFrames() : checkedUsage();
    const body = response.body.pipeThrough(bounded()).pipeThrough(check);
    return new undici.Response(body, { status, statusText, headers });
  };
  return fetch as unknown as Fetch;
}

export function sentAfter(fetch: Fetch, wait: (() => Promise<void>) | undefined): Fetch {
  if (wait === undefined) return fetch;
  return async (input, init) => {
    await wait();
    return await fetch(input, init);
  };
}

/** Adds the parameters that a gateway wants on every request. */
export function withQuery(
  fetch: Fetch,
  query: { readonly [name: string]: string } | undefined,
): Fetch {
  if (query === undefined) return fetch;
  return (input, init) => {
    const url = new URL(String(input));
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return fetch(url, init);
  };
}

/** A server that never stops sending must not fill the memory. */
function bounded(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > mostBytes) {
        controller.error(
          new RunnerError(`The server sent more than ${mostBytes} bytes in one reply.`, {
            code: "bad-reply",
            facts: { most_bytes: mostBytes },
          }),
        );
      } else controller.enqueue(chunk);
    },
  });
}
