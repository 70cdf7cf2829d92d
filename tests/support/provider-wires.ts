import type { ServerResponse } from "node:http";
import { createCompatibleRunner } from "../../src/adapters/runners/model-api/compatible-runner.ts";
import {
  createHostedRunner,
  type HostedSettings,
} from "../../src/adapters/runners/model-api/hosted-runner.ts";
import { createOllamaRunner } from "../../src/adapters/runners/model-api/ollama-runner.ts";
import { type HostedProvider, hostedProviders } from "../../src/domain/models/hosted-providers.ts";
import type { Guard } from "../../src/domain/settings/acts.ts";
import { instant } from "../../src/domain/values/instant.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { AskRequest, Runner } from "../../src/ports/runner.ts";

export const noon = instant("2026-11-15T12:00:00.000Z");
export const clock: Pick<Clock, "now"> = { now: () => noon };
export const guard: Guard = () => undefined;
export const secretKey = "sk-shop-4711-never-shown";

/** A hosted provider whose address is on this machine. */
export function openHosted(
  provider: HostedProvider,
  baseUrl: string,
  more: Partial<HostedSettings> = {},
): Runner {
  const [variable] = hostedProviders[provider].variables;
  return createHostedRunner({
    ...{ provider, variable, guard, clock, baseUrl, apiKey: secretKey },
    ...more,
  });
}

export interface WireReply {
  readonly parts: readonly string[];
  readonly model?: string;
  readonly end?: "stop" | "length";
  readonly input?: number;
  readonly output?: number;
  readonly cached?: number;
  readonly reasoning?: number;
  /** Tokens written to the provider's cache. */
  readonly written?: number;
}

/** One provider's wire format, as a loopback server sends it. */
export interface Wire {
  readonly title: string;
  readonly model: string;
  readonly askPath: string;
  /** Absent where the models of an account cannot be listed. */
  readonly listPath?: string;
  readonly contentType?: string;
  open(url: string): Runner;
  /** A whole streamed answer. */
  send(response: ServerResponse, reply: WireReply): void;
  /** The beginning of an answer, up to the middle of a word. */
  begin(response: ServerResponse, text: string): void;
  list(ids: readonly string[]): unknown;
  error(message: string, type?: string): unknown;
}

export const ollamaWire: Wire = {
  title: "Ollama",
  model: "ollama/mistral:latest",
  askPath: "/api/chat",
  listPath: "/api/tags",
  open: (url) => createOllamaRunner({ clock, baseUrl: url }),
  send(response, reply) {
    const { model = "mistral:latest", parts, end = "stop", input = 20, output = 5 } = reply;
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    for (const part of parts) response.write(ollamaLine(model, part));
    const counts = { prompt_eval_count: input, eval_count: output };
    response.end(ollamaEnd("", { model, done_reason: end, ...counts }));
  },
  begin(response, text) {
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    response.write(ollamaLine("mistral:latest", text));
  },
  list: (ids) => ({ models: ids.map((name) => ({ name, model: name })) }),
  error: (message) => ({ error: message }),
};

export const openAiWire: Wire = {
  title: "OpenAI",
  model: "openai/gpt-4o",
  askPath: "/v1/chat/completions",
  listPath: "/v1/models",
  open: (url) => openHosted("openai", `${url}/v1`),
  send(response, reply) {
    const { model = "gpt-4o-2024-08-06", parts, end = "stop", input = 20, output = 5 } = reply;
    const { cached, reasoning } = reply;
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const part of parts) response.write(openAiChunk(model, { delta: { content: part } }));
    response.write(openAiChunk(model, { delta: {}, finish_reason: end }));
    const usage = {
      prompt_tokens: input,
      completion_tokens: output,
      ...(cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
      ...(reasoning === undefined
        ? {}
        : { completion_tokens_details: { reasoning_tokens: reasoning } }),
    };
    const last = {
      id: "1",
      created: 1,
      model,
      object: "chat.completion.chunk",
      choices: [],
      usage,
    };
    response.end(`data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`);
  },
  begin(response, text) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(openAiChunk("gpt-4o", { delta: { content: text } }));
  },
  list: (ids) => ({ object: "list", data: ids.map((id) => ({ id, object: "model" })) }),
  error: (message, type = "invalid_request_error") => ({ error: { message, type, code: type } }),
};

