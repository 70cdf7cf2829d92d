import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { sparePort } from "../../../tests/support/spare-port.ts";
import { defined } from "../../domain/values/defined.ts";
import {
  type AssistantSettings,
  DEFAULT_ASSISTANT_SETTINGS,
  DEFAULT_MESSAGE,
  DEFAULT_SESSION,
} from "./assistant-settings.ts";
import { createAssistant } from "./create-assistant.ts";
import { type DemoAssistant, type DemoDefect, startDemoAssistant } from "./demo/demo-assistant.ts";

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function demo(defects: readonly DemoDefect[] = []): Promise<DemoAssistant> {
  const started = await startDemoAssistant({ defects });
  cleanups.push(() => started.close());
  return started;
}

async function answering(bytes: string | Buffer, status = 200, headers = {}): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status, headers).end(bytes));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const assistant = (baseUrl: string, change: Partial<AssistantSettings> = {}) =>
  createAssistant({ ...DEFAULT_ASSISTANT_SETTINGS, baseUrl, retryDelayMs: 0, ...change });
const signal = () => new AbortController().signal;
const ask = (question: string, sessionId?: string) => ({
  question,
  analysisContext: {},
  ...defined({ sessionId }),
});

test("questions of one session share its scope, and the session can be read back", async () => {
  const { url } = await demo();
  const shop = assistant(url);
  const first = await shop.send(ask("How many Oak desk were in stock on 2024-03-31?"), signal());
  expect(first).toMatchObject({
    kind: "answered",
    answer: {
      text: "5 pieces of Oak desk were in stock on 2024-03-31.",
      replyType: "factual",
      entries: [{ item: "Oak desk", quantity: 5 }],
      semanticMemory: { focus_object: "Oak desk" },
    },
  });
  if (first.kind !== "answered") return;
  const sessionId = first.answer.sessionId!;
  const second = await shop.send(ask("Who supplied it?", sessionId), signal());
  expect(second).toMatchObject({
    answer: {
      sessionId,
      debug: { extracted_filters: { item: "Oak desk", as_of_date: "2024-03-31" } },
    },
  });
  const session = await shop.readSession(sessionId, signal());
  expect(session).toMatchObject({
    kind: "found",
    items: [
      { role: "user" },
      { role: "assistant" },
      { role: "user", text: "Who supplied it?" },
      { role: "assistant" },
    ],
  });
});

test("brackets inside the words of an answer are no nesting; real nesting without end is refused", async () => {
  const words = `say "${"[{".repeat(400)}" and \\"`;
  const talkative = await answering(JSON.stringify({ assistant_reply: words }));
  expect(await assistant(talkative).send(ask("What?"), signal())).toMatchObject({
    answer: { text: words },
  });
  const deep = await answering(`{"assistant_reply":${"[".repeat(300)}${"]".repeat(300)}}`);
  expect(await assistant(deep).send(ask("What?"), signal())).toMatchObject({
    failure: { kind: "not_json", message: expect.stringContaining("nested deeper") },
  });
});

test("the version comes from a header or from a part of the answer, and is unobserved without either", async () => {
  const body = JSON.stringify({ assistant_reply: "5", build: 7 });
  const plain = await answering(body);
  const version = async (shop: ReturnType<typeof assistant>) => {
    const outcome = await shop.send(ask("How many?"), signal());
    return outcome.kind === "answered" ? outcome.answer.version : outcome.failure.message;
  };
  const message = {
    ...DEFAULT_MESSAGE,
    answer: { ...DEFAULT_MESSAGE.answer, version: "build" },
  };
  expect(await version(assistant(plain))).toBe(undefined);
  expect(await version(assistant(plain, { message }))).toBe("7");
  expect(await version(assistant(plain, { message, versionHeader: "X-Build" }))).toBe("7");
  const headed = await answering(body, 200, { "x-build": "8" });
  expect(await version(assistant(headed, { message, versionHeader: "X-Build" }))).toBe("8");
});

