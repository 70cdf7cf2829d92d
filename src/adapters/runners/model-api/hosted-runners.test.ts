import { describe, expect, it } from "vitest";
import { openLoopback } from "../../../../tests/support/loopback-server.ts";
import {
  anthropicWire,
  clock,
  compatibleWire,
  failureOf,
  guard,
  openAiWire,
  openHosted,
  requestFor,
  secretKey,
  type Wire,
} from "../../../../tests/support/provider-wires.ts";
import { readUsage } from "../../../domain/models/usage.ts";
import type { AskRequest, Reply } from "../../../ports/runner.ts";
import { createCompatibleRunner } from "./compatible-runner.ts";

const open = new AbortController().signal;

async function asked(wire: Wire, more: Partial<AskRequest> = {}) {
  const reported = { parts: ["SHIP IT!"], input: 100, output: 5, cached: 80 };
  const server = await openLoopback((_seen, response) => wire.send(response, reported));
  const attempted = await wire.open(server.url).attempt(requestFor(wire.model, more), open);
  const { reply } = attempted as unknown as { readonly reply: Reply };
  return { reply, seen: server.seen[0]! };
}

const settings = { temperature: 0.3, max_tokens: 100, seed: 7 };

describe("the runner of OpenAI", () => {
  it("sends the settings, separates cached tokens and names the model that answered", async () => {
    const { reply, seen } = await asked(openAiWire, { settings });
    expect(seen.json).toMatchObject({
      model: "gpt-4o",
      temperature: 0.3,
      max_tokens: 100,
      seed: 7,
    });
    expect(seen.headers.authorization).toBe(`Bearer ${secretKey}`);
    expect(reply.model).toBe("openai/gpt-4o-2024-08-06");
    expect(reply.usage).toEqual({ input: 100, output: 5, cachedInput: 80 });
  });

  it("asks again with room to think when reasoning used up the limit, and remembers it", async () => {
    const server = await openLoopback((_seen, response) => {
      const isCut = server.seen.length === 1;
      const text = isCut ? { parts: [], end: "length" as const } : { parts: ["SHIP IT!"] };
      openAiWire.send(response, { ...text, reasoning: 90, input: 100, output: 100 });
    });
    const runner = openAiWire.open(server.url);
    const request = requestFor("openai/house-model", { settings });
    expect(runner.thinks?.(request.model)).toBe(false);
    const heard: string[] = [];
    const first = await runner.attempt(request, open, (part) => heard.push(part));
    expect(first).toMatchObject({
      reply: { text: "SHIP IT!", finish: "complete", usage: { input: 200, output: 200 } },
    });
    expect(runner.thinks?.(request.model)).toBe(true);
    await runner.attempt(request, open);
    const limits = server.seen.map(({ json }) => (json as { max_tokens: number }).max_tokens);
    expect(limits).toEqual([100, 4_196, 4_196]);
  });

  it("gives room to think from the start where an effort is set, and sends it", async () => {
    const server = await openLoopback((_seen, response) =>
      openAiWire.send(response, { parts: ["SHIP IT!"] }),
    );
    const runner = openHosted("openai", `${server.url}/v1`, { effort: "low" });
    await runner.attempt(requestFor("openai/o3", { settings }), open);
    expect(server.seen[0]?.json).toMatchObject({
      max_completion_tokens: 4_196,
      reasoning_effort: "low",
    });
  });

  it("sends the headers and the query of the settings", async () => {
    const server = await openLoopback((_seen, response) =>
      openAiWire.send(response, { parts: ["SHIP IT!"] }),
    );
    const more = { headers: { "x-team": "shop" }, query: { tenant: "7" } };
    await openHosted("openai", `${server.url}/v1`, more).attempt(
      requestFor("openai/gpt-4o", { settings }),
      open,
    );
    expect(server.seen[0]).toMatchObject({
      path: "/v1/chat/completions?tenant=7",
      headers: { "x-team": "shop", authorization: `Bearer ${secretKey}` },
    });
  });

  it("asks for JSON by a schema where there is one", async () => {
    const schema = { type: "object", properties: { verdict: { type: "string" } } };
    const { seen } = await asked(openAiWire, { expects: "json", replySchema: schema });
    expect(seen.json).toMatchObject({
      response_format: { type: "json_schema", json_schema: { schema, strict: false } },
    });
  });

  it("says that the account is used up, which waiting does not mend", async () => {
    const server = await openLoopback((_seen, response) => {
      response.writeHead(429, { "content-type": "application/json", "retry-after": "1" });
      response.end(
        JSON.stringify(openAiWire.error("You exceeded your quota.", "insufficient_quota")),
      );
    });
    const error = await failureOf(
      openAiWire.open(server.url).attempt(requestFor(openAiWire.model), open),
    );
    expect(error).toMatchObject({ code: "quota-used-up", retryable: false });
  });

  it("reports an error that the stream carries", async () => {
    const server = await openLoopback((_seen, response) => {
      openAiWire.begin(response, "Hydrate ");
      const said = openAiWire.error("The engine is tired.", "server_error");
      response.end(`data: ${JSON.stringify(said)}\n\n`);
    });
    const error = await failureOf(
      openAiWire.open(server.url).attempt(requestFor(openAiWire.model), open),
    );
    expect(error).toMatchObject({ code: "server-error", retryable: true });
    expect(error.message).toContain("The engine is tired.");
  });

  it.each([
    [undefined, "missing-api-key"],
    ["  ", "missing-api-key"],
    ["sk-two\nlines", "bad-api-key"],
    ["schlüssel", "bad-api-key"],
  ])("refuses the key %j before anything is sent, without quoting it", (apiKey, code) => {
    const make = () => openHosted("openai", "http://lab/v1", { apiKey: apiKey ?? "" });
    expect(make).toThrow(expect.objectContaining({ code }));
    expect(make).not.toThrow(/sk-two|schlüssel/u);
  });

  it.each(["lab:8000", "ftp://lab", "http://user:secret@lab/v1", "not an address"])(
    "refuses the base URL %s and shows no password",
    (baseUrl) => {
      const make = () => openHosted("openai", baseUrl);
      expect(make).toThrow(expect.objectContaining({ code: "bad-base-url" }));
      expect(make).not.toThrow(/user:secret/u);
    },
  );

  it("refuses a model of another provider", async () => {
    const runner = openHosted("openai", "http://lab/v1");
    const error = await failureOf(runner.attempt(requestFor("anthropic/claude-sonnet-4-5"), open));
    expect(error.code).toBe("bad-model-name");
  });
});

