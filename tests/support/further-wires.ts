import type { ServerResponse } from "node:http";
import { crc32 } from "node:zlib";
import { openAiWire, openHosted, type Wire, type WireReply } from "./provider-wires.ts";

const eventStream = "application/vnd.amazon.eventstream";

/** `streamGenerateContent` of Gemini, as server-sent events. */
const googleWire: Wire = {
  title: "Gemini",
  model: "google/gemini-2.5-pro",
  askPath: "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
  listPath: "/v1beta/models?pageSize=1000",
  open: (url) => openHosted("google", `${url}/v1beta`),
  send(response, reply) {
    const { parts, end = "stop", input = 20, output = 5, cached, model } = reply;
    beginEvents(response);
    for (const part of parts) response.write(geminiChunk(part, model));
    const usageMetadata = {
      promptTokenCount: input,
      candidatesTokenCount: output,
      totalTokenCount: 25,
      ...(cached === undefined ? {} : { cachedContentTokenCount: cached }),
    };
    const finishReason = end === "stop" ? "STOP" : "MAX_TOKENS";
    const last = { candidates: [{ content: { parts: [] }, finishReason, index: 0 }] };
    response.end(data({ ...last, usageMetadata, modelVersion: model ?? "gemini-2.5-pro" }));
  },
  begin(response, text) {
    beginEvents(response);
    response.write(geminiChunk(text));
  },
  list: (ids) => ({ models: ids.map((id) => ({ name: `models/${id}` })) }),
  error: (message, status = "INVALID_ARGUMENT") => ({ error: { code: 400, message, status } }),
};

const { listPath: _google, ...geminiAlone } = googleWire;
const { listPath: _openAi, ...openAiAlone } = openAiWire;

export const vertexWire: Wire = {
  ...geminiAlone,
  title: "Vertex AI",
  model: "vertex/gemini-2.5-pro",
  askPath: "/publishers/google/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
  open: (url) => openHosted("vertex", `${url}/publishers/google`),
};

const azureWire: Wire = {
  ...openAiAlone,
  title: "Azure OpenAI",
  model: "azure/our-gpt",
  askPath: "/openai/chat/completions",
  open: (url) => openHosted("azure", `${url}/openai`),
};

const mistralWire: Wire = {
  ...openAiWire,
  title: "Mistral",
  model: "mistral/mistral-small-latest",
  open: (url) => openHosted("mistral", `${url}/v1`),
  send: (response, reply) => sendChunks(response, reply, (usage) => ({ usage })),
};

const groqWire: Wire = {
  ...openAiWire,
  title: "Groq",
  model: "groq/llama-3.3-70b-versatile",
  askPath: "/openai/v1/chat/completions",
  listPath: "/openai/v1/models",
  open: (url) => openHosted("groq", `${url}/openai/v1`),
  send: (response, reply) => sendChunks(response, reply, (usage) => ({ x_groq: { usage } })),
};

const openRouterWire: Wire = {
  ...openAiWire,
  title: "OpenRouter",
  model: "openrouter/meta-llama/llama-3.3-70b",
  askPath: "/api/v1/chat/completions",
  listPath: "/api/v1/models",
  open: (url) => openHosted("openrouter", `${url}/api/v1`),
};

/** The Responses API, as server-sent events. */
const xaiWire: Wire = {
  ...openAiWire,
  title: "xAI",
  model: "xai/grok-4",
  askPath: "/v1/responses",
  open: (url) => openHosted("xai", `${url}/v1`),
  send(response, reply) {
    const { parts, end = "stop", input = 20, output = 5, cached } = reply;
    const { model = "grok-4-0709" } = reply;
    beginEvents(response);
    response.write(created(model));
    for (const part of parts) response.write(textDelta(part));
    const usage = {
      input_tokens: input,
      output_tokens: output,
      total_tokens: 25,
      ...(cached === undefined ? {} : { input_tokens_details: { cached_tokens: cached } }),
    };
    const isCut = end === "length";
    const about = {
      ...{ id: "r1", object: "response", created_at: 1, model, output: [], usage },
      status: isCut ? "incomplete" : "completed",
      incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
    };
    response.end(
      data({ type: isCut ? "response.incomplete" : "response.completed", response: about }),
    );
  },
  begin(response, text) {
    beginEvents(response);
    response.write(created("grok-4-0709"));
    response.write(textDelta(text));
  },
};

