import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { Json } from "../../../domain/values/json.ts";
import { answerDefects, answerShopQuestion, type ShopScope } from "./answers.ts";

/** Ways the server can fail instead of answering. */
const failures = {
  slow: () => {},
  close: (response) => {
    response.destroy();
  },
  "error-500": (response) => sendJson(response, 500, { ok: false, error: "the books are locked" }),
  html: (response) => send(response, 200, "text/html", "<!doctype html><h1>Welcome</h1>"),
  huge: (response) =>
    send(response, 200, jsonType, `{"assistant_reply":"${"x".repeat(50 * 1024 * 1024)}"}`),
  "invalid-utf8": (response) =>
    send(response, 200, jsonType, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])),
} satisfies { readonly [defect: string]: (response: ServerResponse) => void };

const failureNames = Object.keys(failures) as (keyof typeof failures)[];
const otherDefects = ["wrong-session", "forget-session", "no-answer"] as const;

export const demoAssistantDefects = [...answerDefects, ...failureNames, ...otherDefects];

export type DemoDefect = (typeof demoAssistantDefects)[number];

export interface DemoAssistant {
  readonly url: string;
  /** Messages that reached the server, in order. */
  readonly questions: readonly string[];
  /** From the next message on. */
  setDefects(defects: readonly string[]): void;
  close(): Promise<void>;
}

interface Session {
  scope: ShopScope;
  readonly items: Json[];
}

interface Shop {
  readonly sessions: Map<string, Session>;
  readonly questions: string[];
  defects: ReadonlySet<string>;
}

const jsonType = "application/json; charset=utf-8";

/** A small real assistant with a shop's books, sessions, and defects that can be switched on. */
export async function startDemoAssistant(options: {
  readonly port?: number;
  readonly defects?: readonly string[];
  /** A file with one defect per line, read again for each message: who repairs the file repairs the assistant. */
  readonly defectFile?: string;
}): Promise<DemoAssistant> {
  const shop: Shop = {
    sessions: new Map(),
    questions: [],
    defects: new Set(options.defects ?? []),
  };
  const { defectFile } = options;
  const server = createServer((request, response) => {
    if (defectFile !== undefined) shop.defects = readDefects(defectFile);
    serve(shop, request, response).catch(() => response.destroy());
  });
  await once(server.listen(options.port ?? 0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    questions: shop.questions,
    setDefects(defects) {
      shop.defects = new Set(defects);
    },
    close: () => {
      server.closeAllConnections();
      return server[Symbol.asyncDispose]();
    },
  };
}

function readDefects(file: string): ReadonlySet<string> {
  const lines = readFileSync(file, "utf8").split("\n");
  return new Set(lines.map((line) => line.trim()).filter((line) => !/^(?:#|$)/.test(line)));
}

async function serve(
  shop: Shop,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? "/").split("?")[0] ?? "/";
  const session = /^\/api\/assistant\/session\/([^/]+)$/.exec(path)?.[1];
  if (request.method === "GET" && session !== undefined) {
    sendSession(shop, decodeURIComponent(session), response);
  } else if (request.method === "POST" && path === "/api/assistant/message") {
    await takeMessage(shop, request, response);
  } else {
    sendJson(response, 404, { ok: false, error: "not found" });
  }
}

function sendSession(shop: Shop, id: string, response: ServerResponse): void {
  const session = shop.sessions.get(id);
  if (session === undefined) sendJson(response, 404, { ok: false, error: "unknown session" });
  else sendJson(response, 200, { ok: true, session_id: id, conversation: session.items });
}

async function takeMessage(
  shop: Shop,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readMessage(request);
  if (body === undefined) {
    return sendJson(response, 400, { ok: false, error: "user_message is required" });
  }
  shop.questions.push(body.question);
  const failing = failureNames.find((name) => shop.defects.has(name));
  if (failing !== undefined) return failures[failing](response);
  const known = shop.defects.has("forget-session") ? undefined : body.sessionId;
  const id =
    known !== undefined && shop.sessions.has(known) ? known : `shop-${shop.sessions.size + 1}`;
  const session = shop.sessions.get(id) ?? { scope: {}, items: [] };
  shop.sessions.set(id, session);
  const answer = answerShopQuestion(body.question, session.scope, shop.defects);
  session.scope = answer.scope;
  const now = new Date().toISOString();
  const item = {
    role: "assistant",
    created_at: now,
    message_id: `${id}-${session.items.length + 2}`,
    trace_id: `trace-${shop.questions.length}`,
    reply_type: answer.replyType,
    text: answer.text,
    debug: answer.debug,
  };
  session.items.push({ role: "user", text: body.question, created_at: now }, item);
  sendJson(response, 200, {
    ok: true,
    session_id: shop.defects.has("wrong-session") ? `${id}-other` : id,
    ...(shop.defects.has("no-answer") ? {} : { assistant_reply: answer.text }),
    conversation_item: shop.defects.has("no-answer") ? null : item,
    debug: answer.debug,
    conversation: session.items,
  });
}

async function readMessage(request: IncomingMessage) {
  const body = (await json(request).catch(() => undefined)) as
    | { readonly user_message?: unknown; readonly session_id?: unknown }
    | null
    | undefined;
  if (typeof body?.user_message !== "string") return undefined;
  const sessionId = typeof body.session_id === "string" ? body.session_id : undefined;
  return { question: body.user_message, sessionId };
}

function sendJson(response: ServerResponse, status: number, body: Json): void {
  send(response, status, jsonType, JSON.stringify(body));
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, { "content-type": type }).end(body);
}
