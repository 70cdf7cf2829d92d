import { compile, TreeInterpreter } from "@jmespath-community/jmespath";
import { excerpt } from "../../domain/scenarios/folded-text.ts";
import type {
  AssistantAnswer,
  ConversationItem,
  SessionKind,
  SessionOutcome,
  ToolCall,
} from "../../domain/scenarios/turn.ts";
import { defined } from "../../domain/values/defined.ts";
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
} from "../../domain/values/json.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { AnswerMapping, SessionMapping } from "./assistant-settings.ts";
import { type FailedExchange, failed, type Looked, type StreamRules } from "./read-reply.ts";

export type Query = (value: Json) => Json;
type Queries<T> = { readonly [field in keyof T]: Query };

/** Every part of an answer that came as one value. */
export function lookUp(body: Json, query: Queries<AnswerMapping>): Looked {
  const found = Object.entries(query).map(([part, read]): [string, Json] => {
    if (part === "delta") return [part, null];
    const value = read(body);
    return [part, part === "toolCalls" && value !== null ? toolCallsIn([value]) : value];
  });
  const looked = Object.fromEntries(found) as unknown as Looked;
  return typeof body === "string" ? { ...looked, text: body } : looked;
}

/** Of a stream the pieces of text are joined; of everything else the last value counts. */
export function gatherEvents(query: Queries<AnswerMapping>): ReturnType<StreamRules["gather"]> {
  const { toolCalls: readCalls, delta: readDelta, ...single } = query;
  const last: { [part: string]: Json } = {};
  const calls: Json[] = [];
  const others: Json[] = [];
  const pieces: string[] = [];
  const plain: string[] = [];
  let events = 0;
  return {
    see(event) {
      events += 1;
      for (const [part, read] of Object.entries(single))
        last[part] = read(event) ?? last[part] ?? null;
      const list = readCalls(event);
      if (list !== null) calls.push(list);
      const delta = readDelta(event);
      if (typeof delta === "string") pieces.push(delta);
      if (typeof event === "string") plain.push(event);
      else if (!isTruthy(delta)) others.push(event);
    },
    gathered() {
      // Events that are plain text are pieces of the answer themselves.
      const texts = pieces.length > 0 ? pieces : plain;
      const delta = texts.length === 0 ? null : texts.join("");
      const toolCalls = calls.length === 0 ? null : toolCallsIn(calls);
      const text = delta === null || delta === "" ? last.text : delta;
      return { found: { ...last, toolCalls, delta, text } as unknown as Looked, events, others };
    },
  };
}

/** As JMESPath has it: empty texts, lists and objects are false. */
export function isTruthy(value: Json): boolean {
  if (value === null || value === false || value === "") return false;
  return isArray(value) || isObject(value) ? Object.keys(value).length > 0 : true;
}

interface CallPiece {
  readonly index: string;
  readonly name: string;
  /** Arguments as text, which may be a piece of them; otherwise as a value. */
  readonly text: string;
  readonly value?: Json;
}

/** Calls in any of the common forms; pieces of one call in a stream are put together by their index. */
function toolCallsIn(lists: readonly Json[]): Json {
  const pieces = lists.flatMap((list, at) =>
    (isArray(list) ? list : [])
      .filter(isObject)
      .map((call, place) => callPiece(call, `${at}/${place}`)),
  );
  const calls = new Map<string, CallPiece>();
  for (const piece of pieces) {
    const known = calls.get(piece.index);
    const name = (known?.name ?? "") + piece.name;
    calls.set(piece.index, { ...piece, name, text: (known?.text ?? "") + piece.text });
  }
  return [...calls.values()].map(({ name, text, value }) => ({
    name,
    arguments: value ?? parseJson(text) ?? text,
  }));
}

function callPiece(call: JsonObject, place: string): CallPiece {
  const { function: inner } = call;
  const { name, arguments: args, input } = inner !== undefined && isObject(inner) ? inner : call;
  const given = args ?? input;
  return {
    index: call.index === undefined ? place : String(call.index),
    name: typeof name === "string" ? name : "",
    text: typeof given === "string" ? given : "",
    ...(given === undefined || typeof given === "string" ? {} : { value: given }),
  };
}

/** The answer, or why what came is none. `raw` is what is kept of the whole reply. */
export function readAnswer(
  looked: Looked,
  raw: Json,
  expected: { readonly sessionId?: string | undefined; readonly kind: SessionKind },
): { readonly kind: "answered"; readonly answer: AssistantAnswer } | FailedExchange {
  const { text, error } = looked;
  if (isTruthy(error)) {
    return failure("assistant_error", "the assistant reports an error", error);
  }
  const given = idTextOf(looked.sessionId);
  const { sessionId: asked, kind } = expected;
  if (kind === "given" && asked !== undefined && given !== undefined && given !== asked) {
    return failure("wrong_session", `asked in session ${asked}, answered in ${given}`, text);
  }
  if (typeof text !== "string") {
    return failure("missing_answer", "the response has no answer text", raw);
  }
  const sessionId = kind === "client" || kind === "history" ? asked : given;
  const [replyType, messageId, traceId, version] = [
    ...[looked.replyType, looked.messageId, looked.traceId, looked.version].map(idTextOf),
  ];
  const toolCalls = (looked.toolCalls ?? undefined) as readonly ToolCall[] | undefined;
  return {
    kind: "answered",
    answer: {
      text,
      ...defined({ sessionId, replyType, messageId, traceId, version, toolCalls }),
      debug: looked.debug ?? {},
      entries: isArray(looked.entries) ? looked.entries : [],
      semanticMemory: looked.semanticMemory ?? {},
      raw,
    },
  };
}

export function readSessionBody(
  body: Json,
  query: Queries<SessionMapping>,
  expected: string,
): SessionOutcome {
  const sessionId = idTextOf(query.sessionId(body));
  if (sessionId !== undefined && sessionId !== expected) {
    return failure("wrong_session", `asked for session ${expected}, got ${sessionId}`, body);
  }
  const items = query.items(body);
  if (!isArray(items)) {
    return failure("missing_answer", "the response has no conversation", body);
  }
  return {
    kind: "found",
    sessionId: expected,
    items: items.flatMap((item) => conversationItem(item, query)),
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
  const replyType = idTextOf(query.replyType(item));
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
): Queries<T> {
  const compiled = Object.entries<string>(mapping).map(([field, expression]) => [
    field,
    compileQuery(expression, `${place}.${field}`),
  ]);
  return Object.fromEntries(compiled) as Queries<T>;
}

export function compileQuery(expression: string, place: string): Query {
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

/** Ids may be numbers. */
export function idTextOf(value: Json): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function failure(kind: Parameters<typeof failed>[0], message: string, shown: Json): FailedExchange {
  return failed(kind, message, {
    excerpt: excerpt(typeof shown === "string" ? shown : JSON.stringify(shown)),
  });
}
