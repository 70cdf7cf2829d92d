import { pipeline } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from "node:zlib";
import { type Dispatcher, FormData, request } from "undici";
import { excerpt } from "../../domain/scenarios/folded-text.ts";
import { defined } from "../../domain/values/defined.ts";
import type { AssistantSettings, MessageSettings } from "./assistant-settings.ts";
import {
  type AssistantReply,
  type FailedExchange,
  failed,
  formatOf,
  readWhole,
  type StreamRules,
  streamReader,
} from "./read-reply.ts";

export interface ExchangeRequest {
  readonly method: "GET" | "POST" | "PUT";
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  /** As it is sent; an object is the fields of a form with parts. */
  readonly body?: string | { readonly [field: string]: string };
  readonly reads: MessageSettings["reads"];
  /** Absent where no stream is expected. */
  readonly stream?: StreamRules;
}

export interface ExchangeLimits
  extends Pick<
    AssistantSettings,
    "timeoutMs" | "maxBytes" | "retries" | "retryDelayMs" | "dispatcher"
  > {
  /** Removes secrets from an unusable body before it is shortened: half a secret would not be recognised. */
  readonly hide: (text: string) => string;
}

export type Exchanged =
  | {
      readonly kind: "received";
      readonly reply: AssistantReply;
      /** Of the response, in lower case. */
      readonly headers: Dispatcher.ResponseData["headers"];
    }
  | FailedExchange;

/** Longer pauses are not slept through: the run ends, and the same command resumes it. */
const LONGEST_PAUSE_MS = 60_000;

/**
 * One request over HTTP. Every failure of the other side is returned as a value; only the caller's own signal throws.
 * A request is sent again only if the assistant certainly did not take it on: it never arrived, or was declined.
 */
export async function exchange(
  asked: ExchangeRequest,
  limits: ExchangeLimits,
  signal: AbortSignal,
): Promise<Exchanged> {
  for (let attempt = 0; ; attempt += 1) {
    const result = await attemptExchange(asked, limits, signal);
    if (result.kind === "received" || result.failure.accepted || attempt >= limits.retries) {
      return result;
    }
    const pause = result.failure.retryAfterMs ?? limits.retryDelayMs * 2 ** attempt;
    if (pause > LONGEST_PAUSE_MS) return result;
    await delay(pause, undefined, { signal });
  }
}

async function attemptExchange(
  asked: ExchangeRequest,
  limits: ExchangeLimits,
  signal: AbortSignal,
): Promise<Exchanged> {
  signal.throwIfAborted();
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  try {
    const response = await request(asked.url, {
      method: asked.method,
      headers: {
        accept: "application/json, text/event-stream;q=0.9, application/x-ndjson;q=0.9, */*;q=0.5",
        "accept-encoding": "identity",
        ...asked.headers,
      },
      ...(asked.body === undefined ? {} : { body: bodyOf(asked.body) }),
      signal: AbortSignal.any([signal, timeout]),
      headersTimeout: 0,
      bodyTimeout: 0,
      ...defined({ dispatcher: limits.dispatcher }),
    });
    const reply = await readResponse(response, asked, limits);
    return reply.kind === "failed" ? reply : { kind: "received", reply, headers: response.headers };
  } catch (error) {
    signal.throwIfAborted();
    return timeout.aborted
      ? failed("timed_out", `no answer within ${limits.timeoutMs} ms`)
      : connectionFailure(error);
  }
}

function bodyOf(body: NonNullable<ExchangeRequest["body"]>): string | FormData {
  if (typeof body === "string") return body;
  const form = new FormData();
  for (const [field, value] of Object.entries(body)) form.append(field, value);
  return form;
}

async function readResponse(
  response: Dispatcher.ResponseData,
  { url, reads, stream: rules }: ExchangeRequest,
  limits: ExchangeLimits,
): Promise<AssistantReply | FailedExchange> {
  const { statusCode: httpStatus, headers } = response;
  const isGood = httpStatus >= 200 && httpStatus <= 299;
  const format = isGood ? formatOf(reads, String(headers["content-type"] ?? "")) : "text";
  const isStream = format === "sse" || format === "ndjson";
  const stream = isStream && rules !== undefined ? streamReader(format, rules) : undefined;
  const read = await readText(response, { isStrict: isGood, limits, push: stream?.push });
  if (typeof read !== "string") return read;
  const excerptOf = (text: string) => excerpt(limits.hide(text).slice(0, 2000));
  if (httpStatus >= 300 && httpStatus <= 399 && headers.location !== undefined) {
    return redirected(httpStatus, url, String(headers.location));
  }
  if (!isGood) return declined(httpStatus, excerptOf(read), String(headers["retry-after"] ?? ""));
  const reply = stream?.end() ?? readWhole(read, format === "text" ? "text" : "json");
  if (reply.kind !== "failed") return reply;
  const facts = { httpStatus, excerpt: excerptOf(read) };
  return failed(reply.failure.kind, reply.failure.message, facts);
}

