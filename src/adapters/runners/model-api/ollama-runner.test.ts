import { describe, expect, it, vi } from "vitest";
import { openLoopback, type Seen, sendJson } from "../../../../tests/support/loopback-server.ts";
import {
  clock,
  failureOf,
  ollamaLine,
  ollamaWire,
  requestFor,
  type WireReply,
} from "../../../../tests/support/provider-wires.ts";
import type { AskRequest, Reply } from "../../../ports/runner.ts";
import { createOllamaRunner } from "./ollama-runner.ts";

const open = new AbortController().signal;
const model = "ollama/mistral:latest";

interface Asked {
  readonly model: string;
  readonly think: boolean;
  readonly format?: unknown;
  readonly options: {
    readonly num_ctx: number;
    readonly num_predict?: number;
    readonly temperature?: number;
    readonly seed?: number;
  };
}

interface Shop {
  readonly shown?: object;
  readonly reported?: (seen: Seen, nth: number) => WireReply;
}

async function ollama({ shown = {}, reported = () => ({ parts: ["SHIP IT!"] }) }: Shop = {}) {
  const asks: Asked[] = [];
  const server = await openLoopback((seen, response) => {
    if (seen.path === "/api/show") return sendJson(response, 200, shown);
    asks.push(seen.json as Asked);
    return ollamaWire.send(response, reported(seen, asks.length));
  });
  const runner = createOllamaRunner({ clock, baseUrl: server.url });
  const attempt = (more: Partial<AskRequest> = {}) => runner.attempt(requestFor(model, more), open);
  return { server, asks, attempt };
}

async function replyOf(attempt: Promise<unknown>): Promise<Reply> {
  return ((await attempt) as { readonly reply: Reply }).reply;
}

