import type { Digest } from "../domain/values/digest.ts";
import type { Key, RunId } from "../domain/values/ids.ts";
import type { Instant } from "../domain/values/instant.ts";
import type { Json } from "../domain/values/json.ts";
import type { Budget, FlowEvent } from "./flow.ts";
import type { StoredError, Usage } from "./runner.ts";

/**
 * The right to write for a run. The first one has epoch 1; another epoch or token than the stored one is refused
 * everywhere.
 */
export interface Lease {
  readonly run: RunId;
  readonly epoch: number;
  readonly token: string;
}

/** What a run learned at one key. Written once, never changed. */
export interface Recorded {
  readonly key: Key;
  readonly digest: Digest;
  readonly value: Json;
}

export interface StoredEvent extends FlowEvent {
  readonly run: RunId;
  /** From 1, without gaps. */
  readonly seq: number;
}

/** The request as far as a person wants to see it later, and as `definition-changed` compares it. */
export interface CallFacts {
  readonly role: string;
  readonly model: string;
  readonly system: string;
  readonly user: string;
  readonly expects: string;
  readonly settings: Json;
  readonly formatVersion: string;
}

/** One physical attempt of a call, before it is made. */
export interface AttemptStart {
  readonly key: Key;
  readonly digest: Digest;
  readonly model: string;
  readonly reserve: Budget;
  readonly at: Instant;
  /** The last event that all projectors have seen by now, stored with the start to save a commit. */
  readonly projected?: number;
}

/** How a physical attempt went, for the ledger. */
export interface AttemptEnd {
  readonly attempt: number;
  readonly usage?: Usage;
  /** The cost, where it is known although the tokens are not. */
  readonly microUsd?: number;
  readonly finishedAt: Instant;
  /** Time spent in the attempt, for the time budget. */
  readonly seconds: number;
}

/**
 * The record of a run. Everything paid for goes through here: `start`, the call, `record`, and only then does
 * anything act on the reply. Members that take a lease throw `LeaseLost` when it is no longer current.
 */
export interface Journal {
  find(run: RunId, key: Key): Promise<Recorded | undefined>;
  /** The request stored with a recorded call, where there was one. */
  facts(run: RunId, key: Key): Promise<CallFacts | undefined>;
  /**
   * Notes that a physical attempt begins and sets its reservation aside, together with the events emitted since
   * the last write. Need not survive a power cut. The reservation is taken from the top run's budget.
   */
  start(
    lease: Lease,
    start: AttemptStart,
    events: readonly StoredEvent[],
  ): Promise<
    | { readonly kind: "reserved"; readonly attempt: number }
    | { readonly kind: "over-budget"; readonly facts: Json }
  >;
  /** Notes a failed attempt; its reservation is returned. */
  fail(lease: Lease, key: Key, end: AttemptEnd, error: StoredError): Promise<void>;
  /**
   * Durable before it resolves. With `call`, the attempt is closed in the ledger in the same transaction and the
   * request, where a model was asked, is kept.
   */
  record(
    lease: Lease,
    entry: Recorded,
    events: readonly StoredEvent[],
    call?: { readonly facts?: CallFacts; readonly end: AttemptEnd },
  ): Promise<void>;
}
