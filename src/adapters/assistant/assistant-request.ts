import { asText, resolveText } from "../../domain/scenarios/placeholder.ts";
import { isArray, isObject, type Json } from "../../domain/values/json.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { Message } from "../../ports/assistant.ts";
import type { AssistantSettings } from "./assistant-settings.ts";
import type { ExchangeRequest } from "./http-exchange.ts";

type Sent = Pick<ExchangeRequest, "method" | "url" | "headers" | "body">;

/** The request that carries a question: address, headers and body as the settings write them. */
export function assistantRequestOf(settings: AssistantSettings, message: Message): Sent {
  const { method, path, format, body: template } = settings.message;
  const values = valuesOf(settings, message);
  const body = fillTemplate(template, values) ?? {};
  const url = addressOf(settings.baseUrl, pathWith(path, message.sessionId));
  const headers = filledHeaders({ ...settings.headers, ...message.headers }, values);
  const own = { ...headers, ...settings.secretHeaders };
  if (method === "GET") return { method, url: withQuery(url, body), headers: own };
  switch (format) {
    case "json":
      return {
        method,
        url,
        headers: { ...typed("application/json"), ...own },
        body: JSON.stringify(body),
      };
    case "text":
      return { method, url, headers: { ...typed("text/plain"), ...own }, body: asText(body) };
    case "form": {
      const text = new URLSearchParams(fieldsOf(body)).toString();
      return {
        method,
        url,
        headers: { ...typed("application/x-www-form-urlencoded"), ...own },
        body: text,
      };
    }
    case "multipart":
      return { method, url, headers: own, body: fieldsOf(body) };
  }
}

function typed(type: string) {
  return { "content-type": `${type}; charset=utf-8` };
}

export function addressOf(baseUrl: string, path: string): string {
  return `${baseUrl.replace(/\/+$/, "")}${path.startsWith("/") ? path : `/${path}`}`;
}

/** The id in its place; an address that needs one before there is one cannot be asked. */
export function pathWith(path: string, sessionId: string | undefined): string {
  const place = /:session_id|\{\{\s*session_id\s*\}\}/gu;
  if (!place.test(path)) return path;
  if (sessionId !== undefined) return path.replace(place, encodeURIComponent(sessionId));
  throw new ConfigurationError(`message.path ${path} needs a session before the first question.`, {
    code: "session-needed",
    facts: { path },
    hint: "Set scenarios.assistant.session.kind to client, or session.create to the request that opens one.",
  });
}

function withQuery(url: string, body: Json): string {
  const query = new URLSearchParams(fieldsOf(body)).toString();
  return query === "" ? url : `${url}${url.includes("?") ? "&" : "?"}${query}`;
}

function fieldsOf(body: Json): { readonly [field: string]: string } {
  if (!isObject(body)) return {};
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) =>
      value === null ? [] : [[name, asText(value)]],
    ),
  );
}

function filledHeaders(headers: AssistantSettings["headers"], values: ReadonlyMap<string, Json>) {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const filled = fillTemplate(value, values);
      return filled === undefined ? [] : [[name, asText(filled).replace(/[\r\n]+/g, " ")]];
    }),
  );
}

function valuesOf(settings: AssistantSettings, message: Message): ReadonlyMap<string, Json> {
  const { question, sessionId, analysisContext, history = [] } = message;
  const { model, stream } = settings;
  const { turn, assistantRole } = settings.message;
  const asTurn = ({ role, text }: { readonly role: string; readonly text: string }): Json => {
    const name = role === "assistant" ? assistantRole : role;
    return (
      fillTemplate(
        turn,
        new Map([
          ["role", name],
          ["text", text],
        ]),
      ) ?? {}
    );
  };
  return new Map<string, Json>([
    ["question", question],
    ["analysis_context", analysisContext],
    ["messages", [...history, { role: "user", text: question }].map(asTurn)],
    ...(sessionId === undefined ? [] : [["session_id", sessionId] as const]),
    ...(model === undefined ? [] : [["model", model] as const]),
    ...(stream === undefined ? [] : [["stream", stream] as const]),
  ]);
}

/** A member whose placeholder has no value, such as the session id in the first turn, is left out. */
function fillTemplate(template: Json, values: ReadonlyMap<string, Json>): Json | undefined {
  if (typeof template === "string") {
    const none = { bindings: {}, semanticMemory: {}, unanswered: new Set<string>() };
    const resolved = resolveText(template, { ...none, steps: values });
    return resolved.kind === "resolved" ? resolved.value : undefined;
  }
  if (isArray(template)) return template.flatMap((element) => elementsOf(element, values));
  if (!isObject(template)) return template;
  const members = Object.entries(template).flatMap(([name, member]) => {
    const value = fillTemplate(member, values);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(members);
}

/** A conversation inside a list continues that list: a system message can be written before it. */
function elementsOf(element: Json, values: ReadonlyMap<string, Json>): readonly Json[] {
  const value = fillTemplate(element, values) ?? null;
  const isSpread = typeof element === "string" && /^\{\{\s*messages\s*\}\}$/u.test(element);
  return isSpread && isArray(value) ? value : [value];
}
