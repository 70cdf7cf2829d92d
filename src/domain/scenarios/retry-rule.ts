import { isStateless, type SessionKind, type TransportFailure } from "./turn.ts";

/** What to do about a question that got no answer. */
export type RetryStep =
  /** It is an ending like any other: the step failed. */
  | "fail"
  /** Nothing that a second question would change has happened. */
  | "send-again"
  /** The assistant may have answered; its session shows it. */
  | "look"
  /** Nobody answers: the run ends here and can be resumed. */
  | "stop";

/**
 * A question is asked again after a lost connection or a server error where that is safe: in a new conversation, where
 * the assistant keeps none, or after a look at the session. A question that was not taken on was repeated before.
 */
export function decideRetry(
  failure: TransportFailure,
  about: {
    readonly sessions: SessionKind;
    /** The id that the question was asked with. */
    readonly sessionId?: string | undefined;
    readonly attempt: number;
    readonly retries: number;
  },
): RetryStep {
  if (!failure.accepted) return "stop";
  const { kind, httpStatus = 0 } = failure;
  const isPassing = kind === "connection_closed" || (kind === "http_error" && httpStatus >= 500);
  if (!isPassing || about.attempt >= about.retries) return "fail";
  return isStateless(about.sessions) || about.sessionId === undefined ? "send-again" : "look";
}
