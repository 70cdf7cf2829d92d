import type { LoopDecision } from "../../domain/drafting/decision.ts";
import {
  type CompletionReason,
  completionReasonOf,
  type DraftRuling,
  draftOutcome,
  lastRuling,
} from "../../domain/drafting/draft-outcome.ts";
import { decidersOf } from "../../domain/evidence/decider-of.ts";
import type { Decider } from "../../domain/evidence/standing.ts";
import type { RunResult } from "../../domain/runs/run-words.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import type { Instant } from "../../domain/values/instant.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { Repos, RunPage } from "../../ports/repos.ts";
import type { RunIdentity } from "../../ports/run-identity.ts";
import type { Holder, RunRecord, RunState, RunStore } from "../../ports/run-store.ts";
import type { Store } from "../../ports/store.ts";
import { assetOfLoop } from "../episodes/asset-loops.ts";
import { storedOutcome } from "../scenarios/stored-outcome.ts";
import { placeOfRun, type RunPlace, titleOfRun } from "./about-run.ts";
import { type Spent, spentOf } from "./add-up.ts";
import { frozenModels } from "./frozen-models.ts";

export interface RunOverview {
  readonly runId: RunId;
  readonly kind: string;
  /** `interrupted`: it should be running, but its process is gone. */
  readonly state: RunState | "interrupted";
  /** What became of a loop or a run of questions that came to a decision, people's rulings included. */
  readonly outcome?: RunResult;
  /** The person whose ruling that is. */
  readonly ruledBy?: string;
  /** The version of the rule that the loop was decided by. */
  readonly rule?: number;
  readonly standIn: boolean;
  /** Who decides; empty for runs that no model decides. */
  readonly deciders: readonly Decider[];
  /** What it is about, in a line. */
  readonly title: string;
  /** Where that can be seen. */
  readonly place?: RunPlace;
  /** The run that it is a part of. */
  readonly parent?: RunId;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly resumable: boolean;
  readonly spent: Spent;
}

export interface RunSource {
  readonly store: Store<Repos> & { readonly runs: RunStore };
  readonly isDead: (holder: Holder) => boolean;
  readonly identity: RunIdentity;
}

/** Newest first. */
export async function listRuns(
  source: RunSource,
  filter: RunPage,
): Promise<readonly RunOverview[]> {
  const summaries = await source.store.read((repos) => repos.runs.list(filter));
  const all: RunOverview[] = [];
  for (const { run } of summaries) {
    const found = await loadOverview(source, run);
    if (found !== undefined) all.push(found.overview);
  }
  return all;
}

/** One run as a list would show it; undefined when there is none with exactly this id. */
export async function loadOverview(
  { store, isDead }: RunSource,
  run: RunId,
): Promise<{ readonly overview: RunOverview; readonly record: RunRecord } | undefined> {
  const record = await store.runs.load(run);
  if (record === undefined) return undefined;
  const spent = spentOf(await store.read(({ ledger }) => ledger.totals(run)));
  const ruling = await rulingOn(store, record);
  const about = overviewOf(record, isDead, ruling);
  const isSettled = await isSettledLoop(store, record, about.outcome);
  const settled = isSettled ? { outcome: "settled" as const } : {};
  return { overview: { ...about, ...settled, createdAt: record.job.createdAt, spent }, record };
}

/** Only drafts that have ended are ruled on here. */
async function rulingOn(
  store: RunSource["store"],
  { run, job, state }: RunRecord,
): Promise<DraftRuling | undefined> {
  if (job.kind !== "draft" || state !== "finished") return undefined;
  return lastRuling(await store.read(({ rulings }) => rulings.of(run)));
}

/** Whether a person has decided, in its workspace, about an episode's text that the loop did not approve. */
async function isSettledLoop(
  store: RunSource["store"],
  { run, job }: RunRecord,
  outcome: RunResult | undefined,
): Promise<boolean> {
  if (outcome === undefined || outcome === "approved") return false;
  if (assetOfLoop(job) === undefined) return false;
  const waiting = await store.read(({ inbox }) => inbox.unsigned({ limit: mostWaiting }));
  return waiting.length < mostWaiting && waiting.every((loop) => loop.run !== run);
}

const mostWaiting = 1_000;

/** The child runs, in the order they were started. */
export async function listParts(source: RunSource, run: RunId): Promise<readonly RunOverview[]> {
  const parts: RunOverview[] = [];
  for (const { run: part } of await source.store.runs.listChildren(run)) {
    const found = await loadOverview(source, part);
    if (found !== undefined) parts.push(found.overview);
  }
  return parts;
}

const mostNamed = 10;

/** The run whose id begins with these characters; an error when none or several do. */
export async function findRun({ store }: RunSource, prefix: string): Promise<RunId> {
  // An empty name, as of a variable that was never set, would mean the only run there is.
  if (prefix.trim() === "") throw unknownRun(prefix);
  const matching = await store.read((repos) =>
    repos.runs.beginningWith(prefix.toLowerCase(), mostNamed),
  );
  const [only] = matching;
  if (only !== undefined && matching.length === 1) return only;
  if (matching.length === 0) throw unknownRun(prefix);
  throw new WorkflowError(`Several runs begin with "${prefix}".`, {
    code: "run-ambiguous",
    facts: { run: prefix, matching },
    hint: seeList,
  });
}

/** Without a store there are no runs. */
export function existingRuns(source: RunSource | undefined, prefix: string): RunSource {
  if (source === undefined) throw unknownRun(prefix);
  return source;
}

export function unknownRun(run: string): WorkflowError {
  return new WorkflowError(`There is no run "${run}".`, {
    code: "run-unknown",
    facts: { run },
    hint: seeList,
  });
}

const seeList = "See `signoff runs list`.";

export function stateOf(
  { state, holder }: Pick<RunRecord, "state" | "holder">,
  isDead: (holder: Holder) => boolean,
): RunOverview["state"] {
  return state === "running" && holder !== undefined && isDead(holder) ? "interrupted" : state;
}

function overviewOf(
  record: RunRecord,
  isDead: (holder: Holder) => boolean,
  ruling: DraftRuling | undefined,
) {
  const state = stateOf(record, isDead);
  const { reason, rule } = decisionOf(record);
  const outcome = draftOutcome(reason, ruling) ?? storedOutcome(record);
  const chosen = decidersOf(frozenModels(record.job.input));
  return {
    runId: record.run,
    kind: record.job.kind,
    state,
    ...defined({ outcome, rule, ruledBy: ruling?.by }),
    standIn: chosen.includes("stand_in"),
    deciders: ruling?.act === "approve" ? (["person"] as const) : chosen,
    title: titleOfRun(record),
    ...defined({ place: placeOfRun(record), parent: record.parent }),
    updatedAt: record.updatedAt,
    resumable: !["finished", "cancelled", "running"].includes(state),
  };
}

function decisionOf({ ending }: RunRecord): {
  readonly reason?: CompletionReason;
  readonly rule?: number;
} {
  if (ending?.kind !== "finished") return {};
  const { decision, rule = 1 } = ending.result as {
    readonly decision?: Pick<LoopDecision, "outcome" | "reason">;
    readonly rule?: number;
  };
  if (decision === undefined) return {};
  return { rule, ...defined({ reason: completionReasonOf(decision) }) };
}
