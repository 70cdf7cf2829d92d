import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  assistantAt,
  chatAnswer,
  memory,
  openTalk,
  pieces,
  sendJson,
  sendStream,
  sse,
  type Talk,
} from "../support/assistant-talks.ts";
import { chainPack, shopAnswer } from "../support/chatty-server.ts";

const talks: readonly (readonly [string, () => Talk])[] = [
  [
    "OpenAI chat completions, with the history of the client",
    () => ({
      settings: assistantAt("    preset: openai-chat\n    model: shop-1\n"),
      answer: ({ text }, response) =>
        sendJson(response, {
          id: "c1",
          model: "shop-1",
          choices: [{ message: { content: chatAnswer(text) }, finish_reason: "stop" }],
        }),
    }),
  ],
  [
    "OpenAI chat completions as a stream of server-sent events",
    () => ({
      settings: assistantAt("    preset: openai-chat\n    model: shop-1\n    stream: true\n"),
      answer: ({ text }, response) =>
        sendStream(response, "text/event-stream", [
          ": hello\n\n",
          ...sse(
            pieces(chatAnswer(text)).map((content) => ({ choices: [{ delta: { content } }] })),
          ),
          ...sse([{ choices: [{ delta: {}, finish_reason: "stop" }] }]),
          "data: [DONE]\n\n",
        ]),
    }),
  ],
  [
    "OpenAI responses, whose id is new with each answer",
    () => {
      const known = memory();
      const threads = new Map<string, string>();
      return {
        settings: assistantAt("    preset: openai-responses\n"),
        answer: ({ text }, response) => {
          const { input, previous_response_id: before } = JSON.parse(text);
          const thread = threads.get(before) ?? `t${threads.size}`;
          const id = `resp_${threads.size + 1}`;
          threads.set(id, thread);
          const content = [{ type: "output_text", text: known(thread, input) }];
          sendJson(response, { object: "response", id, output: [{ type: "message", content }] });
        },
      };
    },
  ],
  [
    "a session id in the path that the client chooses, with PUT and a form",
    () => {
      const known = memory();
      return {
        settings: assistantAt(`    message:
      method: PUT
      path: /talks/:session_id/lines
      format: form
      body: { q: "{{question}}" }
      answer: { text: said }
    session: { kind: client, available: false }
`),
        answer: ({ path, text }, response) => {
          const isFilled = /^\/talks\/[0-9a-f-]{36}\/lines$/u.test(path);
          if (!isFilled) return response.writeHead(404).end();
          sendJson(response, { said: known(path, new URLSearchParams(text).get("q") ?? "") });
        },
      };
    },
  ],
  [
    "a session that is opened first, and GET with plain text",
    () => {
      const known = memory();
      return {
        settings:
          assistantAt(`    message: { method: GET, path: "/talks/:session_id/ask", body: { q: "{{question}}" } }
    session: { create: { path: /talks, body: { kind: test } }, available: false }
`),
        answer: ({ method, path }, response) => {
          if (method === "POST") return sendJson(response, { id: "talk 7" });
          const url = new URL(path, "http://shop");
          if (url.pathname !== "/talks/talk%207/ask") return response.writeHead(404).end();
          const text = known(url.pathname, url.searchParams.get("q") ?? "");
          response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end(text);
        },
      };
    },
  ],
  [
    "a stream of JSON lines",
    () => ({
      settings: assistantAt("    preset: ollama-chat\n    model: shop-1\n"),
      answer: ({ text }, response) =>
        sendStream(response, "application/x-ndjson", [
          ...pieces(chatAnswer(text)).map(
            (content) => `${JSON.stringify({ message: { content }, done: false })}\n`,
          ),
          `${JSON.stringify({ message: { content: "" }, done: true })}\n`,
        ]),
    }),
  ],
  [
    "a WebSocket",
    () => {
      const known = memory();
      return {
        address: (url) => url.replace("http", "ws"),
        settings: assistantAt(`    headers: { x-client: signoff }
    message:
      path: /socket
      body: { thread: "{{session_id}}", text: "{{question}}" }
      until: end
      answer: { delta: piece, session_id: thread }
    session: { kind: client, available: false }
`),
        onSocket: (text) => {
          const { thread, text: question } = JSON.parse(text);
          return [
            ...pieces(known(thread, question)).map((piece) => JSON.stringify({ piece })),
            JSON.stringify({ end: true, thread }),
          ];
        },
      };
    },
  ],
];

