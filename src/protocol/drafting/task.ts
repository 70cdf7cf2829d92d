import type { IssueAnswer, TextFormat } from "../../domain/drafting/candidate.ts";
import type { Material } from "../../domain/drafting/draft-input.ts";
import type { Check } from "../../domain/drafting/recipe.ts";
import type { RaisedIssue, ReviewIssue } from "../../domain/drafting/review.ts";

/** An open issue as both roles see it. */
export interface OpenIssue {
  readonly issue: ReviewIssue;
  readonly raisedIn: number;
  readonly answer?: IssueAnswer;
}

/** A reply that could not be read, and why; asks for the same thing once more. */
export interface RepairTask {
  readonly error: string;
  readonly text: string;
}

/** What came with an approval, quoted back to the reviewer who gave it. */
export interface SignatureQuestion {
  readonly beside: string;
}

interface DraftTask {
  readonly assetId: string;
  readonly recipe: string;
  readonly title: string;
  readonly format: TextFormat;
  readonly checks: readonly Check[];
  readonly maxCharacters: number;
  readonly brief: string;
  readonly context?: readonly Material[];
  readonly iteration: number;
  /** From 1; above 1 only with several candidates. */
  readonly candidateIndex: number;
  readonly seed?: number;
  readonly repair?: RepairTask;
}

/** All the facts a creator is given, as data. The prompt is rendered from this and nothing else. */
export interface CreatorTask extends DraftTask {
  readonly kind: "create";
  /** The recipe's instructions for the writer. */
  readonly instructions: string;
  readonly reply: "plain" | "structured";
  /** The text has no markdown, so emphasis around its words is no part of it. */
  readonly removesMarks?: true;
  readonly previousText?: string;
  /** The last review in words, absent on the first turn. */
  readonly feedback?: string;
  readonly openIssues: readonly OpenIssue[];
  /** The text must be exactly this. */
  readonly lockedText?: string;
  readonly notes?: string;
}

/** All the facts a reviewer is given, as data. */
export interface ReviewerTask extends DraftTask {
  readonly kind: "review";
  readonly reviewer: string;
  /** The recipe's criteria. */
  readonly instructions: string;
  readonly approval: "phrase" | "structured";
  readonly phrase: string;
  readonly text: string;
  /** What people and reviewers raised; checks are recomputed for this text. */
  readonly openIssues: readonly OpenIssue[];
  /** Passages of the text that were not in the previous candidate; absent on the first turn. */
  readonly changedPassages?: readonly string[];
  /** What the recipe's own checks found. */
  readonly checkIssues: readonly RaisedIssue[];
  /** Placed at the two ends of a long prompt; a reply that repeats both answers the whole prompt. */
  readonly markers?: readonly [string, string];
  /** Asks the reviewer to sign an approval that came with something else. */
  readonly question?: SignatureQuestion;
}
