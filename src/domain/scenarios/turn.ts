import type { Json } from "../values/json.ts";

export const TRANSPORT_FAILURES = [
  "unreachable",
  "timed_out",
  "connection_closed",
  "http_error",
  "not_json",
  "invalid_utf8",
  "too_large",
  "missing_answer",
  "wrong_session",
  "session_lost",
  "no_session",
  "assistant_error",
  "command_failed",
] as const;

/** Why a question has no usable answer. Each is a status of the step, never a lost step. */
export type TransportFailureKind = (typeof TRANSPORT_FAILURES)[number];

/**
 * Who keeps a conversation together. `given`: the assistant names the session in its first answer; `rotating`: every
 * answer names the id for the next question; `client`: Signoff chooses the id; `history`: Signoff sends the conversation
 * with each question; `none`: each question stands alone.
 */
export const SESSION_KINDS = ["given", "rotating", "client", "history", "none"] as const;

export type SessionKind = (typeof SESSION_KINDS)[number];

/** A question that was lost may be sent again: the assistant keeps nothing that a second one would change. */
export function isStateless(kind: SessionKind): boolean {
  return kind === "rotating" || kind === "history" || kind === "none";
}

/** A tool that the assistant used for an answer. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Json;
}

/** Why there is no answer to judge. */
export interface TransportFailure {
  readonly kind: TransportFailureKind;
  readonly message: string;
  /** False only if the request certainly never reached the assistant; only then may it be sent again. */
  readonly accepted: boolean;
  readonly httpStatus?: number;
  /** How long the assistant asks to wait before the next request. */
  readonly retryAfterMs?: number;
  /** The beginning of what came instead of an answer. */
  readonly excerpt?: string;
}

/** One answer as the adapter read it. */
export interface AssistantAnswer {
  readonly text: string;
  readonly sessionId?: string;
  readonly replyType?: string;
  readonly messageId?: string;
  readonly traceId?: string;
  /** Of the assistant, where it is configured how an answer shows it. */
  readonly version?: string;
  readonly debug: Json;
  readonly entries: readonly Json[];
  readonly semanticMemory: Json;
  /** Absent where it is not configured how an answer shows them. */
  readonly toolCalls?: readonly ToolCall[];
  /** The whole response body. */
  readonly raw: Json;
}

export type AssistantOutcome =
  | {
      readonly kind: "answered";
      readonly answer: AssistantAnswer;
      readonly recovered?: boolean;
      /** From the request to the end of the answer; absent for an answer found in its session. */
      readonly latencyMs?: number;
    }
  | { readonly kind: "failed"; readonly failure: TransportFailure };

export interface ConversationItem {
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly replyType?: string;
  readonly debug?: Json;
  readonly raw?: Json;
  /** When it was said, in UTC. */
  readonly at?: string;
}

export type SessionOutcome =
  | {
      readonly kind: "found";
      readonly sessionId: string;
      readonly items: readonly ConversationItem[];
      readonly raw: Json;
    }
  | { readonly kind: "unsupported" }
  | { readonly kind: "failed"; readonly failure: TransportFailure };

/** What to do with a step whose question may or may not have been asked before a crash. */
export type Recovery =
  | { readonly kind: "use"; readonly item: ConversationItem }
  | { readonly kind: "wait" }
  | { readonly kind: "send" }
  | { readonly kind: "new-attempt" };

/**
 * Only the end of the session counts: an equal question further up is an earlier step. `repeated` says how many
 * steps just before this one asked the very same; as many of the session's last questions are theirs.
 */
export function decideRecovery(
  session: SessionOutcome,
  question: string,
  repeated: number,
): Recovery {
  if (session.kind !== "found") return { kind: "new-attempt" };
  const asked = session.items.filter((item) => item.role === "user");
  const other = asked.findLastIndex((item) => item.text.trim() !== question.trim());
  if (asked.length - 1 - other <= repeated) return { kind: "send" };
  const lastUser = session.items.findLastIndex((item) => item.role === "user");
  const reply = session.items[lastUser + 1];
  return reply === undefined ? { kind: "wait" } : { kind: "use", item: reply };
}
