/** The public face of Signoff as a library. Everything listed here is documented and kept stable. */

import type { DraftSession } from "./domain/drafting/session.ts";
import type { EpisodeStatus } from "./domain/episodes/episode-status.ts";
import { requireNode } from "./domain/values/node-version.ts";
import type { NotesCheck } from "./orchestration/gates/check-notes.ts";
import type { ReviewReport } from "./orchestration/gates/review-notes.ts";
import type {
  EpisodeOptions,
  NotesOptions,
  PackOptions,
  ReviewNotesOptions,
  StageOptions,
} from "./wiring/features/job-options.ts";
import type { ReviewTextOptions, RunDraftOptions } from "./wiring/features/run-draft.ts";
import type { PackReport, StageReport } from "./wiring/features/run-jobs.ts";

export { type FileProblem, InvalidFile, type Parsed } from "./contract/documents/file-problem.ts";
export { parseNote } from "./contract/documents/parse-note.ts";
export { type ParsedRecipe, parseRecipe } from "./contract/drafting/recipe.ts";
export { type LockLine, parseLock, renderLock } from "./contract/gates/lock-file.ts";
export { sessionFromJson, sessionToJson } from "./contract/http/draft-session.ts";
export type {
  Candidate,
  CreatorReply,
  IssueAnswer,
  TextFormat,
} from "./domain/drafting/candidate.ts";
export { type CheckTools, runChecks } from "./domain/drafting/checks.ts";
export {
  type DecisionFacts,
  decideLoop,
  isLocked,
  isTerminal,
  type LoopDecision,
  type LoopOutcome,
  mergeDecision,
  shouldContinue,
} from "./domain/drafting/decision.ts";
export type { Material } from "./domain/drafting/draft-input.ts";
export type {
  CompletionReason,
  DraftOutcome,
  DraftRuling,
} from "./domain/drafting/draft-outcome.ts";
export type { DraftEvent } from "./domain/drafting/events.ts";
export type { IssueLedger, LedgerEntry } from "./domain/drafting/issue-ledger.ts";
export type { LoopIteration, LoopState } from "./domain/drafting/iteration.ts";
export type {
  CandidateTurn,
  IssuePlace,
  JudgedCandidate,
  MemberAnswer,
} from "./domain/drafting/judge-candidate.ts";
export {
  decidePanel,
  type PanelAnswer,
  type PanelDecision,
  type PanelRule,
  type PanelVote,
} from "./domain/drafting/panel.ts";
export type { ProvenanceRef } from "./domain/drafting/provenance.ts";
export type { Check, PanelMember, Recipe, RoleSettings } from "./domain/drafting/recipe.ts";
export type {
  RaisedIssue,
  Review,
  ReviewerReply,
  ReviewIssue,
  Severity,
  Verdict,
} from "./domain/drafting/review.ts";
export {
  averageDurationPerTurn,
  type DraftSession,
  durationSeconds,
  succeeded,
  type Turn,
  type UsageTotals,
} from "./domain/drafting/session.ts";
export { similarity } from "./domain/drafting/similarity.ts";
export type { StopReason, StopRule } from "./domain/drafting/stop-rules.ts";
export {
  currentLedger,
  type TurnInput,
  type TurnOutcome,
  takeTurn,
} from "./domain/drafting/take-turn.ts";
export { InvalidEpisode } from "./domain/episodes/invalid-episode.ts";
export type { Decider } from "./domain/evidence/standing.ts";
export type { ReviewDecision } from "./domain/gates/decision.ts";
export type { NoteParts, WatchedPart } from "./domain/gates/note-parts.ts";
export type {
  AcceptanceSnapshot,
  GateSnapshot,
  NoteSnapshot,
} from "./domain/gates/snapshots.ts";
export { classifyStaleness, type Staleness, type StaleReason } from "./domain/gates/staleness.ts";
export { isTrivialChange } from "./domain/gates/trivial-change.ts";
export {
  type CheckRules,
  DEFAULT_CHECK_RULES,
  type Matches,
} from "./domain/scenarios/check-rules.ts";
export type { CoderStatus } from "./domain/scenarios/coder-status.ts";
export {
  compareRuns,
  type RunComparison,
  type ScenarioDivergence,
  type StepChange,
} from "./domain/scenarios/divergence.ts";
export type { Finding, Invariant } from "./domain/scenarios/finding.ts";
export type {
  Criticality,
  Expectations,
  Pack,
  ProblemSeverity as FindingSeverity,
  Scenario,
  Step,
} from "./domain/scenarios/manifest.ts";
export {
  type PlaceholderProblem,
  type PlaceholderScope,
  type Resolved,
  resolveStep,
  resolveText,
} from "./domain/scenarios/placeholder.ts";
export type { PackRecord, ScenarioRecord, StepRecord } from "./domain/scenarios/run-record.ts";
export {
  decideSave,
  type ProvingRun,
  type SaveDecision,
  type SaveRequest,
} from "./domain/scenarios/save-gate.ts";
export {
  judgeStep,
  rollUp,
  type Status,
  type StepExecution,
  type StepJudgement,
} from "./domain/scenarios/step-status.ts";
export type { AssistantAnswer, TransportFailure } from "./domain/scenarios/turn.ts";
export type { AnalystVerdict, VerdictReading } from "./domain/scenarios/verdict.ts";
export {
  decideVerdictGate,
  type GateDecision,
  type GateRules,
  PACK_GATE,
} from "./domain/scenarios/verdict-gate.ts";
export {
  CLOSING_STATUSES,
  type ClosingGate,
  type ClosingStatus,
  decideClosingGate,
} from "./domain/stages/closing-gate.ts";
export {
  type ContinueOptions,
  type ContinueStep,
  decideContinue,
} from "./domain/stages/continue-stage.ts";
export {
  decideNextAction,
  NEXT_ACTIONS,
  type NextAction,
} from "./domain/stages/next-action.ts";
export {
  type RepairValidation,
  type StartedRepair,
  startedRepairs,
  type ValidationStatus,
  validationHistory,
} from "./domain/stages/repair-proof.ts";
export type { StageEvent, StageHistory } from "./domain/stages/stage-history.ts";
export type { Instant } from "./domain/values/instant.ts";
export type { Json } from "./domain/values/json.ts";
export { version } from "./domain/values/version.ts";
export {
  AgentError,
  ApprovalTimeoutError,
  AskFailed,
  ConfigurationError,
  LeaseLost,
  ModelNotFoundError,
  RunHeld,
  RunnerError,
  WorkflowError,
} from "./domain/values/workflow-error.ts";
export { WeakQuestions } from "./orchestration/scenarios/check-questions.ts";
export { StageBusy } from "./orchestration/stages/stage.ts";
export type { Budget } from "./ports/flow.ts";
export type { AskRequest, Attempted, Reply, Runner, Usage } from "./ports/runner.ts";
export type { ProjectStore } from "./ports/store.ts";
export { type Approval, type ApprovalContext, readApproval } from "./protocol/drafting/approval.ts";
export {
  type ReadCreatorReply,
  readCreatorReply,
  writeCreatorReply,
} from "./protocol/drafting/creator-reply.ts";
export {
  type ReadReviewerReply,
  readReviewerReply,
  writeReviewerReply,
} from "./protocol/drafting/reviewer-reply.ts";
export { extractDecision } from "./protocol/gates/extract-decision.ts";
export {
  type BundleOutput,
  parseBundleOutput,
  parseSweepOutput,
  type SweepOutput,
} from "./protocol/gates/parse-output.ts";
export type { ParsedGateReview } from "./protocol/gates/parse-review.ts";
export {
  type GateReviewTask,
  type ReviewFor,
  replyToTask as writeGateReviews,
} from "./protocol/gates/task.ts";
export type { WrittenReview } from "./protocol/gates/write-output.ts";
export type {
  EpisodeOptions,
  NotesOptions,
  PackOptions,
  ReviewNotesOptions,
  StageOptions,
} from "./wiring/features/job-options.ts";
export type { JobPlace } from "./wiring/features/job-place.ts";
export type { ReviewTextOptions, RunDraftOptions } from "./wiring/features/run-draft.ts";
export type { ModelChoice, ModelFunction, SdkModel } from "./wiring/models/own-models.ts";

