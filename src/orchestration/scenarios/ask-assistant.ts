import { readTurn, type TurnTaken, writeTurn } from "../../contract/scenarios/run-events.ts";
import { type Unobserved, unobservedIn } from "../../domain/scenarios/payload-needs.ts";
import { decideRetry } from "../../domain/scenarios/retry-rule.ts";
import {
  type AssistantOutcome,
  decideRecovery,
  isStateless,
  type SessionOutcome,
  type TransportFailure,
} from "../../domain/scenarios/turn.ts";
import type { Json } from "../../domain/values/json.ts";
import { AgentError } from "../../domain/values/workflow-error.ts";
import type { Assistant, Message } from "../../ports/assistant.ts";
import type { Clock } from "../../ports/clock.ts";
import type { CrashPoints } from "../../ports/crash-points.ts";

export interface TurnParts {
  readonly assistant: Assistant;
  readonly clock: Clock;
  readonly crash: CrashPoints;
  /** Digest of how the settings have the assistant asked, its answers read, and both masked. */
  readonly setup: string;
}

/** What is recorded for a question: the turn, or why the chain cannot continue in this session. */
export type TurnEnding =
  | { readonly kind: "taken"; readonly turn: TurnTaken }
  | { readonly kind: "restart"; readonly because: string };

const pollMillis = 1000;

const unreachableHint =
  "Start it, or correct --assistant-url; the same command then goes on where it was.";

const busyHint = "Repeat the same command later; it goes on where it was.";

/** Of a run that ended because the assistant did not answer. */
export const unreachableCode = "assistant-unreachable";

interface Asking {
  readonly mayHaveBeenSent: boolean;
  /** How many steps just before this one asked the very same in this session. */
  readonly repeated: number;
  /** Whether the chain cannot be judged without what an answer from the session lacks. */
  readonly isNeeded: (unobserved: readonly Unobserved[]) => boolean;
  /** Whether the assistant has answered anything in this conversation. */
  readonly wasHeard: boolean;
  readonly signal: AbortSignal;
}

/**
 * Asks one question, or finds out what became of it when an earlier process may have asked it already. The
 * assistant is never asked the same thing twice in one session. Throws `assistant-unreachable` if there is no answer; that
 * is not recorded, so a resume asks again.
 */
export async function askAssistant(message: Message, how: Asking, parts: TurnParts): Promise<Json> {
  const { clock, crash, setup } = parts;
  const startedAt = clock.now();
  const found = how.mayHaveBeenSent ? await lookFor(message, how, parts) : "send";
  const outcome = found === "send" ? await sendUntilAnswered(message, how, parts) : found;
  if ("restart" in outcome) return outcome;
  crash.reach("answer-received");
  const { question } = message;
  return writeTurn({ question, startedAt, finishedAt: clock.now(), outcome, setup });
}

type Found = "send" | AssistantOutcome | { readonly restart: string };

/** An assistant that keeps no conversation has nothing to look for in it. */
async function lookFor(message: Message, how: Asking, parts: TurnParts): Promise<Found> {
  const { sessionId } = message;
  const { sessions } = parts.assistant;
  if (sessionId === undefined || isStateless(sessions)) return "send";
  return await recover({ ...message, sessionId }, how, parts);
}

async function sendUntilAnswered(
  message: Message,
  how: Asking,
  parts: TurnParts,
): Promise<Exclude<Found, "send">> {
  const { assistant, clock } = parts;
  const { sessions, retries } = assistant;
  for (let attempt = 0; ; attempt += 1) {
    const began = clock.monotonic();
    const outcome = await assistant.send(message, how.signal);
    if (outcome.kind === "answered") return { ...outcome, latencyMs: elapsed(clock, began) };
    const about = { sessions, sessionId: message.sessionId, attempt, retries };
    const next = decideRetry(outcome.failure, about);
    if (next === "fail") return outcome;
    if (next === "stop") throw unreachable(outcome.failure, how);
    await clock.sleep(assistant.retryDelayMs * 2 ** attempt, how.signal);
    const found = next === "look" ? await lookFor(message, how, parts) : "send";
    if (found !== "send") return found;
  }
}

function elapsed(clock: Clock, began: number): number {
  return Math.max(0, Math.round(clock.monotonic() - began));
}

/** The run ends as failed and can be resumed; what was answered so far is kept. */
function unreachable(
  { message, excerpt, httpStatus }: TransportFailure,
  { wasHeard }: Pick<Asking, "wasHeard">,
): AgentError {
  const said = excerpt === undefined ? message : `${message}: ${excerpt}`;
  const isBusy = httpStatus !== undefined;
  return new AgentError(`The assistant ${isBusy ? "is busy" : "cannot be reached"}: ${said}`, {
    code: unreachableCode,
    retryable: true,
    facts: { was_heard: wasHeard },
    hint: isBusy ? busyHint : unreachableHint,
  });
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
  how: Asking,
  { assistant, clock }: TurnParts,
): Promise<Found> {
  const { repeated, signal } = how;
  const kept = assistant.asKept(question);
  let session = await assistant.readSession(sessionId, signal);
  requireReached(session, how);
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

/** A session that cannot be read because the assistant does not answer is not lost. */
function requireReached(session: SessionOutcome, how: Asking): void {
  if (session.kind === "failed" && !session.failure.accepted) {
    throw unreachable(session.failure, how);
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
