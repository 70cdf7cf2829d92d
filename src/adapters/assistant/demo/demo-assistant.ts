import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json } from "../../../domain/values/json.ts";
import { ANSWER_DEFECTS, answerQuestion, type Scope } from "./answers.ts";

/** Ways the server can fail below the answer. */
const TRANSPORT_DEFECTS = [
  "slow",
  "close",
  "error-500",
  "html",
  "huge",
  "invalid-utf8",
  "wrong-session",
  "forget-session",
  "no-answer",
] as const;

export const DEMO_DEFECTS = [...ANSWER_DEFECTS, ...TRANSPORT_DEFECTS] as const;

export type DemoDefect = (typeof DEMO_DEFECTS)[number];

export interface DemoAssistant {
  readonly url: string;
  /** Messages that reached the server, in order. */
  readonly questions: readonly string[];
  /** From the next message on. */
  setDefects(defects: readonly DemoDefect[]): void;
  close(): Promise<void>;
}

interface Session {
  scope: Scope;
  readonly items: Json[];
}

interface Shop {
  readonly sessions: Map<string, Session>;
  readonly questions: string[];
  defects: ReadonlySet<string>;
}

const MAX_REQUEST = 1024 * 1024;

/** A small real assistant with a shop's books, sessions, and defects that can be switched on. */
export async function startDemoAssistant(options: {
  readonly port?: number;
  readonly defects?: readonly DemoDefect[];
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
  await listen(server, options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    questions: shop.questions,
    setDefects(defects) {
      shop.defects = new Set(defects);
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

function readDefects(file: string): ReadonlySet<string> {
  const lines = readFileSync(file, "utf8").split("\n");
  return new Set(lines.map((line) => line.trim()).filter((line) => !/^(?:#|$)/.test(line)));
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve());
  });
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
  if (session === undefined) {
    sendJson(response, 404, { ok: false, error: "unknown session" });
  } else {
    sendJson(response, 200, { ok: true, session_id: id, conversation: session.items });
  }
}

async function takeMessage(
  shop: Shop,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readMessage(request);
  if (body === undefined) {
    sendJson(response, 400, { ok: false, error: "user_message is required" });
    return;
  }
  shop.questions.push(body.question);
  if (failBelowTheAnswer(shop.defects, response)) {
    return;
  }
  const known = shop.defects.has("forget-session") ? undefined : body.sessionId;
  const id =
    known !== undefined && shop.sessions.has(known) ? known : `shop-${shop.sessions.size + 1}`;
  const session = shop.sessions.get(id) ?? { scope: {}, items: [] };
  shop.sessions.set(id, session);
  const answer = answerQuestion(body.question, session.scope, shop.defects);
  session.scope = answer.scope;
  const item = {
    role: "assistant",
    message_id: `${id}-${session.items.length + 2}`,
    trace_id: `trace-${shop.questions.length}`,
    reply_type: answer.replyType,
    text: answer.text,
    debug: answer.debug,
  };
  session.items.push({ role: "user", text: body.question }, item);
  sendJson(response, 200, {
    ok: true,
    session_id: shop.defects.has("wrong-session") ? `${id}-other` : id,
    ...(shop.defects.has("no-answer") ? {} : { assistant_reply: answer.text }),
    conversation_item: shop.defects.has("no-answer") ? null : item,
    debug: answer.debug,
    conversation: session.items,
  });
}

/** True when the response was spoilt, held back or cut. */
function failBelowTheAnswer(defects: ReadonlySet<string>, response: ServerResponse): boolean {
  if (defects.has("slow")) {
    return true;
  }
  if (defects.has("close")) {
    response.destroy();
    return true;
  }
  if (defects.has("error-500")) {
    sendJson(response, 500, { ok: false, error: "the books are locked" });
    return true;
  }
  if (defects.has("html")) {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><h1>Welcome</h1>");
    return true;
  }
  if (defects.has("huge")) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(`{"assistant_reply":"${"x".repeat(50 * 1024 * 1024)}"}`);
    return true;
  }
  if (defects.has("invalid-utf8")) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]));
    return true;
  }
  return false;
}

async function readMessage(
  request: IncomingMessage,
): Promise<{ readonly question: string; readonly sessionId: string | undefined } | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > MAX_REQUEST) {
      return undefined;
    }
    chunks.push(bytes);
  }
  try {
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as {
      readonly user_message?: unknown;
      readonly session_id?: unknown;
    } | null;
    return typeof body?.user_message === "string"
      ? {
          question: body.user_message,
          sessionId: typeof body.session_id === "string" ? body.session_id : undefined,
        }
      : undefined;
  } catch {
    return undefined;
  }
}

function sendJson(response: ServerResponse, status: number, body: Json): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
  response.end(JSON.stringify(body));
}
