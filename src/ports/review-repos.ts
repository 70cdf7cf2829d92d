import type { AcceptanceKind } from "../domain/gates/acceptance.ts";
import type { ReviewDecision, Settled } from "../domain/gates/decision.ts";
import type { FindingSeverity } from "../domain/gates/findings.ts";
import type { RunId } from "../domain/values/ids.ts";
import type { Instant } from "../domain/values/instant.ts";

/** Rows of reviews: kept and given back, with no rule about when or whether. */
export interface ReviewRepos {
  readonly runs: ReviewRunRepo;
  readonly runGates: RunGateRepo;
  readonly gateReviews: GateReviewRepo;
  readonly acceptances: AcceptanceRepo;
  readonly dismissals: DismissalRepo;
  readonly notePaths: NotePathRepo;
  readonly blobs: BlobTextRepo;
}

/**
 * Derived, never stored: `completed` and `failed` from what was filed, else from the run of the same id in the run
 * store. `running` only means that it has neither ended nor waits; its lease says whether a process works on it.
 */
export type ReviewRunState = "running" | "waiting" | "completed" | "failed";

export interface NewReviewRun {
  readonly run: RunId;
  /** Digest of shape, versions, model and format: the same plan again is found by it. */
  readonly plan: string;
  readonly shape: "bundle" | "sweep" | "rule";
  /** The partition its rows are filed under. */
  readonly model: string;
  readonly askedModel: string;
  readonly format: string;
  /** The sweep it belongs to. */
  readonly batch?: string;
  /** Number of the last move when its notes were listed; by default the last one. */
  readonly movesSeen?: number;
  readonly createdAt: Instant;
}

export interface ReviewRunRow extends Omit<NewReviewRun, "movesSeen"> {
  readonly state: ReviewRunState;
  /** Short name for people, from 1. */
  readonly number: number;
  readonly answeredModel?: string;
  readonly reason?: string;
  readonly rawText?: string;
  readonly finishedAt?: Instant;
}

export interface ReviewRunEnd {
  readonly answeredModel?: string;
  readonly rawText?: string;
  readonly at: Instant;
}

/** Runs of a sweep, counted by model and outcome. */
export interface BatchTally {
  readonly askedModel: string;
  readonly answeredModel?: string;
  readonly outcome: "completed" | "failed" | "open";
  readonly runs: number;
}

export interface ReviewRunRepo {
  /** Returns the run's number. */
  insert(run: NewReviewRun): Promise<number>;
  find(run: RunId): Promise<ReviewRunRow | undefined>;
  byNumber(number: number): Promise<ReviewRunRow | undefined>;
  /** All runs of one plan, oldest first. */
  ofPlan(plan: string): Promise<readonly ReviewRunRow[]>;
  /** Running or waiting, oldest first. */
  open(): Promise<readonly ReviewRunRow[]>;
  /** The runs of a sweep, counted by model and outcome. */
  tallyOf(batch: string): Promise<readonly BatchTally[]>;
  /** The runs of a sweep whose reply could not be used, oldest first. */
  failedOf(batch: string): Promise<readonly ReviewRunRow[]>;
  /** Like `fail`, changes nothing of a run that has ended. */
  complete(run: RunId, end: ReviewRunEnd): Promise<void>;
  fail(run: RunId, reason: string, end: ReviewRunEnd): Promise<void>;
  rekeyModel(run: RunId, model: string): Promise<void>;
}

/** A note and a gate, each in one version. */
export interface PairVersions {
  readonly notePath: string;
  readonly noteBlob: string;
  readonly gateId: string;
  readonly gateBlob: string;
}

/** One pair of a run, with the versions captured before the prompt was made. */
export interface RunPairRow extends PairVersions {
  readonly ordinal: number;
  readonly noteCommit?: string;
  /** The path in the prompt, if the note has moved since. */
  readonly askedPath?: string;
}

export interface RunGateRepo {
  insertMany(run: RunId, pairs: readonly RunPairRow[]): Promise<void>;
  of(run: RunId): Promise<readonly RunPairRow[]>;
  /** Forgets the pairs of a run that has not started, so that it can be captured again. */
  clear(run: RunId): Promise<void>;
  /** Notes of the runs that have not been filed, in the versions they are about. */
  unfiledNotes(): Promise<readonly Pick<PairVersions, "notePath" | "noteBlob">[]>;
  /** Marks the pairs of a run as being paid for, until the run is filed or gives them up. */
  claim(run: RunId): Promise<void>;
  giveUp(run: RunId): Promise<void>;
  /** Whether a run of the sweep has given its pairs up and was not filed. */
  hasGivenUp(batch: string): Promise<boolean>;
  /** The run that has claimed the pair for a model. */
  claimedBy(pair: PairVersions, model: string): Promise<RunId | undefined>;
}

export interface FindingRow {
  readonly severity: FindingSeverity;
  readonly message: string;
  readonly quote?: string;
  readonly line?: number;
  readonly fingerprint: string;
  readonly survivesRewording: boolean;
}

