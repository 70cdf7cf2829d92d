import type { TransportFailure, TransportFailureKind } from "../../domain/scenarios/turn.ts";
import { isObject, type Json, parseJson } from "../../domain/values/json.ts";
import type { AnswerMapping, MessageSettings } from "./assistant-settings.ts";

/** What was looked for in an answer, by the names of its parts. */
export type Looked = { readonly [part in keyof AnswerMapping]: Json };

/** What came back: one value, or what the events of a stream add up to. */
export type AssistantReply =
  | { readonly kind: "body"; readonly body: Json }
  | (Gathered & { readonly kind: "events"; readonly isComplete: boolean });

interface Gathered {
  readonly found: Looked;
  /** How many events there were. */
  readonly events: number;
  /** Those that are no piece of the text. */
  readonly others: readonly Json[];
}

/** How the events of a stream are read as they arrive, so that the pieces of a long answer are not kept. */
export interface StreamRules {
  /** Whether an event ends the answer. */
  readonly isLast?: (event: Json) => boolean;
  readonly gather: () => { see(event: Json): void; gathered(): Gathered };
}

export interface FailedExchange {
  readonly kind: "failed";
  readonly failure: TransportFailure;
}

export function failed(
  kind: TransportFailureKind,
  message: string,
  facts: Partial<TransportFailure> = {},
): FailedExchange {
  return { kind: "failed", failure: { kind, message, accepted: true, ...facts } };
}

/** Bodies nested deeper than this are refused; walking them could exhaust the stack. */
const MAX_DEPTH = 200;

type Format = Exclude<MessageSettings["reads"], "auto">;

/** `json` stands for a reply whose type says nothing: it is refused if it is not JSON. */
export function formatOf(reads: MessageSettings["reads"], contentType: string): Format {
  if (reads !== "auto") return reads;
  const [type = ""] = contentType.toLowerCase().split(";");
  if (type.trim() === "text/event-stream") return "sse";
  if (/(?:ndjson|jsonl|json-?lines|stream\+json|json-seq)$/u.test(type.trim())) return "ndjson";
  return /^text\/(?:plain|markdown)$/u.test(type.trim()) ? "text" : "json";
}

/** Reads a stream as it arrives. `push` returns true once the answer is complete. */
export interface StreamReader {
  push(text: string): boolean;
  end(): AssistantReply | FailedExchange;
}

export function streamReader(
  format: "sse" | "ndjson",
  { isLast, gather }: StreamRules,
): StreamReader {
  const gathering = gather();
  let rest = "";
  let isComplete = false;
  let isBroken = false;
  const take = (block: string): void => {
    const data = format === "sse" ? dataOf(block) : block.trim();
    if (data === "" || isComplete) return;
    if (data === "[DONE]") {
      isComplete = true;
      return;
    }
    const event = readEvent(data);
    if (event === undefined) isBroken = true;
    else gathering.see(event);
    isComplete = event !== undefined && isLast?.(event) === true;
  };
  return {
    push(text) {
      rest += text;
      const blocks = rest.split(format === "sse" ? /\r?\n\r?\n|\r\r/u : /\r?\n/u);
      rest = blocks.pop() ?? "";
      for (const block of blocks) take(block);
      return isComplete;
    },
    end() {
      take(rest);
      if (isBroken) return eventTooDeep;
      const gathered = gathering.gathered();
      if (gathered.events === 0) return failed("missing_answer", "the stream has no events");
      return { kind: "events", ...gathered, isComplete: isComplete || isLast === undefined };
    },
  };
}

export const eventTooDeep = failed("not_json", `an event is nested deeper than ${MAX_DEPTH}`);

/** JSON, or the text itself; undefined where it is nested too deeply to be read. */
export function readEvent(text: string): Json | undefined {
  return isTooDeep(text) ? undefined : (parseJson(text) ?? text);
}

/** Comments, names and ids of events say nothing about the answer. */
function dataOf(block: string): string {
  return block
    .split(/\r?\n|\r/u)
    .flatMap((line) => (line.startsWith("data:") ? [line.slice(5).replace(/^ /u, "")] : []))
    .join("\n");
}

/** A whole reply that is no stream. */
export function readWhole(text: string, format: "json" | "text"): AssistantReply | FailedExchange {
  if (text.trim() === "" && format === "json") return failed("not_json", "the answer is empty");
  if (isTooDeep(text)) {
    return failed("not_json", `the answer is nested deeper than ${MAX_DEPTH}`);
  }
  const body = parseJson(text);
  if (body !== undefined && typeof body === "object") return { kind: "body", body };
  if (format === "text") return { kind: "body", body: text };
  return body === undefined
    ? failed("not_json", "the answer is not JSON; message.reads can be set to text, sse or ndjson")
    : { kind: "body", body };
}

/** What a program printed: JSON, JSON on several lines, or plain text. */
export function readPrinted(
  text: string,
  reads: MessageSettings["reads"],
  rules: StreamRules,
): AssistantReply | FailedExchange {
  const isLines = () => {
    const lines = text.trim().split(/\r?\n/u);
    return lines.length > 1 && lines.every((line) => isObject(parseJson(line) ?? null));
  };
  const format =
    reads !== "auto" ? reads : parseJson(text) === undefined && isLines() ? "ndjson" : "text";
  if (format === "json" || format === "text") return readWhole(text.trimEnd(), format);
  const reader = streamReader(format, rules);
  reader.push(text);
  return reader.end();
}

const [QUOTE, BACKSLASH] = ['"', "\\"].map((sign) => sign.charCodeAt(0));
const OPENING = new Set(["[", "{"].map((sign) => sign.charCodeAt(0)));
const CLOSING = new Set(["]", "}"].map((sign) => sign.charCodeAt(0)));

/** Brackets are counted before parsing, because parsing is what deep nesting would break. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) isText = !isText;
    else if (isText) at += sign === BACKSLASH ? 1 : 0;
    else if (OPENING.has(sign)) depth += 1;
    else if (CLOSING.has(sign)) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
