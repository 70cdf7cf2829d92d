import assert from "node:assert/strict";
import { defined } from "../domain/values/defined.ts";
import { digest } from "../domain/values/digest.ts";
import { key, type RunId, runId } from "../domain/values/ids.ts";
import { type Instant, instant } from "../domain/values/instant.ts";
import type { Budget } from "../ports/flow.ts";
import type { AttemptEnd, CallFacts, Lease, Recorded, StoredEvent } from "../ports/journal.ts";
import type { Repos } from "../ports/repos.ts";
import type { Holder, NewRun, RunStore } from "../ports/run-store.ts";
import type { Usage } from "../ports/runner.ts";
import type { Store } from "../ports/store.ts";

/** A whole store: its repositories, and its runs with their journal. */
export interface StoreSubject extends Store<Repos> {
  readonly runs: RunStore;
}

/** A bakery looks for a slogan: the values from which the conformance cases are built. */
export function minute(past: number): Instant {
  return instant(`2026-11-15T10:${String(past).padStart(2, "0")}:00.000Z`);
}

export const bakeryQuestion = digest("b".repeat(64));
export const otherQuestion = digest("c".repeat(64));

export function sloganRun(
  name: string,
  more: { readonly budget?: Budget; readonly parent?: RunId; readonly createdAt?: Instant } = {},
): NewRun {
  return {
    run: runId(name),
    job: {
      id: `job of ${name}`,
      kind: "draft",
      input: { brief: "A slogan for the bakery", words: [3, 7] },
      settings: { retries: 2 },
      createdAt: more.createdAt ?? minute(0),
      ...defined({ budget: more.budget }),
    },
    inputDigest: bakeryQuestion,
    ...defined({ parent: more.parent }),
  };
}

export function holder(pid: number, since = 1): Holder {
  return {
    host: "bakery",
    pid,
    processStart: `boot+${pid}`,
    since: minute(since),
    expires: minute(since + 1),
  };
}

/** Creates the run and takes its lease. */
export async function heldRun(
  store: RunStore,
  name: string,
  more: Parameters<typeof sloganRun>[1] = {},
): Promise<Lease> {
  const { run } = await store.create(sloganRun(name, more));
  return takeLease(store, run, 1);
}

export async function takeLease(
  store: RunStore,
  run: RunId,
  pid: number,
  owner = holder(pid),
): Promise<Lease> {
  const taken = await store.acquire(run, owner, () => true);
  assert.ok(taken.kind === "taken", taken.kind);
  return taken.lease;
}

export const create = key("turn", 1, "create");

export function recorded(text: string, at = create): Recorded {
  return { key: at, digest: bakeryQuestion, value: { text, finish: "complete" } };
}

export function attemptEnd(attempt: number, usage?: Usage, seconds = 2): AttemptEnd {
  return { attempt, finishedAt: minute(2), seconds, ...defined({ usage }) };
}

export const creatorFacts: CallFacts = {
  role: "creator",
  model: "offline/rules",
  system: "You write slogans.",
  user: "The shop bakes at night.",
  expects: "text",
  settings: { temperature: 0.7 },
  formatVersion: "1",
};

/** Records a reply to the call at `create`. */
export function reply(store: RunStore, lease: Lease, end: AttemptEnd): Promise<void> {
  return store.record(lease, recorded("reply"), [], { facts: creatorFacts, end });
}

/** A failure that may be retried. */
export const failure = { code: "overloaded", message: "busy", retryable: true, facts: {} };

export function happened(lease: Lease, seq: number, text = `event ${seq}`): StoredEvent {
  return { run: lease.run, seq, kind: "candidate-written", data: { text } };
}

/** Starts an attempt and returns its number, or the facts of a refusal. */
export function begin(store: RunStore, lease: Lease, reserve: Budget, at = create) {
  const call = { key: at, digest: bakeryQuestion, model: "offline/rules" };
  return store.start(lease, { ...call, reserve, at: minute(1) }, []);
}

export async function rejectsWith(code: string, work: Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof Error && "code" in error, String(error));
    assert.equal(error.code, code);
    return true;
  });
}
