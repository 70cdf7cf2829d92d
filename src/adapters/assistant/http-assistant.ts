import { compile, TreeInterpreter } from "@jmespath-community/jmespath";
import { excerpt } from "../../domain/scenarios/folded-text.ts";
import { type MaskRules, maskJson, maskText, secretsIn } from "../../domain/scenarios/masking.ts";
import { resolveText } from "../../domain/scenarios/placeholder.ts";
import type {
  AssistantOutcome,
  ConversationItem,
  SessionOutcome,
  TransportFailure,
} from "../../domain/scenarios/turn.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { Assistant, Message } from "../../ports/assistant.ts";
import type { AssistantSettings } from "./assistant-settings.ts";
import { exchange } from "./http-exchange.ts";

type Query = (value: Json) => Json;

export function createHttpAssistant(settings: AssistantSettings): Assistant {
  const answer = compileAll(settings.answer, "answer");
  const session = compileAll(settings.session, "session");
  const mask = maskRulesOf(settings);
  const headers = { ...settings.headers, ...settings.secretHeaders };
  /** Needed unchanged to continue the session, so the project's rules for business data do not apply. */
  const idIn = (body: Json, { sessionId }: { readonly sessionId: Query }) =>
    maskJson(sessionId(body), { secrets: mask.secrets });
  const versionIn = (headers: { readonly [name: string]: string | string[] | undefined }) => {
    const found = headers[settings.versionHeader?.toLowerCase() ?? ""];
    return typeof found === "string" ? { version: () => maskText(found, mask) } : {};
  };
  const limits = { ...settings, hide: (text: string) => maskText(text, mask) };
  return {
    timeoutMs: settings.timeoutMs,
    async send(message, signal) {
      const url = addressOf(settings.baseUrl, settings.messagePath);
      const body = fillTemplate(settings.requestTemplate, message);
      const result = await exchange({ method: "POST", url, headers, body }, limits, signal);
      return result.kind === "failed"
        ? { kind: "failed", failure: maskFailure(result.failure, mask) }
        : readAnswer(
            maskJson(result.body, mask),
            { ...answer, sessionId: () => idIn(result.body, answer), ...versionIn(result.headers) },
            message.sessionId,
          );
    },
    async readSession(sessionId, signal) {
      if (settings.sessionPath === undefined) return { kind: "unsupported" };
      const path = settings.sessionPath.replace(":session_id", encodeURIComponent(sessionId));
      const url = addressOf(settings.baseUrl, path);
      const result = await exchange({ method: "GET", url, headers }, limits, signal);
      if (result.kind === "failed") {
        const lost = result.failure.httpStatus === 404 || result.failure.httpStatus === 410;
        const failure: TransportFailure = lost
          ? { ...result.failure, kind: "session_lost" }
          : result.failure;
        return { kind: "failed", failure: maskFailure(failure, mask) };
      }
      return readSessionBody(
        maskJson(result.body, mask),
        { ...session, sessionId: () => idIn(result.body, session) },
        sessionId,
      );
    },
    asKept: limits.hide,
    recover(sessionId, item) {
      const query = { ...answer, ...partsOf(sessionId, item) };
      const outcome = readAnswer(bodyOf(sessionId, item), query, undefined);
      return outcome.kind === "answered" ? { ...outcome, recovered: true } : outcome;
    },
  };
}

/** The parts of an item need no mapping: a response may have them in a different place. */
function partsOf(
  sessionId: string,
  { text, replyType, debug }: ConversationItem,
): { readonly [field: string]: Query } {
  return {
    text: () => text,
    sessionId: () => sessionId,
    ...(replyType === undefined ? {} : { replyType: () => replyType }),
    ...(debug === undefined ? {} : { debug: () => debug }),
  };
}

/** An item of a session, in the place where a response usually has it. */
function bodyOf(sessionId: string, item: ConversationItem): Json {
  return {
    session_id: sessionId,
    assistant_reply: item.text,
    conversation_item: item.raw ?? { text: item.text },
    ...defined({ debug: item.debug }),
  };
}

/** Secrets in headers count with and without their scheme; those in the body are recognised by name. */
function maskRulesOf(settings: AssistantSettings): MaskRules {
  const values = [...Object.values(settings.secretHeaders), ...secretsIn(settings.headers)];
  const bare = values.map((value) => value.replace(/^\S+\s+/, ""));
  return {
    secrets: [...values, ...bare, ...secretsIn(settings.requestTemplate)],
    ...defined({ rewrite: settings.rewrite }),
  };
}

