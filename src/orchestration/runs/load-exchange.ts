import type { Key, RunId } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { CallFacts, Journal } from "../../ports/journal.ts";
import type { Reply } from "../../ports/runner.ts";

export interface Exchange extends CallFacts {
  readonly key: string;
  readonly reply: string;
  /** The model that really answered. */
  readonly answeredBy: string;
  readonly finish: Reply["finish"];
}

/** The prompt and the reply of a call, verbatim from the journal. */
export async function loadExchange(journal: Journal, run: RunId, key: string): Promise<Exchange> {
  const facts = await journal.facts(run, key as Key);
  const reply = await recordedReply(journal, run, key as Key);
  if (facts === undefined || reply === undefined) {
    throw new WorkflowError("There is no recorded call with that key.", {
      code: "call-unknown",
      facts: { run, key },
    });
  }
  const { text, model, finish } = reply;
  return { key, ...facts, reply: text, answeredBy: model, finish };
}

/** The reply recorded at a key. Recorded failures and steps have no text. */
export async function recordedReply(
  journal: Pick<Journal, "find">,
  run: RunId,
  key: Key,
): Promise<Pick<Reply, "text" | "model" | "finish"> | undefined> {
  const value = (await journal.find(run, key))?.value;
  const { text, model, finish } = (value ?? {}) as { readonly [name: string]: Json };
  if (typeof text !== "string" || typeof model !== "string") return undefined;
  return { text, model, finish: finish === "cut" ? "cut" : "complete" };
}
