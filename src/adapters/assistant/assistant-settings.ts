import type { Dispatcher } from "undici";
import type {
  BODY_FORMATS,
  METHODS,
  REPLY_FORMATS,
} from "../../domain/scenarios/assistant-formats.ts";
import type { SessionKind } from "../../domain/scenarios/turn.ts";
import type { Json } from "../../domain/values/json.ts";

/** JMESPath expressions into the body of an answer; in a stream, into each event. */
export interface AnswerMapping {
  readonly text: string;
  readonly sessionId: string;
  readonly replyType: string;
  readonly messageId: string;
  readonly traceId: string;
  readonly debug: string;
  readonly entries: string;
  readonly semanticMemory: string;
  readonly version: string;
  readonly toolCalls: string;
  /** The piece of text that one event of a stream adds. */
  readonly delta: string;
  /** What the assistant says went wrong; found, the answer is none. */
  readonly error: string;
}

/** JMESPath expressions into the body of a session; those of an item start at the item. */
export interface SessionMapping {
  readonly sessionId: string;
  readonly items: string;
  readonly role: string;
  readonly text: string;
  readonly replyType: string;
  readonly debug: string;
  /** When it was said. */
  readonly at: string;
}

/** How a question is sent and its answer read. */
export interface MessageSettings {
  readonly method: (typeof METHODS)[number];
  /** May contain `:session_id`. */
  readonly path: string;
  readonly format: (typeof BODY_FORMATS)[number];
  /** Texts may hold `{{question}}`, `{{session_id}}`, `{{messages}}`, `{{analysis_context}}`, `{{model}}`, `{{stream}}`. */
  readonly body: Json;
  /** One entry of `{{messages}}`, from `{{role}}` and `{{text}}`. */
  readonly turn: Json;
  /** What the assistant's own turns are called in it. */
  readonly assistantRole: string;
  /** `auto` goes by the type of the content. */
  readonly reads: (typeof REPLY_FORMATS)[number];
  /** An event of a stream after which the answer is complete; without it, the end of the stream. */
  readonly until?: string;
  readonly answer: AnswerMapping;
}

/** How conversations are kept together. */
export interface SessionSettings {
  readonly kind: SessionKind;
  /** Contains `:session_id`; absent if the assistant has no address for sessions. */
  readonly path?: string;
  /** A request that opens a session before its first question. */
  readonly create?: { readonly path: string; readonly body: Json; readonly sessionId: string };
  readonly answer: SessionMapping;
}

/** Runs the program of an assistant that is a command; wiring asks the guard. */
export type RunProgram = (
  input: string,
  signal: AbortSignal,
) => Promise<
  | { readonly kind: "ended"; readonly stdout: string }
  | { readonly kind: "failed"; readonly message: string; readonly wasStarted: boolean }
>;

export interface AssistantSettings {
  readonly baseUrl: string;
  readonly message: MessageSettings;
  readonly session: SessionSettings;
  readonly model?: string;
  readonly stream?: boolean;
  /** The header of a response that holds the assistant's version. */
  readonly versionHeader?: string;
  readonly headers: { readonly [name: string]: string };
  /** Headers whose values come from the environment; they are masked in everything the adapter returns. */
  readonly secretHeaders: { readonly [name: string]: string };
  /** A project's rule for business data, applied to every stored text. */
  readonly rewrite?: (text: string) => string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly retries: number;
  readonly retryDelayMs: number;
  readonly dispatcher?: Dispatcher;
  readonly runProgram?: RunProgram;
}

const nothing = "`null`";

export const DEFAULT_MESSAGE: MessageSettings = {
  method: "POST",
  path: "/api/assistant/message",
  format: "json",
  body: {
    session_id: "{{session_id}}",
    user_message: "{{question}}",
    context: "{{analysis_context}}",
  },
  turn: { role: "{{role}}", content: "{{text}}" },
  assistantRole: "assistant",
  reads: "auto",
  answer: {
    text: "assistant_reply || conversation_item.text",
    sessionId: "session_id",
    replyType: "conversation_item.reply_type || debug.reply_type || reply_type",
    messageId: "conversation_item.message_id",
    traceId: "conversation_item.trace_id || debug.trace_id",
    debug: "debug || conversation_item.debug",
    entries: "debug.entries || entries",
    semanticMemory: "debug.semantic_memory || semantic_memory",
    version: nothing,
    toolCalls: "debug.tool_calls || tool_calls",
    delta: "delta || token || chunk",
    error: nothing,
  },
};

export const DEFAULT_SESSION: SessionSettings = {
  kind: "given",
  path: "/api/assistant/session/:session_id",
  answer: {
    sessionId: "session_id",
    items: "conversation || items || messages",
    role: "role",
    text: "text || content",
    replyType: "reply_type",
    debug: "debug",
    at: "created_at || timestamp || at",
  },
};

export const DEFAULT_ASSISTANT_SETTINGS: AssistantSettings = {
  baseUrl: "http://127.0.0.1:8787",
  message: DEFAULT_MESSAGE,
  session: DEFAULT_SESSION,
  headers: {},
  secretHeaders: {},
  timeoutMs: 180_000,
  maxBytes: 10 * 1024 * 1024,
  retries: 2,
  retryDelayMs: 500,
};
