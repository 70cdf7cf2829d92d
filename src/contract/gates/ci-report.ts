import type { FailLevel } from "../../domain/gates/snapshots.ts";

/** One thing that `check` or `warns` has to say, as CI systems and editors show it. */
export interface CiFinding {
  readonly note: string;
  /** Empty where it is about a file and not about a pair. */
  readonly gate: string;
  readonly model: string;
  /** What is wrong: a reason of staleness, `failing`, `warning`, … */
  readonly rule: string;
  readonly level: "error" | "warning" | "note";
  readonly message: string;
  readonly line?: number;
  /** The words of the note it is about. */
  readonly quote?: string;
  /** The same in every run, however lines move, until it is resolved. */
  readonly fingerprint: string;
  /** What resolves it, with the command to type. */
  readonly mend?: string;
  /** Why it does not count: a person ruled so. */
  readonly suppressed?: string;
}

export interface CiGate {
  readonly id: string;
  readonly description?: string;
  /** What the gate asks, as markdown. */
  readonly body: string;
  readonly failLevel: FailLevel;
}

export interface CiPair {
  readonly note: string;
  readonly gate: string;
  readonly model: string;
}

export interface CiReport {
  readonly title: string;
  /** Of the project in its repository, with a slash: other programs know paths from the repository's top. */
  readonly folder: string;
  /** Every pair that was looked at, with or without a finding. */
  readonly pairs: readonly CiPair[];
  readonly gates: readonly CiGate[];
  readonly findings: readonly CiFinding[];
}

/** Where a finding belongs that is about no gate. */
export function ruleIdOf({ gate, rule }: Pick<CiFinding, "gate" | "rule">): string {
  return gate === "" || rule === "ruling" ? `signoff/${rule}` : gate;
}

export function isOpen({ suppressed }: Pick<CiFinding, "suppressed">): boolean {
  return suppressed === undefined;
}

/** The message, with the words it is about. */
export function withQuote({ message, quote }: Pick<CiFinding, "message" | "quote">): string {
  return quote === undefined ? message : `${message}\n> ${quote.replaceAll("\n", "\n> ")}`;
}

/** What a finding that is about no gate means. */
export const ruleDescriptions: { readonly [rule: string]: string } = {
  lock: "A line of the lock or of the rulings cannot be read",
  unreadable: "The file or folder could not be read, so it is not checked",
  "gate-removed": "A gate was removed",
  settings: "Settings that choose notes, gates or judges changed",
  moved: "A note was moved without its reviews",
  ruling: "A person ruled on a finding or a verdict",
};