describe("a chain of questions is asked in one conversation over", () => {
  it.each(talks)("%s", async (title, talk) => {
    const shop = await openTalk(talk());
    const ended = await shop.play("-q");
    expect(ended.out + ended.err).toContain("2 of 2 steps accepted");
    expect(ended.code).toBe(0);
    const { session_id: session, steps } = shop.json("scenarios/desk/scenario_state.json");
    expect(session).toMatch(/./u);
    expect(steps[1]).toMatchObject({
      answer_text: "Nordholz supplied them.",
      latency_ms: expect.any(Number),
    });
    if (!title.includes("stream")) return;
    const verified = await shop.run("verify");
    expect(verified.code, verified.out + verified.err).toBe(0);
  });
});

it("a program answers on its standard output, once the user trusts it", async () => {
  const shop = await openTalk({
    address: () => "command:bot",
    settings: `commands: { bot: { argv: [node, bot.mjs] } }\n${assistantAt(
      '    message: { body: { messages: "{{messages}}" } }\n',
    )}`,
  });
  writeFileSync(
    join(shop.path, "bot.mjs"),
    `let text = "";
for await (const part of process.stdin) text += part;
const said = JSON.parse(text).messages.map(({ content }) => content);
const isKnown = said.slice(0, -1).some((line) => line.includes("Oak desk"));
console.log(said.at(-1).startsWith("How many") ? "5 Oak desk in stock." : isKnown ? "Nordholz supplied them." : "Who?");
`,
  );
  const refused = await shop.play();
  expect(refused.code).toBe(2);
  expect(refused.err).toContain("commands.bot");
  expect((await shop.play("--trust", "-q")).out).toContain("2 of 2 steps accepted");
});

it.each([
  ['console.error("no database"); process.exit(3)', "command_failed exit code 3: no database"],
  ['process.kill(process.pid, "SIGKILL")', "command_failed ended by a signal"],
  ["setInterval(() => {}, 1000)", "command_failed no answer within 1 s"],
  ['process.stdout.write("x".repeat(20_000_000))', "command_failed more than 10 MB of output"],
  ["", "It answered, but with an empty text"],
])("a program that does %s is described in words", async (program, said) => {
  const shop = await openTalk({
    address: () => "command:bot",
    settings: `commands: { bot: { argv: [node, bot.mjs], seconds: 1 } }\n${assistantAt("")}`,
  });
  writeFileSync(join(shop.path, "bot.mjs"), program);
  const tried = await shop.run("pack", "try", "How many?", "--trust");
  expect(tried.code).toBe(1);
  const out = tried.out.replace(/\s+/gu, " ");
  expect(out).toContain(said);
  expect(out).not.toContain("POST");
});

