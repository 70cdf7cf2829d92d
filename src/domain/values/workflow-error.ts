import type { Json } from "./json.ts";

export interface ErrorFacts {
  readonly code: string;
  readonly retryable?: boolean;
  /** The facts of the message as data. */
  readonly facts?: { readonly [name: string]: Json };
  /** What the person can do about it, as one sentence. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/**
 * Base of everything Signoff throws on purpose. `code` is stable and meant for programs; the message says what
 * happened, to what; `hint` says what to do next.
 */
export class WorkflowError extends Error {
  override readonly name: string = "WorkflowError";
  readonly code: string;
  readonly retryable: boolean;
  readonly facts: { readonly [name: string]: Json };
  readonly hint: string | undefined;

  constructor(message: string, about: ErrorFacts) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause });
    this.code = about.code;
    this.retryable = about.retryable ?? false;
    this.facts = about.facts ?? {};
    this.hint = about.hint;
  }
}

/** A model, agent or assistant could not be asked, or did not give a usable reply. */
export class AgentError extends WorkflowError {
  override readonly name: string = "AgentError";
}

/** One physical attempt failed; the scheduler decides whether to try again. */
export class RunnerError extends AgentError {
  override readonly name: string = "RunnerError";
  readonly retryAfterMs: number | undefined;

  constructor(message: string, about: ErrorFacts & { readonly retryAfterMs?: number }) {
    super(message, about);
    this.retryAfterMs = about.retryAfterMs;
  }
}

/** No model of that name can be asked: it is unknown, or its provider does not offer it. */
export class ModelNotFoundError extends AgentError {
  override readonly name: string = "ModelNotFoundError";
}

/** The limit was reached without approval; thrown only by helpers that insist on one. */
export class ApprovalTimeoutError extends WorkflowError {
  override readonly name: string = "ApprovalTimeoutError";
}

/** Something a person wrote (flag, file, variable) is wrong; nothing was changed. */
export class ConfigurationError extends WorkflowError {
  override readonly name: string = "ConfigurationError";
}

/** All attempts of a call are used up; the run can be resumed and will ask again. */
export class AskFailed extends AgentError {
  override readonly name: string = "AskFailed";
}

/** Another process holds the lease of this run. */
export class RunHeld extends WorkflowError {
  override readonly name: string = "RunHeld";
}

/** Another process took over the lease, or the run has ended: stop, and write nothing more for it. */
export class LeaseLost extends WorkflowError {
  override readonly name: string = "LeaseLost";
}
