import { setTimeout as delay } from "node:timers/promises";
import { type Dispatcher, request } from "undici";
import { excerpt } from "../../domain/scenarios/folded-text.ts";
import type { TransportFailure, TransportFailureKind } from "../../domain/scenarios/turn.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import { isObject } from "../../domain/values/json.ts";
import type { AssistantSettings } from "./assistant-settings.ts";

export interface ExchangeRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: Json;
}

export interface ExchangeLimits
  extends Pick<
    AssistantSettings,
    "timeoutMs" | "maxBytes" | "retries" | "retryDelayMs" | "dispatcher"
  > {
  /** Removes secrets from an unusable body before it is shortened: half a secret would not be recognised. */
  readonly hide: (text: string) => string;
}

interface FailedExchange {
  readonly kind: "failed";
  readonly failure: TransportFailure;
}

export type Exchanged =
  | {
      readonly kind: "json";
      readonly body: { readonly [name: string]: Json };
      /** Of the response, in lower case. */
      readonly headers: Dispatcher.ResponseData["headers"];
    }
  | FailedExchange;

/** Bodies nested deeper than this are refused; walking them could exhaust the stack. */
const MAX_DEPTH = 200;

/**
 * One request over HTTP. Every failure of the other side is returned as a value; only the caller's own signal throws.
 * A request is sent again only if it certainly never arrived.
 */
export async function exchange(
  asked: ExchangeRequest,
  limits: ExchangeLimits,
  signal: AbortSignal,
): Promise<Exchanged> {
  for (let attempt = 0; ; attempt += 1) {
    const result = await attemptExchange(asked, limits, signal);
    if (result.kind === "json" || result.failure.accepted || attempt >= limits.retries) {
      return result;
    }
    await delay(limits.retryDelayMs, undefined, { signal });
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
        accept: "application/json",
        "accept-encoding": "identity",
        ...(asked.body === undefined ? {} : { "content-type": "application/json; charset=utf-8" }),
        ...asked.headers,
      },
      ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
      signal: AbortSignal.any([signal, timeout]),
      headersTimeout: 0,
      bodyTimeout: 0,
      ...defined({ dispatcher: limits.dispatcher }),
    });
    const read = await readBody(response.body, limits.maxBytes);
    if (read.kind === "failed") return read;
    const found = readJson(read.bytes, response.statusCode, limits.hide);
    return found.kind === "failed" ? found : { ...found, headers: response.headers };
  } catch (error) {
    signal.throwIfAborted();
    return timeout.aborted
      ? failed("timed_out", `no answer within ${limits.timeoutMs} ms`)
      : connectionFailure(error);
  }
}

async function readBody(body: Dispatcher.ResponseData["body"], maxBytes: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > maxBytes) {
      body.destroy();
      return failed("too_large", `the answer is larger than ${maxBytes} bytes`);
    }
    chunks.push(bytes);
  }
  return { kind: "read" as const, bytes: Buffer.concat(chunks) };
}

function readJson(
  bytes: Buffer,
  httpStatus: number,
  hide: ExchangeLimits["hide"],
): Omit<Extract<Exchanged, { kind: "json" }>, "headers"> | FailedExchange {
  const shown = (text: string) => excerpt(hide(text).slice(0, 2000));
  if (httpStatus < 200 || httpStatus > 299) {
    return failed("http_error", `the assistant answered with status ${httpStatus}`, {
      httpStatus,
      excerpt: shown(bytes.toString("utf8")),
    });
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return failed("invalid_utf8", "the answer is not valid UTF-8", { httpStatus });
  }
  const refused = (why: string) => failed("not_json", why, { httpStatus, excerpt: shown(text) });
  if (isTooDeep(text)) return refused(`the answer is nested deeper than ${MAX_DEPTH}`);
  const body = parseObject(text);
  return body === undefined ? refused("the answer is not a JSON object") : { kind: "json", body };
}

function parseObject(text: string): { readonly [name: string]: Json } | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const [QUOTE, BACKSLASH] = ['"', "\\"].map((sign) => sign.charCodeAt(0));
const OPENING = new Set(["[", "{"].map((sign) => sign.charCodeAt(0)));
const CLOSING = new Set(["]", "}"].map((sign) => sign.charCodeAt(0)));

/** Brackets are counted before parsing, because parsing is what deep nesting would break. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) isText = !isText;
    else if (isText) at += sign === BACKSLASH ? 1 : 0;
    else if (OPENING.has(sign)) depth += 1;
    else if (CLOSING.has(sign)) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

const NEVER_ARRIVED = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
];

function connectionFailure(error: unknown): FailedExchange {
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

function failed(
  kind: TransportFailureKind,
  message: string,
  facts: Partial<TransportFailure> = {},
): FailedExchange {
  return { kind: "failed", failure: { kind, message, accepted: true, ...facts } };
}