describe("the runner of Anthropic", () => {
  it("sends the settings, counts cached tokens as input and names the model that answered", async () => {
    const { reply, seen } = await asked(anthropicWire, { settings });
    expect(seen.json).toMatchObject({
      model: "claude-sonnet-4-5",
      temperature: 0.3,
      max_tokens: 100,
      system: [{ type: "text", text: "You write slogans for the shop." }],
    });
    expect(seen.headers["x-api-key"]).toBe(secretKey);
    expect(reply.model).toBe("anthropic/claude-sonnet-4-5-20250929");
    expect(reply.usage).toEqual({ input: 100, output: 5, cachedInput: 80 });
  });

  it.each([
    ["overloaded_error", "overloaded"],
    ["rate_limit_error", "rate-limited"],
    ["api_error", "server-error"],
  ])("reads %s in the middle of the stream", async (type, code) => {
    const server = await openLoopback((_seen, response) => {
      anthropicWire.begin(response, "Hydrate ");
      const said = anthropicWire.error("Try later.", type);
      response.end(`event: error\ndata: ${JSON.stringify(said)}\n\n`);
    });
    const error = await failureOf(
      anthropicWire.open(server.url).attempt(requestFor(anthropicWire.model), open),
    );
    expect(error).toMatchObject({ code, retryable: true });
  });

  it("marks the stable beginning of a long prompt and prices what is written to the cache", async () => {
    const server = await openLoopback((_seen, response) =>
      anthropicWire.send(response, { parts: ["SHIP IT!"], input: 5_000, written: 4_000 }),
    );
    const material = "The shop sells bottles. ".repeat(200);
    const request = requestFor(anthropicWire.model, {
      user: `${material}The text under review: Hydrate Green`,
      stablePrefix: material.length,
    });
    const attempted = await anthropicWire.open(server.url).attempt(request, open);
    expect(server.seen[0]?.json).toMatchObject({
      messages: [
        {
          role: "user",
          content: [
            { text: material, cache_control: { type: "ephemeral" } },
            { text: "The text under review: Hydrate Green" },
          ],
        },
      ],
    });
    expect(attempted).toMatchObject({ reply: { usage: { input: 5_000, cacheWrite: 4_000 } } });
  });

  it("sends a prompt without a long stable beginning in one piece", async () => {
    const { seen } = await asked(anthropicWire, { stablePrefix: 10 });
    expect(JSON.stringify(seen.json)).not.toContain("cache_control");
  });

  it("refuses to start without a key", () => {
    expect(() => openHosted("anthropic", "http://lab/v1", { apiKey: "" })).toThrow(
      expect.objectContaining({ code: "missing-api-key" }),
    );
  });
});