export type { EpisodeStatus, NotesCheck, PackReport, ReviewReport, StageReport };

requireNode(process.versions.node);

/**
 * Runs one drafting loop to its end and returns the session, whatever the ending: look at `completionReason`. An
 * unfinished run of the same input goes on without asking anything twice. Throws `ConfigurationError` for a wrong
 * request; a model that cannot be reached is a session that ended in `error`.
 */
export async function runDraft(options: RunDraftOptions): Promise<DraftSession> {
  return (await engine()).runDraft(options);
}

/** Reviews a text once and writes nothing: `succeeded(session)` if the reviewers approve it as it is. */
export async function reviewText(options: ReviewTextOptions): Promise<DraftSession> {
  return (await engine()).reviewText(options);
}

/**
 * Like `runDraft`, for callers who want an approved text or an exception: `ApprovalTimeoutError` when the loop ended
 * without approval, `AgentError` when a model could not be asked, `WorkflowError` when the run was stopped.
 */
export async function runDraftUntilApproved(options: RunDraftOptions): Promise<DraftSession> {
  return (await engine()).runDraftUntilApproved(options);
}

/** Writes and reviews the texts of an episode until both sides sign, and returns the state of all of them. */
export async function reviewEpisode(options: EpisodeOptions = {}): Promise<EpisodeStatus> {
  return (await jobs()).reviewEpisode(options);
}

/** What `signoff.lock` and the rulings say about the notes as they are now; asks no model. */
export async function checkNotes(options: NotesOptions = {}): Promise<NotesCheck> {
  return (await jobs()).checkNotes(options);
}

/** Has every note that needs it reviewed by its gates, and writes `signoff.lock`. */
export async function reviewNotes(options: ReviewNotesOptions = {}): Promise<ReviewReport> {
  return (await jobs()).reviewNotes(options);
}

/** Asks an assistant the questions of a pack and judges every answer. */
export async function runPack(options: PackOptions): Promise<PackReport> {
  return (await jobs()).runPack(options);
}

/** The state of a stage: what is open, what is proven, what to do next. Makes no calls. */
export async function stageStatus(options: StageOptions): Promise<StageReport> {
  return (await jobs()).stageStatus(options);
}

/** Runs the loop of a stage until it is done or a person is needed, and returns the stage's state. */
export async function runStage(options: StageOptions): Promise<StageReport> {
  return (await jobs()).runStage(options);
}

function jobs() {
  return import("./wiring/features/run-jobs.ts");
}

/** Engine and store are loaded by the first run: callers who only read replies or decide do not wait for them. */
function engine() {
  return import("./wiring/features/run-draft.ts");
}
