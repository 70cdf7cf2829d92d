import { decodeDraftEvent } from "../../contract/drafting/draft-event.ts";
import { decodeDraftInput } from "../../contract/drafting/draft-input.ts";
import { decisionRule } from "../../domain/drafting/decision.ts";
import {
  type DerivedLoop,
  type DraftEvidence,
  draftStanding,
  type LoopFact,
} from "../../domain/drafting/draft-standing.ts";
import { decidersOf } from "../../domain/evidence/decider-of.ts";
import type { Standing } from "../../domain/evidence/standing.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Key, RunId } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { Ask, AskEnding, FlowContext } from "../../ports/flow.ts";
import type { Decision, RunRecord } from "../../ports/run-store.ts";
import type { Reply, StoredError } from "../../ports/runner.ts";
import { allEvents } from "../runs/all-events.ts";
import type { RunSource } from "../runs/list-runs.ts";
import { draftFlow } from "./draft-flow.ts";

/** Whether a decided draft is accepted, derived from its replies; undefined for any other run. */
export async function deriveStanding(source: RunSource, run: RunId): Promise<Standing | undefined> {
  const evidence = await loadEvidence(source, run);
  return evidence && draftStanding(evidence);
}

/** Everything that the acceptance of a decided draft rests on; undefined for any other run. */
export async function loadEvidence(
  source: RunSource,
  run: RunId,
): Promise<DraftEvidence | undefined> {
  const { store } = source;
  const record = await store.runs.load(run);
  if (record?.job.kind !== "draft" || record.ending?.kind !== "finished") return undefined;
  const { brief, recipe, creator, reviewers } = decodeDraftInput(record.job.input);
  const { decision } = record.ending.result as { readonly decision?: Json };
  const events = (await allEvents(store.runs)(run)).filter(isEvidence);
  return {
    ...{ runId: run, brief, recipe: recipe.id },
    recorded: { events, ...defined({ decision }) },
    derived: await derive(source, record),
    deciders: decidersOf([creator.model, ...reviewers.map(({ model }) => model)]),
    rulings: await store.read(({ rulings }) => rulings.of(run)),
  };
}

/** Phases say nothing that the other events do not. */
function isEvidence({ kind }: LoopFact): boolean {
  return kind !== "phase-entered";
}

/** Runs the loop again on its recorded replies alone: they are read and decided by the code that reads live ones. */
async function derive(source: RunSource, record: RunRecord): Promise<DerivedLoop> {
  const { job, inputDigest } = record;
  if (source.identity.digestOfJson(job.input) !== inputDigest) {
    const why = "The frozen input (brief, recipe and panel) is not the one the run began with";
    return { kind: "broken", why, events: [] };
  }
  const decisions = await source.store.read(({ inbox }) => inbox.of(record.run));
  const context = new EvidenceContext(source, record, decisions);
  try {
    await draftFlow(context, job.input);
    const events = context.events.filter(isEvidence);
    const last = events.at(-1);
    const decided = last === undefined ? undefined : decodeDraftEvent(last);
    const decision = decided?.kind === "loop-decided" ? decided.decision : undefined;
    return { kind: "derived", events, ...defined({ decision }) };
  } catch (error) {
    if (error instanceof OlderRule) return { kind: "older-rule", rule: error.rule };
    if (!(error instanceof WorkflowError)) throw error;
    const why = error.message.replace(/\.$/u, "");
    return { kind: "broken", why, events: context.events.filter(isEvidence) };
  }
}

class OlderRule extends Error {
  readonly rule: number;

  constructor(rule: number) {
    super(`The replies were given under rule ${rule}.`);
    this.rule = rule;
  }
}

function noEvidence(why: string): WorkflowError {
  return new WorkflowError(why, { code: "evidence-missing" });
}

/** Gives a loop what is recorded and nothing else. */
class EvidenceContext implements FlowContext {
  readonly events: LoopFact[] = [];
  readonly run: RunId;
  readonly job: FlowContext["job"];
  readonly #source: RunSource;
  readonly #record: RunRecord;
  readonly #decisions: readonly Decision[];

  constructor(source: RunSource, record: RunRecord, decisions: readonly Decision[]) {
    this.#source = source;
    this.#record = record;
    this.#decisions = decisions;
    this.run = record.run;
    this.job = record.job;
  }

  async askAll(asks: readonly Ask[]): Promise<readonly AskEnding[]> {
    const endings: AskEnding[] = [];
    for (const ask of asks) endings.push(await this.#recorded(ask));
    return endings;
  }

  async #recorded({ key, request }: Ask): Promise<AskEnding> {
    const { store, identity } = this.#source;
    const found = await store.runs.find(this.run, key);
    if (found === undefined) throw noEvidence(`The reply at ${key} is missing.`);
    const facts = await store.runs.facts(this.run, key);
    const rule = Number(/^drafting\/(\d+)$/u.exec(facts?.formatVersion ?? "")?.[1] ?? decisionRule);
    if (rule < decisionRule) throw new OlderRule(rule);
    if (found.digest !== identity.digestOfRequest(request) && !this.#record.acceptsChanges) {
      throw noEvidence(`The reply at ${key} was given to another question.`);
    }
    const value = found.value as unknown as Reply | { readonly failed: StoredError };
    return "failed" in value
      ? { kind: "failed", error: value.failed }
      : { kind: "replied", reply: { ...value, replayed: true } };
  }

  async waitForDecision(key: Key) {
    const answer = this.#decisions.find((decision) => decision.key === key)?.answer;
    if (answer === undefined) throw noEvidence(`The answer at ${key} is missing.`);
    return answer;
  }

  emit({ kind, data }: LoopFact): void {
    this.events.push({ kind, data });
  }

  newId(name: string): string {
    return this.#source.identity.idInRun(this.run, name);
  }

  nonce(name: string): string {
    return this.#source.identity.nonceInRun(this.run, name);
  }

  checkpoint(): void {}

  ask = notInDrafts;
  step = notInDrafts;
  children = notInDrafts;
  childrenOf = notInDrafts;
  now = notInDrafts;
}

function notInDrafts(): never {
  throw new Error("A drafting loop only asks, waits and emits.");
}
