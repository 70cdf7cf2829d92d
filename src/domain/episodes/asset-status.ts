import { isLocked, type LoopOutcome } from "../drafting/decision.ts";
import { unnamedReviewer } from "../drafting/panel.ts";
import type { RaisedIssue, Review, Verdict } from "../drafting/review.ts";
import { defined } from "../values/defined.ts";
import type { Freshness } from "./derived-files.ts";
import { deriveText, modelsIn, type TextEvidence, type TextStanding } from "./text-standing.ts";

/** What was found about one text. */
export interface TextSurvey {
  readonly evidence: TextEvidence;
  /** The loop must not change the selected text. */
  readonly isTextLocked: boolean;
  /** What was objected to in the last iteration, with the quoted words. */
  readonly issues: readonly RaisedIssue[];
  /** Whether its newest candidate still fits what it was written from; absent without one. */
  readonly draftFreshness?: Freshness;
  /** Its newest candidate was written from the beginning of the transcript alone. */
  readonly isWithoutSummary?: boolean;
}

export interface AssetStatus extends TextStanding {
  readonly assetId: string;
  readonly candidates: number;
  /** 0 before the first iteration. */
  readonly iteration: number;
  readonly maxIterations?: number;
  readonly verdict?: Verdict;
  /** Who gave the verdict: the label of the review, and the model where its provenance names one. */
  readonly reviewer?: { readonly label: string; readonly model?: string };
  readonly outcome: LoopOutcome | "not_started";
  readonly reason?: string;
  /** Of the latest iteration alone. */
  readonly blockingIssues: number;
  readonly outstandingIssues: readonly RaisedIssue[];
  readonly selection?: SelectionStatus;
  readonly isLocked: boolean;
  /** A person unlocked its decision: the next review continues. */
  readonly isReopened: boolean;
  readonly isStale: boolean;
  readonly isDraftStale: boolean;
  readonly isWithoutSummary: boolean;
  /** Its last text or verdict comes from a rule-based stand-in. */
  readonly standIn: boolean;
}

export interface SelectionStatus {
  readonly assetId: string;
  readonly path: string;
  readonly madeBy: "person" | "loop" | "unknown";
  readonly freshness: Freshness;
}

/** The state of one text with the facts that a person wants to see beside it. */
export function describeText(survey: TextSurvey): AssetStatus {
  const { evidence, isTextLocked, issues, draftFreshness, isWithoutSummary = false } = survey;
  const { assetId, candidates, protocol, selected, record, freshness } = evidence;
  const standing = deriveText(evidence);
  const last = protocol?.iterations.at(-1);
  const decision = protocol?.decision;
  const madeBy = record?.madeBy ?? (standing.state === "signed" ? "loop" : ("unknown" as const));
  return {
    ...standing,
    assetId,
    candidates,
    iteration: last?.iteration ?? 0,
    ...defined({
      maxIterations: protocol?.maxIterations,
      verdict: last?.review.verdict,
      reviewer: last && reviewerOf(last.review),
      reason: decision?.reason,
      selection: selected && { assetId, path: selected.path, madeBy, freshness },
    }),
    outcome: decision?.outcome ?? (protocol === undefined ? "not_started" : "in_progress"),
    blockingIssues: issues.filter((issue) => issue.severity === "error").length,
    outstandingIssues: issues,
    isLocked: isTextLocked,
    isReopened: decision !== undefined && !isLocked(decision),
    isStale: standing.state === "stale" || draftFreshness?.kind === "stale",
    standIn: standing.deciders.includes("stand_in"),
    isDraftStale: draftFreshness?.kind === "stale",
    isWithoutSummary,
  };
}

function reviewerOf({ reviewer, provenance }: Review): AssetStatus["reviewer"] {
  const label = reviewer ?? unnamedReviewer;
  const [model] = modelsIn(provenance);
  return model === undefined ? { label } : { label, model };
}

/** Of a text that has no file yet. */
export function unstartedText(assetId: string): AssetStatus {
  return describeText(emptyText(assetId));
}

export function emptyText(assetId: string): TextSurvey {
  const freshness = { kind: "unknown" } as const;
  const evidence = {
    assetId,
    candidates: 0,
    files: [],
    recorded: [],
    acts: [],
    isLetGo: false,
    freshness,
  };
  return { evidence, isTextLocked: false, issues: [] };
}
