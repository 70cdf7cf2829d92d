import type { TextFormat } from "../drafting/candidate.ts";
import type { Digest } from "../values/digest.ts";
import type { Instant } from "../values/instant.ts";

/** Who chose the text of an asset: a person, or the loop that converged. */
export interface SelectionRecord {
  readonly assetId: string;
  /** Absent when a person picked a candidate that had been edited. */
  readonly candidateId?: string;
  readonly format: TextFormat;
  readonly madeBy: "person" | "loop";
  /** The person, or the id of the run. */
  readonly by: string;
  readonly at: Instant;
  readonly reason?: string;
  /** Of the canonical file. */
  readonly sha256: Digest;
}
