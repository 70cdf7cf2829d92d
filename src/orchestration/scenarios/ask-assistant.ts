import { readTurn, type TurnTaken, writeTurn } from "../../contract/scenarios/run-events.ts";
import { type Unobserved, unobservedIn } from "../../domain/scenarios/payload-needs.ts";
import {
  type AssistantOutcome,
  decideRecovery,
  type SessionOutcome,
} from "../../domain/scenarios/turn.ts";
import type { Json } from "../../domain/values/json.ts";
import type { Assistant, Message } from "../../ports/assistant.ts";
import type { Clock } from "../../ports/clock.ts";
import type { CrashPoints } from "../../ports/crash-points.ts";

export interface TurnParts {
  readonly assistant: Assistant;
  readonly clock: Clock;
  readonly crash: CrashPoints;
}

/** What is recorded for a question: the turn, or why the chain cannot continue in this session. */
export type TurnEnding =
  | { readonly kind: "taken"; readonly turn: TurnTaken }
  | { readonly kind: "restart"; readonly because: string };

const pollMillis = 1000;

/**
 * Asks one question, or finds out what became of it when an earlier process may have asked it already. The
 * assistant is never asked the same thing twice in one session.
 */
export async function askAssistant(
  message: Message,
  how: {
    readonly mayHaveBeenSent: boolean;
    /** How many steps just before this one asked the very same in this session. */
    readonly repeated: number;
    /** Whether the chain cannot be judged without what an answer from the session lacks. */
    readonly isNeeded: (unobserved: readonly Unobserved[]) => boolean;
    readonly signal: AbortSignal;
  },
  parts: TurnParts,
): Promise<Json> {
  const { assistant, clock, crash } = parts;
  const startedAt = clock.now();
  const { sessionId } = message;
  const found =
    how.mayHaveBeenSent && sessionId !== undefined
      ? await recover({ ...message, sessionId }, how, parts)
      : "send";
  if (typeof found === "object" && "restart" in found) return found;
  const outcome = found === "send" ? await assistant.send(message, how.signal) : found;
  crash.reach("answer-received");
  const { question } = message;
  return writeTurn({ question, startedAt, finishedAt: clock.now(), outcome });
}

export function readEnding(recorded: Json): TurnEnding {
  const { restart } = recorded as { readonly restart?: string };
  return restart === undefined
    ? { kind: "taken", turn: readTurn(recorded) }
    : { kind: "restart", because: restart };
}

/** A session can be continued only if it shows what became of our question. */
async function recover(
  { sessionId, question }: Message & { readonly sessionId: string },
  how: Omit<Parameters<typeof askAssistant>[1], "mayHaveBeenSent">,
  { assistant, clock }: TurnParts,
): Promise<"send" | AssistantOutcome | { readonly restart: string }> {
  const { repeated, signal } = how;
  const kept = assistant.asKept(question);
  let session = await assistant.readSession(sessionId, signal);
  let recovery = decideRecovery(session, kept, repeated);
  for (let waited = 0; recovery.kind === "wait" && waited < assistant.timeoutMs; ) {
    await clock.sleep(pollMillis, signal);
    waited += pollMillis;
    session = await assistant.readSession(sessionId, signal);
    recovery = decideRecovery(session, kept, repeated);
  }
  switch (recovery.kind) {
    case "use": {
      const outcome = assistant.recover(sessionId, recovery.item);
      const unobserved = unobservedIn(outcome);
      const why = `the answer was found in the session without its ${unobserved.join(" and ")}, which a check needs`;
      return how.isNeeded(unobserved) ? { restart: why.replace("_", " ") } : outcome;
    }
    case "send":
      return "send";
    case "wait":
      return { restart: "the question was asked before the crash and never answered" };
    case "new-attempt":
      return { restart: whyLost(session) };
  }
}

function whyLost(session: SessionOutcome): string {
  return session.kind === "failed"
    ? `the session cannot be read: ${session.failure.kind}`
    : "the assistant cannot be asked for its sessions";
}

/** Kept as evidence beside the turn; a session that cannot be read does not spoil the answer. */
export async function readSessionAfter(
  sessionId: string,
  assistant: Assistant,
  signal: AbortSignal,
): Promise<Json> {
  const session = await assistant.readSession(sessionId, signal);
  if (session.kind === "found") return session.raw;
  if (session.kind === "unsupported") return null;
  const { kind, message } = session.failure;
  return { unavailable: kind, message };
}