/** `converse-stream` of Bedrock: binary frames with headers and check sums. */
const bedrockWire: Wire = {
  title: "Amazon Bedrock",
  model: "bedrock/anthropic.claude-sonnet-4-5-v1:0",
  askPath: "/model/anthropic.claude-sonnet-4-5-v1%3A0/converse-stream",
  contentType: eventStream,
  open: (url) => openHosted("bedrock", url),
  send(response, reply) {
    const { parts, end = "stop", input = 20, output = 5, cached } = reply;
    beginFrames(response);
    for (const part of parts) {
      response.write(frame("contentBlockDelta", { contentBlockIndex: 0, delta: { text: part } }));
    }
    response.write(frame("contentBlockStop", { contentBlockIndex: 0 }));
    const stopReason = end === "stop" ? "end_turn" : "max_tokens";
    response.write(frame("messageStop", { stopReason }));
    const read = cached ?? 0;
    const plain = typeof input === "number" ? input - read : input;
    const usage = {
      ...{ inputTokens: plain, outputTokens: output, totalTokens: 25 },
      ...(cached === undefined ? {} : { cacheReadInputTokens: read }),
    };
    response.end(frame("metadata", { usage, metrics: { latencyMs: 7 } }));
  },
  begin(response, text) {
    beginFrames(response);
    response.write(frame("contentBlockDelta", { contentBlockIndex: 0, delta: { text } }));
  },
  list: () => ({}),
  error: (message, type = "ValidationException") => ({ message, type }),
};

export const furtherWires: readonly Wire[] = [
  googleWire,
  vertexWire,
  azureWire,
  bedrockWire,
  mistralWire,
  groqWire,
  openRouterWire,
  xaiWire,
];

/** Chat Completions whose last chunk says how it ended and what it used. */
function sendChunks(
  response: ServerResponse,
  reply: WireReply,
  about: (usage: object) => object,
): void {
  const { parts, end = "stop", input = 20, output = 5, cached, model = "bottle-7b" } = reply;
  const chunk = (content: string, finish: string | null, more = {}) => {
    const choices = [{ index: 0, delta: { role: "assistant", content }, finish_reason: finish }];
    return data({ id: "1", object: "chat.completion.chunk", created: 1, model, choices, ...more });
  };
  beginEvents(response);
  for (const part of parts) response.write(chunk(part, null));
  const usage = {
    ...{ prompt_tokens: input, completion_tokens: output, total_tokens: 25 },
    ...(cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
  };
  response.end(`${chunk("", end, about(usage))}data: [DONE]\n\n`);
}

function beginEvents(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
}

function data(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function geminiChunk(text: string, model: WireReply["model"] = "gemini-2.5-pro"): string {
  const content = { role: "model", parts: [{ text }] };
  return data({ candidates: [{ content, index: 0 }], modelVersion: model });
}

function created(model: string): string {
  const response = { id: "r1", object: "response", created_at: 1, model, output: [] };
  return data({ type: "response.created", response });
}

function textDelta(delta: string): string {
  return data({
    type: "response.output_text.delta",
    item_id: "m1",
    output_index: 0,
    content_index: 0,
    delta,
  });
}

function beginFrames(response: ServerResponse): void {
  response.writeHead(200, { "content-type": eventStream });
  response.write(frame("messageStart", { role: "assistant" }));
}

function frame(type: string, payload: object): Buffer {
  const headers = Buffer.concat(
    [
      [":event-type", type],
      [":content-type", "application/json"],
      [":message-type", "event"],
    ].map(([name = "", value = ""]) => textHeader(name, value)),
  );
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(headers.length + body.length + 16, 0);
  prelude.writeUInt32BE(headers.length, 4);
  const start = Buffer.concat([prelude, sum(prelude), headers, body]);
  return Buffer.concat([start, sum(start)]);
}

/** Type 7 is a text. */
function textHeader(name: string, value: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(value));
  return Buffer.concat([
    Buffer.from([Buffer.byteLength(name)]),
    Buffer.from(name),
    Buffer.from([7]),
    length,
    Buffer.from(value),
  ]);
}

function sum(bytes: Buffer): Buffer {
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(bytes));
  return check;
}
