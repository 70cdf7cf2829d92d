import type { RunId } from "../domain/values/ids.ts";
import type { Instant } from "../domain/values/instant.ts";
import type { Json } from "../domain/values/json.ts";
import type { Budget } from "./flow.ts";
import type { PeopleRepo } from "./people-repo.ts";
import type { ReviewRepos } from "./review-repos.ts";
import type { Decision, LedgerLine, RunRecord, RunState } from "./run-store.ts";

/** What reading commands and people's acts need from the store: rows in, rows out, no rules. */
export interface Repos {
  readonly runs: RunListRepo;
  readonly ledger: LedgerRepo;
  readonly inbox: InboxRepo;
  readonly rulings: RulingRepo;
  readonly stats: StatsRepo;
  readonly storage: StorageRepo;
  readonly removal: RemovalRepo;
  readonly reviews: ReviewRepos;
  readonly stages: StageRepo;
  readonly people: PeopleRepo;
}

/** Enough of a run for a line on a screen; `RunStore.load` has the rest. */
export interface RunSummary
  extends Pick<RunRecord, "run" | "state" | "parent" | "holder" | "cancelReason" | "updatedAt"> {
  readonly kind: string;
  readonly createdAt: Instant;
}

/** The last run of a page; the next page begins after it. */
export type RunCursor = Pick<RunSummary, "createdAt" | "run">;

export interface RunListRepo {
  /** What a top run has spent of its budget; a call of unknown cost counts with its reservation. */
  spentBy(run: RunId): Promise<Required<Budget>>;
  /** Runs whose id begins with these characters, at most so many. */
  beginningWith(prefix: string, limit: number): Promise<readonly RunId[]>;
  /** Newest first. A search finds runs by their lines, which `updateLines` keeps. */
  list(page: RunPage): Promise<readonly RunSummary[]>;
  /** When the run of the n-th line after this one was created; undefined if there are fewer lines. */
  lineAfter(after: RunCursor | undefined, n: number): Promise<Instant | undefined>;
  /** Derives the lines of runs that changed, at most so many; returns how many there were. */
  updateLines(limit: number, lineOf: (run: ListedRun) => RunLine): Promise<number>;
}

/** What a line is derived from. */
export interface ListedRun {
  readonly record: RunRecord;
  readonly rulings: readonly RunRuling[];
  /** Whether it is a loop that still needs a person. */
  readonly isUnsigned: boolean;
}

export interface RunLine {
  readonly title: string;
  readonly outcome?: string;
}

export interface RunPage {
  readonly limit: number;
  readonly after?: RunCursor;
  readonly state?: RunState;
  readonly kind?: string;
  /** Leaves out runs that are parts of others: scenarios of a pack, texts of an episode. */
  readonly topOnly?: boolean;
  /** Of the creation. */
  readonly since?: Instant;
  /** Each has to occur in the title, the kind or the id, in any case. */
  readonly words?: readonly string[];
  readonly minMicroUsd?: number;
  readonly outcome?: string;
}

export type LedgerCursor = Pick<LedgerLine, "run" | "key" | "attempt">;

/** Attempts of one role with one model, added up. */
export interface LedgerTotals {
  readonly role?: string;
  readonly model: string;
  readonly attempts: number;
  readonly replied: number;
  readonly failed: number;
  readonly lost: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  /** Sum of what is known. */
  readonly microUsd: number;
  /** Ended calls whose price is unknown; with any of them `microUsd` is a lower bound. */
  readonly unpriced: number;
  /** Replies whose tokens are unknown, such as those of a command. */
  readonly uncounted: number;
  readonly seconds: number;
}

export interface LedgerRepo {
  /** Lines of the run and all its descendants, by run, key and attempt. */
  lines(
    run: RunId,
    page: { readonly limit: number; readonly after?: LedgerCursor },
  ): Promise<readonly LedgerLine[]>;
  /** The same lines, added up. */
  totals(run: RunId): Promise<readonly LedgerTotals[]>;
}

/** A loop that ended without approval. */
export interface UnsignedLoop {
  readonly run: RunId;
  readonly since: Instant;
}

/** The next page begins after this time and id. */
export interface InboxPage {
  readonly limit: number;
  readonly after?: { readonly since: Instant; readonly id: string };
}

