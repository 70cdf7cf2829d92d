import type { AcceptanceKind } from "./acceptance.ts";
import type { Settled } from "./decision.ts";
import type { PairDigests } from "./pair-digests.ts";

/** A verdict as it was filed for a pair: in the store, in the lock, or by a person's ruling. */
export interface FiledVerdict {
  readonly noteBlob: string;
  readonly gateBlob: string;
  /** Absent in rows and older lines; then the stored texts tell. */
  readonly digests?: PairDigests;
  readonly decision: Settled;
  readonly kind: AcceptanceKind;
}

/** The versions of a pair that a verdict has to fit. */
export interface PresentPair {
  readonly noteBlob: string;
  readonly gateBlob: string;
  /** `undefined` if the note's front matter cannot be read; asked for only when blobs differ. */
  readonly digests: () => Partial<PairDigests>;
  /** The same in the form of earlier versions of this program. */
  readonly formerDigests: () => Partial<PairDigests>;
}

/**
 * Whether a verdict is about the present versions: the same blobs, or the same digests of all that its review rested
 * on. `digestsThen` finds the digests of a verdict that does not state them.
 */
export function fitsPair(
  filed: FiledVerdict,
  present: PresentPair,
  digestsThen: (filed: FiledVerdict) => Partial<PairDigests>,
): boolean {
  const isSame = (part: keyof PairDigests, then: string, now: string): boolean => {
    if (then === now) return true;
    const known = filed.digests?.[part] ?? digestsThen(filed)[part];
    if (known === undefined) return false;
    return known === present.digests()[part] || known === present.formerDigests()[part];
  };
  return (
    isSame("gate", filed.gateBlob, present.gateBlob) &&
    isSame("note", filed.noteBlob, present.noteBlob)
  );
}

/**
 * Which of the fitting verdicts counts: a person's acknowledgement or a panel's vote before single verdicts, then the
 * worst, so that asking again never improves a verdict. Of equal ones the first.
 */
export function countingVerdict<T extends Pick<FiledVerdict, "decision" | "kind">>(
  fitting: readonly T[],
): T | undefined {
  const weighty = fitting.filter(outranks);
  const [first, ...others] = weighty.length > 0 ? weighty : fitting;
  return others.reduce(
    (worst, one) => (worst !== undefined && isWorse(one.decision, worst.decision) ? one : worst),
    first,
  );
}

export function outranks({ kind }: Pick<FiledVerdict, "kind">): boolean {
  return kind === "manual-ack" || kind === "vote";
}

const ranks: { readonly [decision in Settled]: number } = { pass: 0, warn: 1, fail: 2 };

export function isWorse(one: Settled, other: Settled): boolean {
  return ranks[one] > ranks[other];
}

/**
 * What a compacted lock keeps of a pair: the verdict that counts now and, of other versions, everything that does not
 * simply pass. Without those a version that comes back could be reviewed again and pass.
 */
export function compactVerdicts<T extends Pick<FiledVerdict, "decision" | "kind">>(
  fitting: readonly T[],
  others: readonly T[],
): readonly T[] {
  const counting = countingVerdict(fitting);
  if (counting === undefined) return others;
  return [counting, ...others.filter(({ decision }) => decision !== "pass")];
}

/**
 * The verdicts a lock needs in addition to those it has: one that counts among all fitting ones and that no present
 * fitting line already says. Nothing present is replaced.
 */
export function missingVerdict<T extends Pick<FiledVerdict, "decision" | "kind">>(
  present: readonly T[],
  known: readonly T[],
): T | undefined {
  const [has, wants] = [countingVerdict(present), countingVerdict([...present, ...known])];
  if (wants === undefined || wants === has) return undefined;
  const isSaid = has?.decision === wants.decision && outranks(has) === outranks(wants);
  return isSaid ? undefined : wants;
}
