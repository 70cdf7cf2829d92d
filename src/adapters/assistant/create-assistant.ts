import { type MaskRules, maskJson, maskText, secretsIn } from "../../domain/scenarios/masking.ts";
import type {
  AssistantOutcome,
  ConversationItem,
  TransportFailure,
} from "../../domain/scenarios/turn.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import type { Assistant, Message } from "../../ports/assistant.ts";
import { addressOf, assistantRequestOf, pathWith } from "./assistant-request.ts";
import type { AnswerMapping, AssistantSettings } from "./assistant-settings.ts";
import {
  type Exchanged,
  type ExchangeLimits,
  type ExchangeRequest,
  exchange,
} from "./http-exchange.ts";
import {
  compileAll,
  compileQuery,
  gatherEvents,
  idTextOf,
  isTruthy,
  lookUp,
  type Query,
  readAnswer,
  readSessionBody,
} from "./read-answer.ts";
import {
  type AssistantReply,
  type FailedExchange,
  failed,
  type Looked,
  readPrinted,
  type StreamRules,
} from "./read-reply.ts";
import { exchangeOverWebSocket } from "./websocket-exchange.ts";

/** What one question looked like on the wire, for `pack try`; secrets are masked. */
export interface Sighting {
  readonly request: Pick<ExchangeRequest, "method" | "url" | "headers" | "body">;
  readonly headers: { readonly [name: string]: string };
  readonly reply: AssistantReply;
  readonly looked: Looked;
}

/** The assistant that the settings describe: over HTTP, a WebSocket, or a program of the project. */
export function createAssistant(
  settings: AssistantSettings,
  observe?: (sighting: Sighting) => void,
): Assistant {
  const { message: how, session } = settings;
  const answer = compileAll(how.answer, "answer");
  const sessionQuery = compileAll(session.answer, "session");
  const mask = maskRulesOf(settings);
  const hide = (text: string) => maskText(text, mask);
  const limits = { ...settings, hide };
  const wire = { settings, limits, stream: streamRules(how, answer) };
  const plainHeaders = { ...settings.headers, ...settings.secretHeaders };
  /** Needed unchanged to continue the session, so the project's rules for business data do not apply. */
  const idOf = (value: Json) => maskJson(value, { secrets: mask.secrets });

  const openSession = sessionOpener(settings, { limits, headers: plainHeaders });
  return {
    timeoutMs: settings.timeoutMs,
    sessions: session.kind,
    retries: settings.retries,
    retryDelayMs: settings.retryDelayMs,
    async send(message, signal) {
      const opened = message.sessionId ?? (await openSession(signal));
      if (typeof opened === "object") return maskFailed(opened, mask);
      const sent: Message = { ...message, ...defined({ sessionId: opened }) };
      const request = assistantRequestOf(settings, sent);
      const result = await carry(request, wire, signal);
      if (result.kind === "failed") return maskFailed(result, mask);
      const { reply, headers } = result;
      if (reply.kind === "events" && !reply.isComplete && !isTruthy(reply.found.error)) {
        return failed("connection_closed", "the stream ended before the answer was complete");
      }
      const masked = maskReply(reply, mask, answer);
      const version = headers[settings.versionHeader?.toLowerCase() ?? ""];
      const looked: Looked = {
        ...masked.looked,
        sessionId: idOf(masked.sessionId),
        ...(typeof version === "string" ? { version: hide(version) } : {}),
      };
      observe?.({
        ...sightingOf(request, mask),
        reply: masked.reply,
        looked,
        headers: shown(headers, mask),
      });
      const read = readAnswer(looked, masked.raw, { sessionId: opened, kind: session.kind });
      const isOpened = session.create !== undefined && opened !== undefined;
      if (read.kind === "failed" || !isOpened) return read;
      return { ...read, answer: { ...read.answer, sessionId: opened } };
    },
    async readSession(sessionId, signal) {
      if (session.path === undefined) return { kind: "unsupported" };
      const url = addressOf(settings.baseUrl, pathWith(session.path, sessionId));
      const asked = { method: "GET", url, headers: plainHeaders, reads: "json" } as const;
      const result = await exchange(asked, limits, signal);
      if (result.kind === "failed") {
        const { httpStatus } = result.failure;
        const lost = httpStatus === 404 || httpStatus === 410;
        const failure: TransportFailure = lost
          ? { ...result.failure, kind: "session_lost" }
          : result.failure;
        return maskFailed({ kind: "failed", failure }, mask);
      }
      const body = result.reply.kind === "body" ? result.reply.body : [...result.reply.others];
      const id = () => idOf(sessionQuery.sessionId(body));
      return readSessionBody(maskJson(body, mask), { ...sessionQuery, sessionId: id }, sessionId);
    },
    asKept: hide,
    recover: (sessionId, item) => recoverAnswer(sessionId, item, answer),
  };
}

