/** How a reviewer's approval was signed. */
export interface Signature {
  /**
   * `bare`: the reply was nothing but the approval. `asked`: it came with other words, and a bare one followed when the
   * reviewer was asked to sign. `refused`: none followed, so nothing was signed.
   */
  readonly how: "bare" | "asked" | "refused";
  /** What came with the first approval. */
  readonly beside?: string;
}

/** A signature with the reviewer it belongs to. */
export interface MemberSignature extends Signature {
  readonly reviewer: string;
  readonly model?: string;
}

const words: { readonly [how in Signature["how"]]: string } = {
  bare: "signed with a bare approval",
  asked: "signed when asked",
  refused: "approved with other words and did not sign when asked",
};

export function describeSignature({ how }: Signature): string {
  return words[how];
}