describe("whatever the assistant does is a typed failure, never a throw", () => {
  test.each<[DemoDefect, string, object]>([
    ["close", "connection_closed", {}],
    ["error-500", "http_error", { httpStatus: 500 }],
    ["html", "not_json", { excerpt: "<!doctype html><h1>Welcome</h1>" }],
    ["huge", "too_large", {}],
    ["invalid-utf8", "invalid_utf8", {}],
    ["no-answer", "missing_answer", {}],
  ])("%s is %s", async (defect, kind, facts) => {
    const server = await demo([defect]);
    const outcome = await assistant(server.url).send(ask("What is in stock?"), signal());
    expect(outcome).toMatchObject({ kind: "failed", failure: { kind, accepted: true, ...facts } });
    expect(server.questions).toEqual(["What is in stock?"]);
    server.setDefects([]);
    expect((await assistant(server.url).send(ask("What is in stock?"), signal())).kind).toBe(
      "answered",
    );
  });

  test("no answer in time is timed_out and is not sent again", async () => {
    const server = await demo(["slow"]);
    const outcome = await assistant(server.url, { timeoutMs: 50 }).send(
      ask("What is in stock?"),
      signal(),
    );
    expect(outcome).toMatchObject({ failure: { kind: "timed_out", accepted: true } });
    // None where the machine was so busy that the question was still on its way.
    expect(server.questions.length).toBeLessThanOrEqual(1);
  });

  test.each<DemoDefect>(["wrong-session", "forget-session"])(
    "%s is wrong_session",
    async (defect) => {
      const server = await demo();
      const first = await assistant(server.url).send(ask("What is in stock?"), signal());
      const sessionId = first.kind === "answered" ? first.answer.sessionId! : "";
      server.setDefects([defect]);
      const outcome = await assistant(server.url).send(
        ask("Who supplied it?", sessionId),
        signal(),
      );
      expect(outcome).toMatchObject({ failure: { kind: "wrong_session" } });
    },
  );

  test("an unknown session is session_lost", async () => {
    const { url } = await demo();
    expect(await assistant(url).readSession("gone", signal())).toMatchObject({
      failure: { kind: "session_lost", httpStatus: 404 },
    });
    const { path: _, ...session } = DEFAULT_SESSION;
    expect(await assistant(url, { session }).readSession("gone", signal())).toEqual({
      kind: "unsupported",
    });
  });

  test("a closed port is unreachable and may be retried", async () => {
    const gone = `http://127.0.0.1:${await sparePort()}`;
    expect(await assistant(gone).send(ask("Stock?"), signal())).toMatchObject({
      failure: { kind: "unreachable", accepted: false },
    });
  });

  test.each([
    ["no JSON", "stock: 4"],
    ["nothing", ""],
    ["a bottomless body", "[".repeat(100_000)],
    ["a deep body", `{"assistant_reply":${"[".repeat(5000)}${"]".repeat(5000)}}`],
  ])("%s is not_json", async (_title, body) => {
    expect(await assistant(await answering(body)).send(ask("Stock?"), signal())).toMatchObject({
      failure: { kind: "not_json" },
    });
  });

  test("a redirect is not followed, so secrets go nowhere else", async () => {
    expect(await assistant(await answering("", 302)).send(ask("Stock?"), signal())).toMatchObject({
      failure: { kind: "http_error", httpStatus: 302 },
    });
  });
});

test("a request that never arrived is sent again until a server listens", async () => {
  const port = await sparePort();
  const settings: Partial<AssistantSettings> = { retries: 200, retryDelayMs: 10 };
  const answer = assistant(`http://127.0.0.1:${port}`, settings).send(
    ask("What is in stock?"),
    signal(),
  );
  const server = await startDemoAssistant({ port });
  cleanups.push(() => server.close());
  expect((await answer).kind).toBe("answered");
  expect(server.questions).toEqual(["What is in stock?"]);
});

test("only the caller's own signal throws", async () => {
  const { url } = await demo(["slow"]);
  const controller = new AbortController();
  const answer = assistant(url).send(ask("Stock?"), controller.signal);
  controller.abort(new Error("interrupted"));
  await expect(answer).rejects.toThrow("interrupted");
});

describe("keys are in nothing that leaves the adapter", () => {
  const key = "sk-shop-4711-of-the-header";
  const settings: Partial<AssistantSettings> = {
    headers: { "x-api-key": "plain-secret-8" },
    secretHeaders: { authorization: `Bearer ${key}` },
    message: {
      ...DEFAULT_MESSAGE,
      body: { user_message: "{{question}}", llm: { apiKey: "body-secret-9" } },
    },
  };

  test.each([
    [
      "an answer",
      200,
      JSON.stringify({
        assistant_reply: `Your keys ${key}, plain-secret-8 and body-secret-9 are fine.`,
        session_id: "s",
        debug: { request: { apiKey: "their-secret-1", auth: `Bearer ${key}` }, [key]: 1 },
      }),
    ],
    ["an error", 500, `<html>${key} body-secret-9`],
    ["an error that is cut in the middle of a key", 500, `${"x".repeat(270)}${key}`],
    ["a page that is cut in the middle of a key", 200, `<html>${"x".repeat(264)}${key}`],
    ["a page full of keys, which grows shorter when they are hidden", 500, key.repeat(100)],
  ])("%s", async (_title, status, body) => {
    const shop = assistant(await answering(body, status), settings);
    const outcome = await shop.send(ask("Stock?"), signal());
    expect(JSON.stringify(outcome)).not.toMatch(/sk-|plain-|body-|their-/);
    expect(JSON.stringify(outcome)).toMatch(/xxx|\[redacted\]/);
  });
});

