/** A pair as the original program left it: what was accepted, and the review behind it where there is one. */
export interface OriginalPair {
  readonly notePath: string;
  /** A gate id, or the path of its file in later versions. */
  readonly gate: string;
  readonly model: string;
  readonly noteBlob: string;
  readonly gateBlob: string;
  readonly decision: string;
  readonly text: string;
  readonly at: string;
  /** The accepted texts, where the store has them and git may not. */
  readonly texts?: { readonly note: string; readonly gate: string };
}
