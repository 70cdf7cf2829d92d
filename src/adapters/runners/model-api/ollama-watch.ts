import { RunnerError } from "../../../domain/values/workflow-error.ts";
import type { Fetch } from "./provider-fetch.ts";

/** Figures from the last line of an Ollama stream that the provider's package does not pass on. */
export interface OllamaDone {
  readonly model?: string;
  readonly promptTokens?: number;
  readonly replyTokens?: number;
}

/**
 * Checks the lines of Ollama's replies before the package reads them. The package would drop unreadable lines,
 * including errors in the middle of a stream, and print them to the terminal. Here such a line ends the stream.
 */
export function watchOllama(fetch: Fetch, onDone: (done: OllamaDone) => void): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.ok || response.body === null) return response;
    const { status, statusText, headers } = response;
    const body = response.body.pipeThrough(checkedLines(onDone));
    return new Response(body, { status, statusText, headers });
  };
}

function checkedLines(onDone: (done: OllamaDone) => void): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = "";
  let hasStarted = false;
  const check = (line: string) => {
    if (line.trim() === "") return "";
    const value = readLine(line, hasStarted);
    hasStarted = true;
    if (value.done === true) onDone(doneOf(value));
    const isPlain = typeof value.created_at === "string" && value.done !== true;
    return isPlain ? `${line}\n` : completed(value);
  };
  return new TransformStream({
    transform(chunk, controller) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      controller.enqueue(encoder.encode(lines.map(check).join("")));
    },
    flush(controller) {
      controller.enqueue(encoder.encode(check(rest + decoder.decode())));
    },
  });
}

/**
 * Some servers that imitate Ollama send no time, without which the package reads nothing. It would also drop the last
 * line for a figure of another type; figures are taken from here, so it gets none.
 */
function completed({ prompt_eval_count: _, eval_count: __, ...value }: Line): string {
  return `${JSON.stringify({ created_at: "1970-01-01T00:00:00Z", ...value })}\n`;
}

interface Line {
  readonly created_at?: unknown;
  readonly model?: unknown;
  readonly message?: unknown;
  readonly done?: unknown;
  readonly error?: unknown;
  readonly prompt_eval_count?: unknown;
  readonly eval_count?: unknown;
}

function readLine(line: string, hasStarted: boolean): Line {
  const value = parseLine(line);
  if (typeof value?.error === "string") {
    throw new RunnerError(`Ollama broke off: ${value.error}`, {
      code: "server-error",
      retryable: true,
    });
  }
  if (value === undefined || typeof value.message !== "object") {
    throw hasStarted
      ? new RunnerError("Ollama's reply broke off in the middle of a line.", {
          code: "connection-cut",
          retryable: true,
        })
      : new RunnerError("What answers is not Ollama: its reply cannot be read.", {
          code: "bad-reply",
          hint: "Check OLLAMA_BASE_URL.",
        });
  }
  return value;
}

function parseLine(line: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function doneOf(value: Line): OllamaDone {
  const { model, prompt_eval_count: promptTokens, eval_count: replyTokens } = value;
  return {
    ...(typeof model === "string" ? { model } : {}),
    ...(typeof promptTokens === "number" ? { promptTokens } : {}),
    ...(typeof replyTokens === "number" ? { replyTokens } : {}),
  };
}