test("a rule for business data hides numbers everywhere but in the id of the session", async () => {
  const { url } = await demo();
  const shop = assistant(url, { rewrite: (text) => text.replace(/\d+/g, "#") });
  const first = await shop.send(ask("How many Oak desk were in stock on 2024-03-31?"), signal());
  if (first.kind !== "answered") throw new Error("no answer");
  const { sessionId = "", text } = first.answer;
  expect([text, sessionId]).toEqual([
    "# pieces of Oak desk were in stock on #-#-#.",
    expect.stringMatching(/\d/),
  ]);
  expect(await shop.send(ask("Who supplied it?", sessionId), signal())).toMatchObject({
    answer: { sessionId, debug: { extracted_filters: { item: "Oak desk" } } },
  });
  expect(await shop.readSession(sessionId, signal())).toMatchObject({ kind: "found", sessionId });
});

test("a session id may be a number, and another number is another session", async () => {
  const shop = assistant(await answering('{"session_id":42,"assistant_reply":"5"}'));
  expect(await shop.send(ask("Stock?"), signal())).toMatchObject({ answer: { sessionId: "42" } });
  expect(await shop.send(ask("Stock?", "s-1"), signal())).toMatchObject({
    failure: { kind: "wrong_session" },
  });
});

test("the request and the reading of answers are configured", async () => {
  const seen: { url: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request
      .setEncoding("utf8")
      .on("data", (part: string) => {
        body += part;
      })
      .on("end", () => {
        seen.push({ url: request.url ?? "", headers: request.headers, body });
        const log = [
          { who: "user", said: "How many?" },
          { who: "assistant", said: "12 desks", debug: { rows: 2 } },
        ];
        response.end(
          JSON.stringify({ choices: [{ message: { content: "12 desks" } }], thread: "t/1", log }),
        );
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const shop = assistant(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {
    headers: { "x-client": "signoff" },
    secretHeaders: { authorization: "Bearer sk-shop-1" },
    message: {
      ...DEFAULT_MESSAGE,
      path: "v1/chat",
      body: {
        thread: "{{session_id}}",
        messages: [{ role: "user", content: "{{question}}" }],
        max: 3,
      },
      answer: {
        ...DEFAULT_MESSAGE.answer,
        text: "choices[0].message.content",
        sessionId: "thread",
      },
    },
    session: {
      kind: "given",
      path: "/v1/threads/:session_id/log",
      answer: {
        ...DEFAULT_SESSION.answer,
        ...{ sessionId: "thread", items: "log", role: "who", text: "said" },
      },
    },
  });
  const outcome = await shop.send(ask('How many "desks"? {{session_id}}'), signal());
  expect(outcome).toMatchObject({ answer: { text: "12 desks", sessionId: "t/1" } });
  const session = await shop.readSession("t/1", signal());
  expect(session).toMatchObject({ items: [{ role: "user" }, { text: "12 desks" }] });
  const last = session.kind === "found" ? session.items.at(-1) : undefined;
  expect(shop.recover("t/1", last!)).toMatchObject({
    recovered: true,
    answer: { text: "12 desks", sessionId: "t/1", debug: { rows: 2 } },
  });
  expect(seen.map(({ url }) => url)).toEqual(["/v1/chat", "/v1/threads/t%2F1/log"]);
  for (const { headers } of seen) {
    expect(headers).toMatchObject({ "x-client": "signoff", authorization: "Bearer sk-shop-1" });
  }
  expect(JSON.parse(seen[0]?.body ?? "")).toEqual({
    messages: [{ role: "user", content: 'How many "desks"? {{session_id}}' }],
    max: 3,
  });
});

test("an answer found in a session is read like one that was just given, and says so", async () => {
  const { url } = await demo();
  const shop = assistant(url);
  const given = await shop.send(ask("How many Oak desk were in stock on 2024-03-31?"), signal());
  if (given.kind !== "answered") throw new Error("no answer");
  const { sessionId = "", text, debug, replyType } = given.answer;
  const session = await shop.readSession(sessionId, signal());
  const item = session.kind === "found" ? session.items.at(-1) : undefined;
  expect(shop.recover(sessionId, item!)).toMatchObject({
    kind: "answered",
    recovered: true,
    answer: { sessionId, text, debug, replyType },
  });
});

test("an expression that cannot be read is a configuration error naming its place", () => {
  const answer = { ...DEFAULT_MESSAGE.answer, text: "reply[" };
  const message = { ...DEFAULT_MESSAGE, answer };
  expect(() => assistant("http://127.0.0.1:1", { message })).toThrow(/answer\.text/);
});