/** Sends the request that opens a session, where the settings name one. */
function sessionOpener(
  { baseUrl, session: { create } }: AssistantSettings,
  {
    limits,
    headers,
  }: { readonly limits: ExchangeLimits; readonly headers: ExchangeRequest["headers"] },
): (signal: AbortSignal) => Promise<string | FailedExchange | undefined> {
  if (create === undefined) return async () => undefined;
  const idIn = compileQuery(create.sessionId, "session.create.session_id");
  const { path } = create;
  const asked = {
    method: "POST",
    url: addressOf(baseUrl, path),
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    body: JSON.stringify(create.body),
    reads: "json",
  } as const;
  return async (signal) => {
    const opened = await exchange(asked, limits, signal);
    if (opened.kind === "failed") return opened;
    const id = opened.reply.kind === "body" ? idTextOf(idIn(opened.reply.body)) : undefined;
    return id ?? failed("missing_answer", `${path} returned no session id`);
  };
}

function streamRules(
  { until: written }: AssistantSettings["message"],
  answer: Parameters<typeof gatherEvents>[0],
): StreamRules {
  const until = written === undefined ? undefined : compileQuery(written, "message.until");
  const isLast = until && ((event: Json) => isTruthy(until(event)));
  return { gather: () => gatherEvents(answer), ...defined({ isLast }) };
}

interface Wire {
  readonly settings: AssistantSettings;
  readonly limits: ExchangeLimits;
  readonly stream: StreamRules;
}

type Sent = ReturnType<typeof assistantRequestOf>;

/** By the address: `ws:` and `wss:` are WebSockets, `command:` is a program of the project. */
async function carry(
  request: Sent,
  { settings, limits, stream }: Wire,
  signal: AbortSignal,
): Promise<Exchanged> {
  const { reads } = settings.message;
  const text = typeof request.body === "string" ? request.body : "";
  if (settings.runProgram !== undefined) {
    const ended = await settings.runProgram(text, signal);
    if (ended.kind === "failed") {
      const accepted = ended.wasStarted;
      return failed(accepted ? "command_failed" : "unreachable", ended.message, { accepted });
    }
    const reply = readPrinted(ended.stdout, reads, stream);
    return reply.kind === "failed" ? reply : { kind: "received", reply, headers: {} };
  }
  if (/^wss?:/u.test(request.url)) {
    const { "content-type": _, ...headers } = request.headers as { [name: string]: string };
    return exchangeOverWebSocket({ url: request.url, headers, text, stream }, limits, signal);
  }
  return exchange({ ...request, reads, stream }, limits, signal);
}

/**
 * Of a stream the joined text is kept, and every event that carries something else: thousands of pieces say no more, and
 * could spell what the text must not show.
 */
function maskReply(
  reply: AssistantReply,
  mask: MaskRules,
  query: { readonly [part in keyof AnswerMapping]: Query },
): {
  readonly reply: AssistantReply;
  readonly looked: Looked;
  readonly raw: Json;
  /** As it came. */
  readonly sessionId: Json;
} {
  if (reply.kind === "body") {
    const body = maskJson(reply.body, mask);
    const sessionId = query.sessionId(reply.body);
    return { reply: { kind: "body", body }, looked: lookUp(body, query), raw: body, sessionId };
  }
  const { found, events, others } = reply;
  const text = typeof found.text === "string" ? maskText(found.text, mask) : found.text;
  const looked = { ...(maskJson(found as unknown as Json, mask) as unknown as Looked), text };
  const kept = others.map((event) => maskJson(event, mask));
  return {
    reply: { ...reply, found: looked, others: kept },
    looked,
    raw: { text, events, other_events: kept },
    sessionId: found.sessionId,
  };
}

function sightingOf(request: Sent, mask: MaskRules) {
  const { method, url, headers, body } = request;
  const hidden = maskJson({ url, headers, body: body ?? null }, mask) as {
    readonly url: string;
    readonly headers: Sent["headers"];
    readonly body: Exclude<Sent["body"], undefined> | null;
  };
  return {
    request: {
      method,
      url: hidden.url,
      headers: hidden.headers,
      ...defined({ body: hidden.body ?? undefined }),
    },
  };
}

function shown(headers: object, mask: MaskRules): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, maskText(String(value), mask)]),
  );
}

/** An answer found in a session needs no mapping of its parts: a response may have them in a different place. */
function recoverAnswer(
  sessionId: string,
  item: ConversationItem,
  answer: { readonly [part in keyof AnswerMapping]: Query },
): AssistantOutcome {
  const raw: Json = {
    session_id: sessionId,
    assistant_reply: item.text,
    conversation_item: item.raw ?? { text: item.text },
    ...defined({ debug: item.debug }),
  };
  const looked = {
    ...lookUp(raw, answer),
    text: item.text,
    sessionId,
    error: null,
    ...defined({ replyType: item.replyType, debug: item.debug }),
  };
  const read = readAnswer(looked, raw, { sessionId, kind: "client" });
  return read.kind === "answered" ? { ...read, recovered: true } : read;
}

/** Secrets in headers count with and without their scheme; those in the body are recognised by name. */
function maskRulesOf(settings: AssistantSettings): MaskRules {
  const values = [...Object.values(settings.secretHeaders), ...secretsIn(settings.headers)];
  const bare = values.map((value) => value.replace(/^\S+\s+/, ""));
  return {
    secrets: [...values, ...bare, ...secretsIn(settings.message.body)],
    ...defined({ rewrite: settings.rewrite }),
  };
}

function maskFailed({ failure }: FailedExchange, mask: MaskRules): FailedExchange {
  return { kind: "failed", failure: { ...failure, message: maskText(failure.message, mask) } };
}
