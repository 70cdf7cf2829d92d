import type {
  AssistantOutcome,
  ConversationItem,
  SessionKind,
  SessionOutcome,
} from "../domain/scenarios/turn.ts";
import type { Json } from "../domain/values/json.ts";

export interface Message {
  readonly question: string;
  /** Absent on the first turn, unless Signoff chooses the id. */
  readonly sessionId?: string;
  readonly analysisContext: Json;
  /** What was said before in this conversation. */
  readonly history?: readonly Pick<ConversationItem, "role" | "text">[];
  /** Of this question alone. */
  readonly headers?: { readonly [name: string]: string };
}

/**
 * The assistant under test. Every outcome is returned as a value; only the caller's own signal throws. Returned texts
 * contain no secrets.
 */
export interface Assistant {
  /** Longest time for one answer. */
  readonly timeoutMs: number;
  readonly sessions: SessionKind;
  /** How often a question that got no answer may be asked again, where that is safe. */
  readonly retries: number;
  readonly retryDelayMs: number;
  /** Sent again only if the request certainly never arrived. */
  send(message: Message, signal: AbortSignal): Promise<AssistantOutcome>;
  readSession(sessionId: string, signal: AbortSignal): Promise<SessionOutcome>;
  /** The text as it is returned from here: without secrets, and masked by the project's rules. */
  asKept(text: string): string;
  /** An answer found in a session, read as if it had just been given. */
  recover(sessionId: string, item: ConversationItem): AssistantOutcome;
}

/** The assistant at an address; everything else about it is the project's configuration. */
export type AssistantAt = (baseUrl: string) => Assistant;
