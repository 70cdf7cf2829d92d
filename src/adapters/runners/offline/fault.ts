import type { RaisedIssue } from "../../../domain/drafting/review.ts";

/** A concrete objection that the offline writers know how to answer. */
export interface Fault extends RaisedIssue {
  readonly code: string;
}

export type Critic = (text: string) => readonly Fault[];

/** What one rule finds in a text; a rule is named by the code of its fault. */
export type FaultRule<Facts> = (text: string, facts: Facts) => Found | undefined;

interface Found {
  readonly message: string;
  readonly quote?: string;
}

export function criticOf<Facts>(
  rules: { readonly [code: string]: FaultRule<Facts> },
  facts: Facts,
): Critic {
  return (text) =>
    Object.entries(rules).flatMap(([code, rule]) => {
      const found = rule(text, facts);
      return found === undefined ? [] : [{ severity: "error", code, field: "content", ...found }];
    });
}

export function unless<Facts>(
  message: string | ((facts: Facts) => string),
  isFine: (text: string, facts: Facts) => boolean,
): FaultRule<Facts> {
  return (text, facts) => {
    if (isFine(text, facts)) return undefined;
    return { message: typeof message === "string" ? message : message(facts) };
  };
}

/** Objects to words that are in the text; `%` in the message is replaced by them. */
export function quotingRule<Facts>(
  message: string,
  find: (text: string, facts: Facts) => string | undefined,
): FaultRule<Facts> {
  return (text, facts) => {
    const quote = find(text, facts);
    return quote === undefined ? undefined : { message: message.replace("%", () => quote), quote };
  };
}
