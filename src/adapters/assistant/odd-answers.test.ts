import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import {
  type AssistantSettings,
  DEFAULT_ASSISTANT_SETTINGS,
  DEFAULT_MESSAGE,
} from "./assistant-settings.ts";
import { createAssistant } from "./create-assistant.ts";

const said = "Größe: 9 Stück";
const answer = JSON.stringify({ assistant_reply: said, session_id: "s" });
const json = { "content-type": "application/json" };

test.each([
  ["in Latin-1", Buffer.from(answer, "latin1"), "application/json; charset=iso-8859-1"],
  ["in UTF-16", Buffer.from(answer, "utf16le"), 'application/json; Charset="utf-16le"'],
  ["in an encoding of no known name", Buffer.from(answer), "application/json; charset=klingon"],
])("an answer %s is read as its header says", async (_title, body, type) => {
  const outcome = await askOver((response) =>
    response.writeHead(200, { "content-type": type }).end(body),
  );
  expect(outcome).toMatchObject({ answer: { text: said } });
});

test.each([
  ["gzip", gzipSync(answer)],
  ["deflate", deflateSync(answer)],
  ["br", brotliCompressSync(answer)],
])("an answer that is compressed without being asked for is read: %s", async (name, body) => {
  const headers = { ...json, "content-encoding": name };
  const outcome = await askOver((response) => response.writeHead(200, headers).end(body));
  expect(outcome).toMatchObject({ answer: { text: said } });
});

test("a compressed answer counts with its full size, and a damaged one is no answer", async () => {
  const headers = { ...json, "content-encoding": "gzip" };
  const sent = (body: Buffer) => (response: ServerResponse) =>
    response.writeHead(200, headers).end(body);
  expect(await askOver(sent(gzipSync(Buffer.alloc(20_000_000, 32))))).toMatchObject({
    failure: { kind: "too_large" },
  });
  expect(await askOver(sent(Buffer.from("no gzip at all")))).toMatchObject({ kind: "failed" });
  expect(await askOver(sent(gzipSync(answer).subarray(0, 30)))).toMatchObject({ kind: "failed" });
});

test("a redirect names where it leads, without its query", async () => {
  const outcome = await askOver((response) =>
    response.writeHead(307, { location: "/api/assistant/message/?key=hidden-4711" }).end(),
  );
  expect(outcome).toMatchObject({
    failure: {
      kind: "http_error",
      message: expect.stringMatching(/status 307; .+ http:\/\/127.+\/api\/assistant\/message\/$/u),
    },
  });
});

test("an error in the middle of a stream is what the assistant said, not a lost connection", async () => {
  const outcome = await askOver(
    (response) =>
      response
        .writeHead(200, { "content-type": "text/event-stream" })
        .end('data: {"delta":"9 pie"}\n\ndata: {"error":{"message":"overloaded"}}\n\n'),
    {
      message: {
        ...DEFAULT_MESSAGE,
        until: "done",
        answer: { ...DEFAULT_MESSAGE.answer, error: "error.message" },
      },
    },
  );
  expect(outcome).toMatchObject({ failure: { kind: "assistant_error", excerpt: "overloaded" } });
});

test("an empty reply is called empty", async () => {
  const outcome = await askOver((response) => response.writeHead(200, json).end());
  expect(outcome).toMatchObject({ failure: { message: "the answer is empty" } });
});

test("a WebSocket may answer in binary messages", async () => {
  expect(await askSocket((socket) => socket.send(Buffer.from(answer)))).toMatchObject({
    answer: { text: said },
  });
  expect(await askSocket((socket) => socket.send(Buffer.from([0xff, 0xfe, 0xff])))).toMatchObject({
    failure: { kind: "invalid_utf8" },
  });
});

test("nesting without end over a WebSocket is refused", async () => {
  const deep = `{"assistant_reply":"9","debug":${"[".repeat(9000)}${"]".repeat(9000)}}`;
  expect(await askSocket((socket) => socket.send(deep))).toMatchObject({
    failure: { kind: "not_json" },
  });
});

async function askOver(
  respond: (response: ServerResponse) => void,
  change: Partial<AssistantSettings> = {},
) {
  const server = createServer((_, response) => respond(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, change);
}

async function askSocket(onQuestion: (socket: WebSocket) => void) {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  server.on("connection", (socket) => socket.on("message", () => onQuestion(socket)));
  onTestFinished(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  return ask(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

function ask(baseUrl: string, change: Partial<AssistantSettings> = {}) {
  const settings = { ...DEFAULT_ASSISTANT_SETTINGS, baseUrl, retryDelayMs: 0, ...change };
  const question = { question: "How many?", analysisContext: {} };
  return createAssistant(settings).send(question, new AbortController().signal);
}
