import {
  type Fingerprint,
  fingerprintFinding,
  lineOfQuote,
  type NoteFinding,
} from "../../domain/gates/findings.ts";
import type { Dismissal } from "../../domain/gates/rulings.ts";
import { defined } from "../../domain/values/defined.ts";
import type { FindingDetails } from "./finding-details.ts";
import type { NotesTools } from "./notes-tools.ts";
import { noteTextOf } from "./plan-work.ts";
import type { HoldingDismissals } from "./rulings.ts";

/** With the anchor by which the lock names it, where that is known. */
export type NamedFinding = NoteFinding & Partial<Pick<Fingerprint, "anchor">>;

type PlacedFinding = NoteFinding & Fingerprint & { readonly dismissal?: Dismissal };

export interface FindingParts {
  readonly tools: NotesTools;
  readonly dismissals: HoldingDismissals;
  readonly details: FindingDetails;
}

/** A finding as `check` and `warns` know it: the line where its words are now, and whether a person dismissed it. */
export function placeFinding(
  { tools, dismissals }: FindingParts,
  notePath: string,
  gateId: string,
  finding: NamedFinding,
): PlacedFinding {
  const print = fingerprintFinding({ gateId, notePath, finding }, tools.digest);
  const quoted = finding.quote && lineOfQuote(noteTextOf(tools, notePath), finding.quote);
  const anchor = finding.anchor ?? print.anchor;
  const dismissal = dismissals.of(notePath, gateId).find((one) => one.anchor === anchor);
  return { ...finding, ...print, anchor, ...defined({ line: quoted || finding.line, dismissal }) };
}
