import type {
  AssistantOutcome,
  ConversationItem,
  SessionOutcome,
} from "../domain/scenarios/turn.ts";
import type { Json } from "../domain/values/json.ts";

export interface Message {
  readonly question: string;
  /** Absent on the first turn. */
  readonly sessionId?: string;
  readonly analysisContext: Json;
}

/**
 * The assistant under test. Every outcome is returned as a value; only the caller's own signal throws. Returned texts
 * contain no secrets.
 */
export interface Assistant {
  /** Longest time for one answer. */
  readonly timeoutMs: number;
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
