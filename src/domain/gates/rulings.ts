import { isWorse } from "./counting-verdict.ts";
import type { Settled } from "./decision.ts";
import { type FindingSeverity, foldQuote } from "./findings.ts";
import { foldWhiteSpace } from "./note-parts.ts";
import type { PairDigests } from "./pair-digests.ts";

interface RulingBase {
  readonly notePath: string;
  readonly gateId: string;
  readonly noteBlob: string;
  readonly gateBlob: string;
  readonly by: string;
  readonly reason: string;
  readonly at: string;
  /** The last day on which it holds, as YYYY-MM-DD. */
  readonly expires?: string;
}

/** A finding that needs no work, whichever model finds it. */
export interface Dismissal extends RulingBase {
  readonly kind: "dismiss";
  /** Names the finding by its quoted words, or without a quote by its own. */
  readonly anchor: string;
  /** Digest of the paragraph it is about; without a quote, of the whole note. */
  readonly paragraph: string;
}

/** A verdict that a person puts in the place of a review's, or carries over to another version. */
export interface PairRuling extends RulingBase {
  readonly kind: "override" | "acknowledge";
  readonly modelId: string;
  readonly decision: Settled;
  readonly digests: PairDigests;
  /** Of an acknowledged review. */
  readonly findings: readonly FiledFinding[];
}

/** What a person decided about a finding or a verdict. */
export type Ruling = Dismissal | PairRuling;

/** A finding as lock and rulings name it. */
export interface FiledFinding {
  readonly severity: Exclude<FindingSeverity, "info">;
  readonly anchor: string;
}

export function isInForce({ expires }: Pick<Ruling, "expires">, now: string): boolean {
  return expires === undefined || now.slice(0, expires.length) <= expires;
}

export interface RuledVerdict {
  readonly decision: Settled;
  /** What the review itself says. */
  readonly filed: Settled;
  readonly dismissed: readonly Dismissal[];
  readonly override?: PairRuling;
}

/**
 * The verdict after people's rulings. An override decides. Otherwise the worst finding that is not dismissed does, if the
 * verdict had a finding as bad as itself; a verdict without one can only be overridden.
 */
export function ruleVerdict(
  filed: { readonly decision: Settled; readonly findings: readonly FiledFinding[] },
  override: PairRuling | undefined,
  dismissals: readonly Dismissal[],
): RuledVerdict {
  const { decision, findings } = filed;
  const ruled = (one: FiledFinding) => dismissals.find(({ anchor }) => anchor === one.anchor);
  const dismissed = findings.flatMap((one) => ruled(one) ?? []);
  if (override !== undefined)
    return { decision: override.decision, filed: decision, dismissed, override };
  const isExplained = findings.some((one) => !isWorse(decision, verdictOf(one)));
  if (!isExplained || dismissed.length === 0) return { decision, filed: decision, dismissed };
  const open = findings.filter((one) => ruled(one) === undefined).map(verdictOf);
  const worst = open.reduce<Settled>((one, other) => (isWorse(other, one) ? other : one), "pass");
  return { decision: worst, filed: decision, dismissed };
}

function verdictOf({ severity }: FiledFinding): Settled {
  return severity === "warn" ? "warn" : "fail";
}

type Digest = (text: string) => string;
const digestLength = 32;

/** The paragraph with the quoted words; the whole note if there is none. */
export function paragraphDigest(text: string, quote: string | undefined, digest: Digest): string {
  const words = quote === undefined ? "" : foldQuote(quote);
  const found =
    words === "" ? undefined : paragraphsOf(text).find((one) => foldQuote(one).includes(words));
  return digest(foldWhiteSpace(found ?? text)).slice(0, digestLength);
}

/** A dismissal holds while a paragraph of the note is the one it was made for. */
export function holdsIn(text: string, digest: Digest): (dismissal: Dismissal) => boolean {
  const present = new Set(
    [text, ...paragraphsOf(text)].map((one) => digest(foldWhiteSpace(one)).slice(0, digestLength)),
  );
  return ({ paragraph }) => present.has(paragraph);
}

function paragraphsOf(text: string): readonly string[] {
  return text.split(/\n[ \t\r]*\n/).filter((one) => one.trim() !== "");
}