/** The whole text, or none of it where a stream takes the pieces as they come. */
async function readText(
  { body, headers, statusCode: httpStatus }: Dispatcher.ResponseData,
  how: {
    readonly isStrict: boolean;
    readonly limits: ExchangeLimits;
    readonly push: ((text: string) => boolean) | undefined;
  },
): Promise<string | FailedExchange> {
  const { maxBytes } = how.limits;
  const decoder = decoderOf(String(headers["content-type"] ?? ""), how.isStrict);
  let text = "";
  let size = 0;
  try {
    for await (const chunk of decompressed(body, String(headers["content-encoding"] ?? ""))) {
      size += chunk.length;
      if (size > maxBytes)
        return failed("too_large", `the answer is larger than ${maxBytes} bytes`);
      const part = decoder.decode(chunk, { stream: true });
      if (how.push === undefined) text += part;
      else if (how.push(part)) return "";
    }
    return text + decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError) || !/encoded data/u.test(error.message)) throw error;
    const encoding = decoder.encoding.toUpperCase();
    return failed("invalid_utf8", `the answer is not valid ${encoding}`, { httpStatus });
  } finally {
    body.destroy();
  }
}

/** UTF-8, unless the reply names another encoding that is known here. */
function decoderOf(contentType: string, fatal: boolean) {
  const [, named = "utf-8"] = /charset\s*=\s*"?([^\s";]+)/iu.exec(contentType) ?? [];
  try {
    return new TextDecoder(named, { fatal });
  } catch {
    return new TextDecoder("utf-8", { fatal });
  }
}

const decompressors = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
  ["zstd", createZstdDecompress],
]);

/** Compressed answers are not asked for; some servers send them all the same. */
function decompressed(
  body: Dispatcher.ResponseData["body"],
  encoding: string,
): AsyncIterable<Uint8Array> {
  const decompressor = decompressors.get(encoding.trim().toLowerCase())?.();
  if (decompressor === undefined) return body;
  // Reading the decompressor fails with whatever went wrong in either stream.
  return pipeline(body, decompressor, () => {});
}

/** Followed, a redirect would take headers with secrets along. The query of its address may hold some, too. */
function redirected(httpStatus: number, from: string, location: string): FailedExchange {
  const to = URL.parse(location, from);
  const where = to === null ? "nowhere" : `${to.origin}${to.pathname}`;
  const message = `the assistant answered with status ${httpStatus}; its redirect is not followed and leads to ${where}`;
  return failed("http_error", message, { httpStatus });
}

/** 429 and 503 say that the request was not taken on; any other status may come after the work was done. */
function declined(httpStatus: number, excerpt: string, retryAfter: string): FailedExchange {
  const accepted = httpStatus !== 429 && httpStatus !== 503;
  const seconds = Number(retryAfter === "" ? Number.NaN : retryAfter);
  const millis = Number.isNaN(seconds) ? Date.parse(retryAfter) - Date.now() : seconds * 1000;
  const retryAfterMs = Number.isNaN(millis) ? undefined : Math.max(0, Math.round(millis));
  const wait = retryAfterMs ? ` and asks to wait ${Math.ceil(retryAfterMs / 1000)} s` : "";
  return failed("http_error", `the assistant answered with status ${httpStatus}${wait}`, {
    ...{ httpStatus, excerpt, accepted },
    ...defined({ retryAfterMs }),
  });
}

const NEVER_ARRIVED = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
];

export function connectionFailure(error: unknown): FailedExchange {
  const codes = codesOf(error);
  const message = error instanceof Error && error.message !== "" ? error.message : codes.join(", ");
  return codes.some((code) => NEVER_ARRIVED.includes(code))
    ? failed("unreachable", message || "the assistant cannot be reached", { accepted: false })
    : failed("connection_closed", message || "the connection was closed");
}

/** If all addresses of a name fail, one error contains the others. */
function codesOf(error: unknown): readonly string[] {
  const { code, cause, errors } = (error ?? {}) as {
    code?: unknown;
    cause?: unknown;
    errors?: unknown;
  };
  return [
    ...(typeof code === "string" ? [code] : []),
    ...(cause === undefined ? [] : codesOf(cause)),
    ...(Array.isArray(errors) ? errors.flatMap(codesOf) : []),
  ];
}
