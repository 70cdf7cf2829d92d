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
import type { ListedRun, Repos, RunLine, RunPage } from "../../ports/repos.ts";
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
  const { totals, rulings, isUnsigned } = await store.read(async ({ ledger, rulings, inbox }) => ({
    totals: await ledger.totals(run),
    rulings: await rulings.of(run),
    isUnsigned: await inbox.isUnsigned(run),
  }));
  const about = { ...aboutRun({ record, rulings, isUnsigned }), createdAt: record.job.createdAt };
  const state = stateOf(record, isDead);
  const resumable = !["finished", "cancelled", "running"].includes(state);
  return { overview: { ...about, state, resumable, spent: spentOf(totals) }, record };
}

/** What a search looks at. */
export function lineOfRun(run: ListedRun): RunLine {
  const { title, outcome } = aboutRun(run);
  return { title, ...defined({ outcome }) };
}

/** Only drafts that have ended are ruled on here. */
function rulingOn({ record: { job, state }, rulings }: ListedRun): DraftRuling | undefined {
  return job.kind === "draft" && state === "finished" ? lastRuling(rulings) : undefined;
}

/** Whether a person has decided, in its workspace, about an episode's text that the loop did not approve. */
function isSettledLoop({ record, isUnsigned }: ListedRun, outcome: RunResult | undefined): boolean {
  if (outcome === undefined || outcome === "approved" || isUnsigned) return false;
  return assetOfLoop(record.job) !== undefined;
}

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

/** What the record and people's rulings say of a run, whichever process looks at it. */
function aboutRun(listed: ListedRun) {
  const { record } = listed;
  const ruling = rulingOn(listed);
  const { reason, rule } = decisionOf(record);
  const decided = draftOutcome(reason, ruling) ?? storedOutcome(record);
  const outcome = isSettledLoop(listed, decided) ? ("settled" as const) : decided;
  const chosen = decidersOf(frozenModels(record.job.input));
  return {
    runId: record.run,
    kind: record.job.kind,
    ...defined({ outcome, rule, ruledBy: ruling?.by }),
    standIn: chosen.includes("stand_in"),
    deciders: isByPerson(outcome, ruling) ? (["person"] as const) : chosen,
    title: titleOfRun(record),
    ...defined({ place: placeOfRun(record), parent: record.parent }),
    updatedAt: record.updatedAt,
  };
}

function isByPerson(outcome: RunResult | undefined, ruling: DraftRuling | undefined): boolean {
  return outcome === "settled" || ruling?.act === "approve";
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
