/** Texts are the same when they differ at most in white space at the end. */
export function sameText(left: string, right: string): boolean {
  return left.trimEnd() === right.trimEnd();
}
