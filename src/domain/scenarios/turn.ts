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
] as const;

/** Why a question has no usable answer. Each is a status of the step, never a lost step. */
export type TransportFailureKind = (typeof TRANSPORT_FAILURES)[number];

/** Why there is no answer to judge. */
export interface TransportFailure {
  readonly kind: TransportFailureKind;
  readonly message: string;
  /** False only if the request certainly never reached the assistant; only then may it be sent again. */
  readonly accepted: boolean;
  readonly httpStatus?: number;
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
  /** The whole response body. */
  readonly raw: Json;
}

export type AssistantOutcome =
  | { readonly kind: "answered"; readonly answer: AssistantAnswer; readonly recovered?: boolean }
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