export const compatibleWire: Wire = {
  ...openAiWire,
  title: "a compatible server",
  model: "compatible/lab/bottle-7b",
  open: (url) =>
    createCompatibleRunner({ guard, clock, name: "lab", baseUrl: `${url}/v1`, apiKey: secretKey }),
};

export const anthropicWire: Wire = {
  title: "Anthropic",
  model: "anthropic/claude-sonnet-4-5",
  askPath: "/v1/messages",
  listPath: "/v1/models?limit=1000",
  open: (url) => openHosted("anthropic", `${url}/v1`),
  send(response, reply) {
    const { model = "claude-sonnet-4-5-20250929", parts, end = "stop", input = 20 } = reply;
    const { output = 5, cached = 0, written = 0 } = reply;
    anthropicStart(response, { model, input: input - cached - written, cached, written });
    for (const part of parts) response.write(anthropicDelta(part));
    response.write(event("content_block_stop", { index: 0 }));
    const reason = end === "stop" ? "end_turn" : "max_tokens";
    const delta = { stop_reason: reason, stop_sequence: null };
    response.write(event("message_delta", { delta, usage: { output_tokens: output } }));
    response.end(event("message_stop", {}));
  },
  begin(response, text) {
    anthropicStart(response, {
      model: "claude-sonnet-4-5-20250929",
      input: 20,
      cached: 0,
      written: 0,
    });
    response.write(anthropicDelta(text));
  },
  list: (ids) => ({ data: ids.map((id) => ({ id, type: "model" })), has_more: false }),
  error: (message, type = "invalid_request_error") => ({ type: "error", error: { type, message } }),
};

export const wires: readonly Wire[] = [ollamaWire, openAiWire, compatibleWire, anthropicWire];

export function ollamaLine(model: string, content: string): string {
  return `${JSON.stringify({ ...ollamaMessage(model, content), done: false })}\n`;
}

/** The last line of an answer. */
export function ollamaEnd(
  content: string,
  about: { readonly model?: string; readonly done_reason?: string } = {},
): string {
  const { model = "mistral:latest", ...more } = about;
  const counts = { prompt_eval_count: 20, eval_count: 5 };
  const last = { done: true, done_reason: "stop", ...counts, ...more };
  return `${JSON.stringify({ ...ollamaMessage(model, content), ...last })}\n`;
}

export function requestFor(model: string, more: Partial<AskRequest> = {}): AskRequest {
  return {
    role: "writer",
    model,
    system: "You write slogans for the shop.",
    user: "Create a slogan for: eco-friendly water bottles",
    expects: "text",
    settings: {},
    formatVersion: "1",
    task: null,
    ordinal: 0,
    ...more,
  };
}

/** What the attempt threw; a reply instead is a failure of the test. */
export async function failureOf(attempt: Promise<unknown>): Promise<Error & { code?: string }> {
  const thrown = await attempt.then(
    (value) => new Error(`It replied: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  return thrown as Error & { code?: string };
}

function ollamaMessage(model: string, content: string) {
  const created = "2026-11-15T12:00:00.000Z";
  return { model, created_at: created, message: { role: "assistant", content } };
}

function openAiChunk(model: string, choice: object): string {
  const choices = [{ index: 0, finish_reason: null, ...choice }];
  const chunk = { id: "1", created: 1, model, object: "chat.completion.chunk", choices };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

function anthropicStart(
  response: ServerResponse,
  about: {
    readonly model: string;
    readonly input: number;
    readonly cached: number;
    readonly written: number;
  },
): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const usage = {
    input_tokens: about.input,
    output_tokens: 1,
    cache_read_input_tokens: about.cached,
    cache_creation_input_tokens: about.written,
  };
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: about.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  response.write(event("message_start", { message }));
  response.write(
    event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
  );
}

function anthropicDelta(text: string): string {
  return event("content_block_delta", { index: 0, delta: { type: "text_delta", text } });
}

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}
