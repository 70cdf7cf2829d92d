import type { Instant } from "../domain/values/instant.ts";
import type { Json, JsonObject } from "../domain/values/json.ts";
import type { Question } from "./question.ts";

/**
 * One question to a model. The digest of a call covers everything here but `task`, `ordinal`
 * and what only helps a provider, so a prompt
 * must hold no time, duration, cost, machine fact or limit that may be raised later.
 */
export interface AskRequest {
  readonly role: string;
  /** `provider/model`, `script:<file>` or `offline/…`. */
  readonly model: string;
  readonly system: string;
  readonly user: string;
  readonly expects: "text" | "json" | "blocks";
  /** What reaches the model: temperature, max_tokens, seed, num_ctx. */
  readonly settings: Json;
  readonly formatVersion: string;
  /** The same facts as data, for runners that do not read prose (scripted, offline). */
  readonly task: Json;
  /** Number of this role's ask in the run, from 0, counted by the flow, repairs included. */
  readonly ordinal: number;
  /** Longest time for the whole reply; the digest does not cover it. */
  readonly totalSeconds?: number;
  /** JSON Schema of the reply, for providers that can hold a model to it; the prompt says the same in words. */
  readonly replySchema?: JsonObject;
  /** How many characters at the start of `user` are the same in the next asks, for providers that cache prompts. */
  readonly stablePrefix?: number;
}

export interface Reply {
  readonly text: string;
  /** The model that really answered. */
  readonly model: string;
  /** `cut`: the provider stopped before the model was done. */
  readonly finish: "complete" | "cut";
  readonly usage?: Usage;
  /** The cost, where it is known although the tokens are not. */
  readonly microUsd?: number;
  readonly startedAt: Instant;
  readonly finishedAt: Instant;
  /** Of a script that wants to be asked to sign, as a model is. */
  readonly takesQuestions?: true;
  /** True when it comes from the record and no call was made. */
  readonly replayed: boolean;
}

export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cachedInput?: number;
  /** Of the input, what the provider wrote into its cache. */
  readonly cacheWrite?: number;
  /** Absent: the price is unknown, which is never the same as 0. */
  readonly microUsd?: number;
}

/** An error as data: it survives storage and engines. */
export interface StoredError {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly facts: Json;
}

export type Attempted =
  | { readonly kind: "replied"; readonly reply: Omit<Reply, "replayed"> }
  | { readonly kind: "suspended"; readonly question: Question };

/**
 * One physical attempt: no retry, no record. Throws `RunnerError`. `onText` gets the visible text, and an empty part for
 * anything else that shows that the model is working, such as its reasoning.
 */
export interface Runner {
  attempt(
    request: AskRequest,
    signal: AbortSignal,
    onText?: (part: string) => void,
    /** Waited for before each request to a server: a rate may have to be kept. */
    beforeSending?: () => Promise<void>,
  ): Promise<Attempted>;
  /** Whether the model is known to reason before it answers, so that a reply takes more tokens than its text. */
  thinks?(model: string): boolean;
  /** What the provider offers, where it can be asked. */
  models?(signal: AbortSignal): Promise<readonly string[]>;
  /** How many tokens the model can read and write in one call, where the provider says. */
  window?(model: string, signal: AbortSignal): Promise<number | undefined>;
}

/** A runner as the engine uses it, with what scheduling and the ledger need to know. */
export interface ResolvedRunner {
  readonly runner: Runner;
  /** Calls of one provider share one adaptive limit. */
  readonly provider: string;
  /** Longest time without a token; absent: the runner has limits of its own. */
  readonly idleMs?: number;
  /** The same before the first token of the first attempt, which may have to load the model. */
  readonly firstIdleMs?: number;
  /** Longest time for a whole reply; absent: the request's own. */
  readonly totalMs?: number;
  /** Micro-dollars for these tokens; `undefined` when the price is unknown. */
  price(usage: Usage): number | undefined;
}

/** With the settings frozen with a run, which count before those of this process. */
export type RunnerFor = (model: string, frozen?: Json) => Promise<ResolvedRunner>;