function readAnswer(
  body: Json,
  query: { readonly [field in keyof AssistantSettings["answer"]]: Query },
  expectedSession: string | undefined,
): AssistantOutcome {
  const text = query.text(body);
  const sessionId = textOf(query.sessionId(body));
  if (expectedSession !== undefined && sessionId !== undefined && sessionId !== expectedSession) {
    const message = `asked in session ${expectedSession}, answered in ${sessionId}`;
    return failure("wrong_session", message, text);
  }
  if (typeof text !== "string") {
    return failure("missing_answer", "the response has no answer text", body);
  }
  const replyType = textOf(query.replyType(body));
  const messageId = textOf(query.messageId(body));
  const traceId = textOf(query.traceId(body));
  const version = textOf(query.version(body));
  const entries = query.entries(body);
  return {
    kind: "answered",
    answer: {
      text,
      ...defined({ sessionId, replyType, messageId, traceId, version }),
      debug: query.debug(body) ?? {},
      entries: Array.isArray(entries) ? entries : [],
      semanticMemory: query.semanticMemory(body) ?? {},
      raw: body,
    },
  };
}

function readSessionBody(
  body: Json,
  query: { readonly [field in keyof AssistantSettings["session"]]: Query },
  expected: string,
): SessionOutcome {
  const sessionId = textOf(query.sessionId(body));
  if (sessionId !== undefined && sessionId !== expected) {
    return failure("wrong_session", `asked for session ${expected}, got ${sessionId}`, body);
  }
  const items = query.items(body);
  if (!Array.isArray(items)) {
    return failure("missing_answer", "the response has no conversation", body);
  }
  return {
    kind: "found",
    sessionId: expected,
    items: (items as readonly Json[]).flatMap((item) => conversationItem(item, query)),
    raw: body,
  };
}

/** Items of other roles, or without text, are not part of the conversation. */
export function conversationItem(
  item: Json,
  query: { readonly [field in "role" | "text" | "replyType" | "debug" | "at"]: Query },
): readonly ConversationItem[] {
  const role = query.role(item);
  const text = query.text(item);
  if ((role !== "user" && role !== "assistant") || typeof text !== "string") return [];
  const replyType = textOf(query.replyType(item));
  const debug = query.debug(item) ?? undefined;
  const at = momentOf(query.at(item));
  return [{ role, text, ...defined({ replyType, debug, at }), raw: item }];
}

/** A time that can be read, in UTC; anything else is no date. */
function momentOf(said: Json): string | undefined {
  const text = typeof said === "number" ? new Date(said < 1e11 ? said * 1000 : said) : said;
  const millis = text instanceof Date ? text.getTime() : Date.parse(String(text));
  return said === null || Number.isNaN(millis) ? undefined : new Date(millis).toISOString();
}

/** An expression that does not match the body yields null; an invalid one is a configuration error. */
export function compileAll<T extends { readonly [field in keyof T]: string }>(
  mapping: T,
  place: string,
): { readonly [field in keyof T]: Query } {
  const compiled = Object.entries<string>(mapping).map(([field, expression]) => [
    field,
    compileQuery(expression, `${place}.${field}`),
  ]);
  return Object.fromEntries(compiled) as { readonly [field in keyof T]: Query };
}

function compileQuery(expression: string, place: string): Query {
  try {
    const tree = compile(expression);
    return (value) => {
      try {
        return (TreeInterpreter.search(tree, value as never) ?? null) as Json;
      } catch {
        return null;
      }
    };
  } catch (cause) {
    throw new ConfigurationError(`${place}: "${expression}" is not a JMESPath expression`, {
      code: "bad-mapping",
      facts: { place, expression },
      cause,
    });
  }
}

/** A member whose placeholder has no value, such as the session id in the first turn, is left out. */
function fillTemplate(template: Json, message: Message): Json {
  const { question, sessionId, analysisContext } = message;
  const values = new Map<string, Json>([
    ["question", question],
    ["analysis_context", analysisContext],
    ...(sessionId === undefined ? [] : [["session_id", sessionId] as const]),
  ]);
  return fill(template, values) ?? {};
}

function fill(template: Json, values: ReadonlyMap<string, Json>): Json | undefined {
  if (typeof template === "string") {
    const none = { bindings: {}, semanticMemory: {}, unanswered: new Set<string>() };
    const resolved = resolveText(template, { ...none, steps: values });
    return resolved.kind === "resolved" ? resolved.value : undefined;
  }
  if (Array.isArray(template)) {
    return (template as readonly Json[]).map((element) => fill(element, values) ?? null);
  }
  if (typeof template !== "object" || template === null) return template;
  const members = Object.entries(template).flatMap(([name, member]) => {
    const value = fill(member, values);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(members);
}

function addressOf(baseUrl: string, path: string): string {
  return `${baseUrl.replace(/\/+$/, "")}${path.startsWith("/") ? path : `/${path}`}`;
}

/** Ids may be numbers. */
function textOf(value: Json): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function failure(kind: TransportFailure["kind"], message: string, shown: Json) {
  const text = typeof shown === "string" ? shown : JSON.stringify(shown);
  return {
    kind: "failed" as const,
    failure: { kind, message, accepted: true, excerpt: excerpt(text) },
  };
}

function maskFailure(failure: TransportFailure, mask: MaskRules): TransportFailure {
  return { ...failure, message: maskText(failure.message, mask) };
}
