import type { Dispatcher } from "undici";
import type { Json } from "../../domain/values/json.ts";

/** JMESPath expressions into the body of an answer. */
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

export interface AssistantSettings {
  readonly baseUrl: string;
  readonly messagePath: string;
  /** Contains `:session_id`; absent if the assistant has no address for sessions. */
  readonly sessionPath?: string;
  /** Body of a message; texts may hold `{{question}}`, `{{session_id}}` and `{{analysis_context}}`. */
  readonly requestTemplate: Json;
  readonly answer: AnswerMapping;
  readonly session: SessionMapping;
  /** The header of a response that holds the assistant's version. */
  readonly versionHeader?: string;
  readonly headers: { readonly [name: string]: string };
  /** Headers whose values come from the environment; they are masked in everything the adapter returns. */
  readonly secretHeaders: { readonly [name: string]: string };
  /** A project's rule for business data, applied to every stored text. */
  readonly rewrite?: (text: string) => string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Only for requests that never reached the assistant. */
  readonly retries: number;
  readonly retryDelayMs: number;
  readonly dispatcher?: Dispatcher;
}

export const DEFAULT_ASSISTANT_SETTINGS: AssistantSettings = {
  baseUrl: "http://127.0.0.1:8787",
  messagePath: "/api/assistant/message",
  sessionPath: "/api/assistant/session/:session_id",
  requestTemplate: {
    session_id: "{{session_id}}",
    user_message: "{{question}}",
    context: "{{analysis_context}}",
  },
  answer: {
    text: "assistant_reply || conversation_item.text",
    sessionId: "session_id",
    replyType: "conversation_item.reply_type || debug.reply_type || reply_type",
    messageId: "conversation_item.message_id",
    traceId: "conversation_item.trace_id || debug.trace_id",
    debug: "debug || conversation_item.debug",
    entries: "debug.entries || entries",
    semanticMemory: "debug.semantic_memory || semantic_memory",
    version: "`null`",
  },
  session: {
    sessionId: "session_id",
    items: "conversation || items || messages",
    role: "role",
    text: "text || content",
    replyType: "reply_type",
    debug: "debug",
    at: "created_at || timestamp || at",
  },
  headers: {},
  secretHeaders: {},
  timeoutMs: 180_000,
  maxBytes: 10 * 1024 * 1024,
  retries: 2,
  retryDelayMs: 500,
};