describe("an assistant that keeps no conversation", () => {
  const alone = chainPack.replace(", depends_on: [stock]", "");
  const settings = assistantAt(
    '    message: { body: { q: "{{question}}" }, answer: { text: said } }\n',
  );
  const answer: Talk["answer"] = ({ text }, response) =>
    sendJson(response, { said: shopAnswer(JSON.parse(text).q, "Oak desk") });

  it("refuses a chain before the first question, and says why", async () => {
    const shop = await openTalk({ settings, answer });
    const refused = await shop.play();
    expect(refused.code).toBe(2);
    expect(refused.err.replace(/\s+/gu, " ")).toContain(
      "each question stands alone; desk/supplier depends on earlier ones",
    );
    expect(shop.server.got).toEqual([]);
  });

  it("is asked questions that need none, and the report says that each stood alone", async () => {
    const shop = await openTalk({ settings, answer, pack: alone });
    const ended = await shop.play("-q");
    expect(ended.code, ended.err).toBe(0);
    expect(ended.out).toContain("each question stood alone");
  });

  it("is found out where it was expected to name a session", async () => {
    const silent: Talk["answer"] = ({ text }, response) =>
      sendJson(response, {
        assistant_reply: shopAnswer(JSON.parse(text).user_message, "Oak desk"),
      });
    const shop = await openTalk({ settings: assistantAt(""), answer: silent });
    expect((await shop.play("-q")).code).toBe(1);
    const { steps } = shop.json("scenarios/desk/scenario_state.json");
    expect(steps[1].findings[0].evidence).toContain("no_session: earlier answers named no session");
    expect(shop.server.got.filter(({ method }) => method === "POST")).toHaveLength(1);
  });
});

describe("pack try", () => {
  const chat: Talk = {
    settings: assistantAt(""),
    answer: ({ text }, response) =>
      sendJson(response, { choices: [{ message: { content: chatAnswer(text) } }] }),
  };

  it("shows what was sent and what was read from where, and records nothing", async () => {
    const shop = await openTalk(chat);
    const preset = ["--preset", "openai-chat", "--model", "shop-1"];
    const tried = await shop.run(
      "pack",
      "try",
      "How many?",
      "Who supplied the Oak desk?",
      ...preset,
    );
    expect(tried.code, tried.err).toBe(0);
    const said = tried.out.replace(/\s+/gu, " ");
    expect(said).toContain(`sent POST ${shop.server.url}/v1/chat/completions`);
    expect(said).toContain("text = 5 Oak desk in stock. (choices[0].message.content)");
    expect(said).toContain("scenarios: { assistant: { preset: openai-chat, model: shop-1 } }");
    expect(JSON.parse(shop.server.got[1]?.text ?? "").messages).toHaveLength(3);
    expect((await shop.run("runs", "list", "--json")).out).not.toContain("pack");
  });

  it("prints settings that work as they stand, and what to do where nothing answers", async () => {
    const shop = await openTalk(chat);
    const ask = async (url: string) => {
      const at = ["--assistant-url", url, "--preset", "openai-chat"];
      const tried = await shop.run("pack", "try", "How many?", ...at);
      return { ...tried, said: tried.out.replace(/\s+/gu, " ") };
    };
    const { url } = shop.server;
    const found = await ask(url);
    expect(found.said).toContain(`{ assistant: { base_url: "${url}", preset: openai-chat } }`);
    const gone = await ask("http://127.0.0.1:1");
    expect(gone).toMatchObject({ code: 5 });
    expect(gone.said).toContain("Start the assistant, or correct --assistant-url.");
  });

  it("says which part was looked for and not found", async () => {
    const shop = await openTalk({
      settings: assistantAt('    message: { body: { q: "{{question}}" } }\n'),
      answer: (_, response) => sendJson(response, { reply: "5" }),
    });
    const tried = await shop.run("pack", "try", "How many?");
    expect(tried.code).toBe(1);
    const said = tried.out.replace(/\s+/gu, " ");
    expect(said).toContain("missing_answer the response has no answer text");
    expect(said).toContain("text = not found (assistant_reply || conversation_item.text)");
  });
});

it("headers of a step are sent with its question alone", async () => {
  const pack = chainPack.replace(
    "depends_on: [stock],",
    'depends_on: [stock], headers: { x-role: "buyer" },',
  );
  const known = memory();
  const shop = await openTalk({
    settings: assistantAt("    session: { kind: client, available: false }\n"),
    pack,
    answer: ({ text }, response) => {
      const { session_id: id, user_message: question } = JSON.parse(text);
      sendJson(response, { assistant_reply: known(id, question), session_id: id });
    },
  });
  expect((await shop.play("-q")).code).toBe(0);
  expect(shop.server.got.map(({ headers }) => headers["x-role"])).toEqual([undefined, "buyer"]);
});
