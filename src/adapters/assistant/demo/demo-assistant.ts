import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { z } from "zod";
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
  huge: (response) => sendJson(response, 200, { assistant_reply: "x".repeat(50 * 1024 * 1024) }),
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
const messageShape = z.object({
  user_message: z.string(),
  session_id: z.string().optional().catch(undefined),
});

/** A small real assistant with a shop's books, sessions, and defects that can be switched on. */
export async function startDemoAssistant(options: {
  readonly port?: number;
  readonly defects?: readonly string[];
  /** A file with one defect per line, read again for each message: who repairs the file repairs the assistant. */
  readonly defectFile?: string;
}): Promise<DemoAssistant> {
  const { port: wanted = 0, defects: initial = [], defectFile } = options;
  const shop: Shop = { sessions: new Map(), questions: [], defects: new Set(initial) };
  const server = createServer((request, response) => {
    if (defectFile !== undefined) shop.defects = readDefects(defectFile);
    serve(shop, request, response).catch(() => response.destroy());
  });
  await once(server.listen(wanted, "127.0.0.1"), "listening");
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
  const { pathname } = new URL(request.url ?? "/", "http://shop");
  const id = decodeURIComponent(/^\/api\/assistant\/session\/([^/]+)$/.exec(pathname)?.[1] ?? "");
  if (request.method === "GET" && id !== "") {
    const session = shop.sessions.get(id);
    if (session === undefined) refuse(response, 404, "unknown session");
    else sendJson(response, 200, { ok: true, session_id: id, conversation: session.items });
  } else if (request.method === "POST" && pathname === "/api/assistant/message") {
    const message = messageShape.safeParse(await json(request).catch(() => undefined));
    if (message.success) takeMessage(shop, message.data, response);
    else refuse(response, 400, "user_message is required");
  } else {
    refuse(response, 404, "not found");
  }
}

function takeMessage(
  shop: Shop,
  { user_message: question, session_id }: z.infer<typeof messageShape>,
  response: ServerResponse,
): void {
  const { sessions, questions, defects } = shop;
  questions.push(question);
  const failing = failureNames.find((name) => defects.has(name));
  if (failing !== undefined) {
    failures[failing](response);
    return;
  }
  const isKnown = sessions.has(session_id ?? "") && !defects.has("forget-session");
  const id = isKnown && session_id ? session_id : `shop-${sessions.size + 1}`;
  const session = sessions.get(id) ?? { scope: {}, items: [] };
  sessions.set(id, session);
  const answer = answerShopQuestion(question, session.scope, defects);
  session.scope = answer.scope;
  const now = new Date().toISOString();
  const item = {
    role: "assistant",
    created_at: now,
    message_id: `${id}-${session.items.length + 2}`,
    trace_id: `trace-${questions.length}`,
    reply_type: answer.replyType,
    text: answer.text,
    debug: answer.debug,
  };
  session.items.push({ role: "user", text: question, created_at: now }, item);
  const isSilent = defects.has("no-answer");
  sendJson(response, 200, {
    ok: true,
    session_id: defects.has("wrong-session") ? `${id}-other` : id,
    ...(isSilent ? {} : { assistant_reply: answer.text }),
    conversation_item: isSilent ? null : item,
    debug: answer.debug,
    conversation: session.items,
  });
}

function refuse(response: ServerResponse, status: number, error: string): void {
  sendJson(response, status, { ok: false, error });
}

function sendJson(response: ServerResponse, status: number, body: Json): void {
  send(response, status, jsonType, JSON.stringify(body));
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, { "content-type": type }).end(body);
}