describe("createCompatibleRunner", () => {
  it("sends the settings, and a key only where there is one", async () => {
    const { reply, seen } = await asked(compatibleWire, { settings });
    expect(seen.json).toMatchObject({
      model: "bottle-7b",
      temperature: 0.3,
      max_tokens: 100,
      seed: 7,
    });
    expect(seen.headers.authorization).toBe(`Bearer ${secretKey}`);
    expect(reply.usage).toMatchObject({ input: 100, output: 5, cachedInput: 80 });
    const server = await openLoopback((_seen, response) =>
      compatibleWire.send(response, { parts: ["Hi"] }),
    );
    const keyless = createCompatibleRunner({
      guard,
      clock,
      name: "lab",
      baseUrl: `${server.url}/v1`,
    });
    await keyless.attempt(requestFor(compatibleWire.model), open);
    expect(server.seen[0]?.headers.authorization).toBeUndefined();
  });

  async function answeredWhole(body: object) {
    const server = await openLoopback((_seen, response) => {
      response.writeHead(200, { "content-type": "application/json; charset=utf-8" });
      response.end(JSON.stringify(body));
    });
    return compatibleWire.open(server.url).attempt(requestFor(compatibleWire.model), open);
  }

  it.each([
    ["stop", "complete", 20, { input: 20, output: 5, cachedInput: 0 }],
    ["length", "cut", 20, { input: 20, output: 5, cachedInput: 0 }],
    ["stop", "complete", 4e18, undefined],
  ])("takes a whole answer in place of a stream: %s", async (end, finish, input, known) => {
    const answered = answeredWhole({
      ...{ id: "1", object: "chat.completion", created: 1, model: "bottle-7b" },
      choices: [
        { index: 0, message: { role: "assistant", content: "SHIP IT!" }, finish_reason: end },
      ],
      usage: { prompt_tokens: input, completion_tokens: 5, total_tokens: 25 },
    });
    const { reply } = (await answered) as unknown as { readonly reply: Reply };
    expect(reply).toMatchObject({ text: "SHIP IT!", finish, model: "compatible/lab/bottle-7b" });
    expect(readUsage(reply.usage)).toEqual(known);
  });

  it("passes on what a server says of its error, also with the status of a success", async () => {
    const error = { message: "The model is being loaded", type: "server_error", code: 503 };
    expect((await failureOf(answeredWhole({ error }))).message).toContain("is being loaded");
    expect(await failureOf(answeredWhole({ hello: "world" }))).toMatchObject({ code: "bad-reply" });
  });

  it("guards approvals where the server is known to cut prompts silently", async () => {
    const server = await openLoopback((_seen, response) =>
      compatibleWire.send(response, { parts: ["SHIP IT!"], input: 2_048 }),
    );
    const at = { clock, name: "lab", baseUrl: `${server.url}/v1` };
    const request = requestFor(compatibleWire.model, {
      user: "Please review this slogan. ".repeat(1_000),
      settings: { guard: true },
    });
    const cutting = createCompatibleRunner({ guard, ...at, contextTokens: 2_048 });
    expect(await failureOf(cutting.attempt(request, open))).toMatchObject({
      code: "prompt-truncated",
    });
    const trusted = createCompatibleRunner({ ...at, guard });
    expect(await trusted.attempt(request, open)).toMatchObject({ reply: { text: "SHIP IT!" } });
  });
});