export interface PairDecision extends PairVersions {
  readonly model: string;
  readonly decision: ReviewDecision;
}

export interface NewGateReview extends PairDecision {
  readonly review: string;
  readonly run: RunId;
  readonly summary?: string;
  /** What the reviewer wrote, to the character. */
  readonly text: string;
  readonly suggestedRevision?: string;
  readonly findings: readonly FindingRow[];
  readonly at: Instant;
}

export interface GateReviewRow extends NewGateReview {
  /** Order of writing. */
  readonly seq: number;
}

export interface GateReviewRepo {
  insert(review: NewGateReview): Promise<void>;
  ofRun(run: RunId): Promise<readonly GateReviewRow[]>;
  /** Oldest first. */
  ofNote(notePath: string): Promise<readonly GateReviewRow[]>;
  /** All decisions, oldest first, of the pairs that were ever left undecided. */
  ofUndecidedPairs(): Promise<readonly PairDecision[]>;
  /** The newest review of each pair and model, where it is a warning or a failure. */
  latestWork(): Promise<readonly GateReviewRow[]>;
  /** The newest review of each pair and model. */
  latest(): Promise<readonly GateReviewRow[]>;
  /** 0 when there is none; grows with every review. */
  lastSeq(): Promise<number>;
  /** Whether these versions have a review with a higher number by this model, or by one that answered in its place. */
  isReviewedAfter(
    seq: number,
    pair: PairVersions,
    by: Pick<NewReviewRun, "model" | "askedModel">,
  ): Promise<boolean>;
}

export interface NewAcceptance extends PairVersions {
  readonly model: string;
  readonly decision: Settled;
  readonly kind: AcceptanceKind;
  readonly format: string;
  /** The review behind it; an acknowledgement has none of its own. */
  readonly review?: string;
  readonly reason?: string;
  readonly by?: string;
  readonly at: Instant;
}

export interface AcceptanceRow extends NewAcceptance {
  readonly seq: number;
}

/** The part of an acceptance that classifying a pair needs: there may be half a million. */
export type CurrentAcceptance = Pick<
  AcceptanceRow,
  "notePath" | "gateId" | "model" | "noteBlob" | "gateBlob" | "decision" | "kind" | "format"
>;

/** Every acceptance of one note, as lists of one length: half a million objects cost more than reading them. */
export interface NoteAcceptances {
  readonly notePath: string;
  /**
   * By gate and model, oldest first. The same array as for the previous note where the values are equal, so results
   * computed from it can be reused.
   */
  readonly gates: readonly Omit<CurrentAcceptance, "notePath" | "noteBlob" | "decision">[];
  readonly noteBlobs: readonly string[];
  readonly decisions: readonly Settled[];
}

/** The same, with the moment of each acceptance. */
export interface DatedNoteAcceptances extends NoteAcceptances {
  readonly times: readonly string[];
}

export interface AcceptanceRepo {
  append(acceptance: NewAcceptance): Promise<void>;
  /** Visits all of them, note by note. Waits for the promise that a visit may return before it visits the next. */
  byNote(visit: (note: NoteAcceptances) => void | Promise<void>): Promise<void>;
  datedByNote(visit: (note: DatedNoteAcceptances) => void | Promise<void>): Promise<void>;
  currentOf(notePath: string): Promise<readonly AcceptanceRow[]>;
  /** Oldest first. */
  ofNote(notePath: string): Promise<readonly AcceptanceRow[]>;
  /** 0 when there is none; grows with every acceptance. */
  lastSeq(): Promise<number>;
}

export interface DismissalRow {
  readonly fingerprint: string;
  readonly notePath: string;
  readonly noteBlob: string;
  readonly gateId: string;
  readonly quote?: string;
  readonly reason: string;
  readonly by: string;
  readonly at: Instant;
}

export interface DismissalRepo {
  append(dismissal: DismissalRow): Promise<void>;
  /** Oldest first. */
  all(): Promise<readonly DismissalRow[]>;
}

export interface NotePathCounts {
  readonly runGates: number;
  readonly reviews: number;
  readonly acceptances: number;
  readonly dismissals: number;
}

export interface NoteMove {
  readonly oldPath: string;
  readonly newPath: string;
}

export interface NotePathRepo {
  count(notePath: string): Promise<NotePathCounts>;
  /** Records the move, and returns how many rows of each kind were renamed. */
  rekey(oldPath: string, newPath: string): Promise<NotePathCounts>;
  /** In their order; each is applied to what the ones before have made of a path. */
  movesAfter(seq: number): Promise<readonly NoteMove[]>;
  /** The moves that a run's prompt does not know. */
  movesSince(run: RunId): Promise<readonly NoteMove[]>;
  /** Number of the last move; 0 when there is none. */
  lastMove(): Promise<number>;
  /** Every path that has rows. */
  all(): Promise<readonly string[]>;
}

export interface BlobTextRepo {
  keep(blob: string, text: string): Promise<void>;
  find(blobs: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
