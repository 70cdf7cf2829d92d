import type { RaisedIssue } from "../../../domain/drafting/review.ts";
import { defined } from "../../../domain/values/defined.ts";

/** A concrete objection that the offline writers know how to answer. */
export interface Fault extends RaisedIssue {
  readonly code: string;
}

export function fault(code: string, message: string, quote?: string): Fault {
  return { severity: "error", code, message, field: "content", ...defined({ quote }) };
}
