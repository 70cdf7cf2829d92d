import type { Instant } from "../values/instant.ts";
import type { ProvenanceRef } from "./provenance.ts";

/** What a text is written in; its files are named by it. */
export const textFormats = ["markdown", "plain", "html"] as const;
export type TextFormat = (typeof textFormats)[number];

/** One draft of one asset. */
export interface Candidate {
  readonly candidateId: string;
  readonly assetId: string;
  readonly format: TextFormat;
  readonly content: string;
  readonly createdAt: Instant;
  readonly provenance: readonly ProvenanceRef[];
}

/** What a creator's reply says, whatever form it came in. */
export interface CreatorReply {
  readonly content: string;
  readonly done: boolean;
  readonly answers: readonly IssueAnswer[];
  /** Where the reply names one; else the recipe's. */
  readonly format?: TextFormat;
}

/** What the creator says about one open issue. */
export interface IssueAnswer {
  readonly issueId: string;
  readonly answer: "fixed" | "rebutted" | "deferred";
  readonly reason?: string;
}