describe("createOllamaRunner", () => {
  it.each(["", "/", "/v1", "/v1/", "/api"])(
    "takes its base URL with %j at the end",
    async (ending) => {
      const { server } = await ollama();
      const runner = createOllamaRunner({ clock, baseUrl: `${server.url}${ending}` });
      await runner.attempt(requestFor(model), open);
      expect(server.seen.map(({ path }) => path)).toEqual(["/api/show", "/api/chat"]);
    },
  );

  it("sends every setting where Ollama reads it", async () => {
    const { asks, attempt } = await ollama();
    const settings = { temperature: 0.7, max_tokens: 100, seed: 7 };
    await attempt({ settings });
    expect(asks[0]).toMatchObject({
      model: "mistral:latest",
      options: { temperature: 0.7, num_predict: 100, seed: 7, num_ctx: 4_096 },
    });
  });

  it("keeps the settings of two calls at the same time apart", async () => {
    const { asks, attempt } = await ollama();
    await Promise.all([0.1, 0.9].map((temperature) => attempt({ settings: { temperature } })));
    expect(asks.map(({ options }) => options.temperature).sort()).toEqual([0.1, 0.9]);
  });

  it("asks for JSON where JSON is expected, by the schema if there is one", async () => {
    const { asks, attempt } = await ollama();
    await attempt();
    await attempt({ expects: "json" });
    await attempt({ expects: "json", replySchema: { type: "object" } });
    expect(asks.map(({ format }) => format)).toEqual([undefined, "json", { type: "object" }]);
  });

  it("sizes the context to the prompt, and looks the model up once", async () => {
    const { server, asks, attempt } = await ollama({
      shown: { model_info: { "llama.context_length": 131_072 } },
    });
    await attempt({ user: "Bottle. ".repeat(5_000) });
    await attempt({ user: "Bottle. ".repeat(10), settings: { max_tokens: 100 } });
    expect(asks.map(({ options }) => options.num_ctx)).toEqual([32_768, 4_096]);
    expect(server.seen.filter(({ path }) => path === "/api/show")).toHaveLength(1);
  });

  it("asks for no more context than the model was trained for", async () => {
    const { asks, attempt } = await ollama({
      shown: { model_info: { "llama.context_length": 2_048 } },
    });
    await attempt({ user: "Bottle. ".repeat(5_000) });
    await attempt({ settings: { num_ctx: 8_192 } });
    expect(asks.map(({ options }) => options.num_ctx)).toEqual([2_048, 2_048]);
  });

  it("gives a model that thinks room to think, and keeps the thinking out of the answer", async () => {
    const { asks, attempt } = await ollama({ shown: { capabilities: ["completion", "thinking"] } });
    await attempt({ settings: { max_tokens: 100 } });
    expect(asks[0]?.think).toBe(true);
    expect(asks[0]?.options.num_predict).toBe(4_196);
    expect(asks[0]?.options.num_ctx).toBe(8_192);
  });

  it("continues without the facts of a model if the server does not report them", async () => {
    const server = await openLoopback((seen, response) =>
      seen.path === "/api/show"
        ? sendJson(response, 500, { error: "busy" })
        : ollamaWire.send(response, { parts: ["Hydrate Green"] }),
    );
    const runner = createOllamaRunner({ clock, baseUrl: server.url });
    expect(await replyOf(runner.attempt(requestFor("mistral"), open))).toMatchObject({
      text: "Hydrate Green",
      model: "ollama/mistral:latest",
    });
  });

  it("reports an error that comes in the middle of the answer, and writes nothing to the terminal", async () => {
    const warned = vi.spyOn(console, "warn");
    const server = await openLoopback((seen, response) => {
      if (seen.path === "/api/show") return sendJson(response, 200, {});
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      response.write(ollamaLine("mistral:latest", "Hydrate "));
      return void response.end('{"error":"an error was encountered while running the model"}\n');
    });
    const runner = createOllamaRunner({ clock, baseUrl: server.url });
    expect(await failureOf(runner.attempt(requestFor(model), open))).toMatchObject({
      code: "server-error",
      retryable: true,
      message: expect.stringContaining("while running the model"),
    });
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  it("reads letters that arrive in pieces", async () => {
    const server = await openLoopback((seen, response) => {
      if (seen.path === "/api/show") return sendJson(response, 200, {});
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      const bytes = Buffer.from(
        `${ollamaLine("mistral:latest", "Grün trinken 🌱")}${JSON.stringify({
          model: "mistral:latest",
          created_at: "2026-11-15T12:00:00Z",
          message: { role: "assistant", content: "" },
          done: true,
          done_reason: "stop",
        })}`,
      );
      for (const byte of bytes) response.write(Buffer.of(byte));
      return void response.end();
    });
    const runner = createOllamaRunner({ clock, baseUrl: server.url });
    const reply = await replyOf(runner.attempt(requestFor(model), open));
    expect(reply.text).toBe("Grün trinken 🌱");
    expect(reply.usage).toBeUndefined();
  });
});

describe("the truncation guard", () => {
  const long = "Please review this slogan. ".repeat(1_000);
  const guarded = { role: "reviewer", user: long, settings: { guard: true, max_tokens: 100 } };

  it("lets an approval stand when the server read the prompt", async () => {
    const { asks, attempt } = await ollama({
      reported: () => ({ parts: ["SHIP IT!"], input: 6_000 }),
    });
    expect((await replyOf(attempt(guarded))).text).toBe("SHIP IT!");
    expect(asks).toHaveLength(1);
  });

  it("asks once more with more room when the server read only a part, and adds up the tokens", async () => {
    const { asks, attempt } = await ollama({
      reported: (_seen, nth) => ({
        parts: [`SHIP IT! ${nth}`],
        input: nth === 1 ? 2_048 : 6_000,
        output: 5,
      }),
    });
    const reply = await replyOf(attempt(guarded));
    expect(reply).toMatchObject({ text: "SHIP IT! 2", usage: { input: 8_048, output: 10 } });
    expect(asks.map(({ options }) => options.num_ctx)).toEqual([16_384, 32_768]);
  });

  it("fails with both numbers when the model has no more room", async () => {
    const { asks, attempt } = await ollama({
      shown: { model_info: { "llama.context_length": 2_048 } },
      reported: () => ({ parts: ["SHIP IT!"], input: 2_048 }),
    });
    const error = await failureOf(attempt(guarded));
    expect(error).toMatchObject({
      code: "prompt-truncated",
      retryable: false,
      facts: { estimate: 5_407, counted: 2_048, context_tokens: 2_048 },
    });
    expect(error.message).toContain("5407");
    expect(error.message).toContain("2048");
    expect(asks).toHaveLength(1);
  });

  it("fails after the second try when that is cut as well", async () => {
    const { asks, attempt } = await ollama({
      shown: { model_info: { "llama.context_length": 17_000 } },
      reported: () => ({ parts: ["SHIP IT!"], input: 2_048 }),
    });
    expect(await failureOf(attempt(guarded))).toMatchObject({
      code: "prompt-truncated",
      facts: { context_tokens: 17_000 },
    });
    expect(asks.map(({ options }) => options.num_ctx)).toEqual([16_384, 17_000]);
  });

  it("lets an approval stand that echoes both ends of the prompt", async () => {
    const settings = { ...guarded.settings, nonces: ["a1b2", "c3d4"] };
    const echo = await ollama({
      reported: () => ({ parts: ["a1b2 c3d4 SHIP IT!"], input: 2_048 }),
    });
    expect((await replyOf(echo.attempt({ ...guarded, settings }))).text).toContain("SHIP IT!");
    expect(echo.asks).toHaveLength(1);
    const half = await ollama({ reported: () => ({ parts: ["c3d4 SHIP IT!"], input: 2_048 }) });
    await half.attempt({ ...guarded, settings });
    expect(half.asks).toHaveLength(2);
  });

  it("voids approvals only, if it can recognise them, and only on request", async () => {
    const cut = { parts: ["Shorter, please."], input: 2_048 };
    const { server, asks } = await ollama({ reported: () => cut });
    const runner = createOllamaRunner({
      clock,
      baseUrl: server.url,
      isApproval: (_request, text) => text.includes("SHIP IT"),
    });
    const review = await replyOf(runner.attempt(requestFor(model, guarded), open));
    expect(review.text).toBe("Shorter, please.");
    const unguarded = requestFor(model, { user: long, settings: { max_tokens: 100 } });
    expect((await replyOf(runner.attempt(unguarded, open))).text).toBe("Shorter, please.");
    expect(asks).toHaveLength(2);
  });
});
