import type { Dispatcher } from "undici";
import { isArray, isObject, type Json, parseJson } from "../../../domain/values/json.ts";
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

/**
 * Some servers that speak Chat Completions answer whole although a stream is asked for: a reply, or an error with the
 * status of a success. It is passed on as a stream of one event.
 */
export function streamed(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { ok, status, headers } = response;
    if (!ok || headers.get("content-type")?.startsWith("application/json") !== true)
      return response;
    const event = JSON.stringify(chunkOf(parseJson(await response.text())));
    const { body } = new Response(`data: ${event}\n\ndata: [DONE]\n\n`);
    const type = { "content-type": "text/event-stream" };
    return new Response(body?.pipeThrough(checkedUsage()), { status, headers: type });
  };
}

function chunkOf(reply: Json | undefined): Json {
  if (!isObject(reply) || !isArray(reply.choices)) return reply ?? null;
  const choices = reply.choices.map((choice) =>
    isObject(choice) ? { ...choice, delta: choice.message ?? {} } : choice,
  );
  return { ...reply, choices };
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