export interface InboxRepo {
  /** Unanswered questions of runs that have not been cancelled or finished, oldest first. */
  open(page: InboxPage): Promise<readonly Decision[]>;
  /** Finished loops that have no approval and no ruling, oldest first. */
  unsigned(page: InboxPage): Promise<readonly UnsignedLoop[]>;
  /** How many both have. */
  count(): Promise<number>;
  /** A loop that is stored already stays unchanged. */
  keepUnsigned(loop: UnsignedLoop): Promise<void>;
  /** A person has acted on the loop. */
  settle(run: RunId): Promise<void>;
  /** Whether the run is one of them, whatever its state. */
  isUnsigned(run: RunId): Promise<boolean>;
  /** All questions of a run, answered or not. */
  of(run: RunId): Promise<readonly Decision[]>;
}

export type RulingAct = "approve" | "request_changes" | "edit";

/** A person's act on an ended loop. Never changed, never removed. */
export interface RunRuling {
  readonly run: RunId;
  /** From 1, in the order of the acts on this run. */
  readonly number: number;
  readonly act: RulingAct;
  readonly candidate?: string;
  readonly by: string;
  /** Where the name comes from: a flag, a variable, git, the login. */
  readonly knownHow: string;
  readonly reason?: string;
  readonly text?: string;
  readonly at: Instant;
}

export interface RulingRepo {
  append(ruling: Omit<RunRuling, "number">): Promise<RunRuling>;
  of(run: RunId): Promise<readonly RunRuling[]>;
}

export interface RunCount {
  readonly kind: string;
  readonly state: RunState;
  readonly runs: number;
}

export interface StatsRepo {
  /** Runs created at or after `since`, or all, by kind and state. */
  runs(since?: Instant): Promise<readonly RunCount[]>;
  /** How many runs are in one of these states. */
  runsIn(states: readonly RunState[]): Promise<number>;
  /** Those since then, counted by the day of their creation in UTC. */
  runsByDay(since: Instant): Promise<readonly { readonly day: string; readonly runs: number }[]>;
  /** Their ledger, by that day and by model. */
  costsByDay(since: Instant): Promise<readonly (LedgerTotals & { readonly day: string })[]>;
  /** Their ledger, by kind, role and model. */
  costs(since: Instant): Promise<readonly (LedgerTotals & { readonly kind: string })[]>;
}

export interface StorageSize {
  /** The database without what is not yet written back from its log. */
  readonly bytes: number;
  /** Part of `bytes` that removals left free for new rows. */
  readonly freeBytes: number;
  readonly runs: number;
  readonly calls: number;
  readonly events: number;
  readonly texts: number;
}

export interface StorageRepo {
  size(): Promise<StorageSize>;
}

export interface RemovalRepo {
  /** Top runs that ended before the time, oldest first. */
  endedBefore(before: Instant, limit: number): Promise<readonly RunId[]>;
  /**
   * Removes a top run with its children, their replies, ledgers and events. Questions and rulings stay. Refused
   * while any of them can still continue without input.
   */
  remove(run: RunId): Promise<void>;
  /** The same, but only if it ended before the time; otherwise returns false and removes nothing. */
  removeEnded(run: RunId, before: Instant): Promise<boolean>;
  /**
   * Removes the texts that no row names any more; once after the last `remove`. Returns their number: 0 where a store
   * keeps every text with its row.
   */
  removeUnnamedTexts(): Promise<number>;
}

/** The record of stages, each by its folder in the project. */
export interface StageRepo {
  /** Folders of the known stages, sorted. */
  folders(): Promise<readonly string[]>;
  /** Of all stages together; they are only ever added to. */
  countEntries(): Promise<number>;
  load(folder: string): Promise<StageRow | undefined>;
  /** Replaces the facts and adds the entries. */
  record(folder: string, change: StageRow): Promise<void>;
  /** Runs of the kind whose job was filed below the folder, in the order they were created. */
  runsBelow(kind: string, folder: string): Promise<readonly RunId[]>;
  /** A digest of each thing the store keeps about the stage and its runs, by a name that people can read. */
  digests(folder: string): Promise<{ readonly [name: string]: string }>;
}

export interface StageRow {
  readonly facts: Json;
  /** In their order, from number 1. */
  readonly entries: readonly Json[];
}
