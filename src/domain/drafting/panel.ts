import { checksReviewer, personReviewer } from "./issue-ledger.ts";
import type { Verdict } from "./review.ts";

/** How many of a panel must approve: every member, more than half of all members, or one of them. */
export const panelRules = ["all", "majority", "any"] as const;
export type PanelRule = (typeof panelRules)[number];

/** What a member makes of a text. `absent`: its call failed. An answer that cannot be read objects. */
export type PanelAnswer = "approves" | "objects" | "needs_human" | "absent";

export interface PanelVote {
  readonly member: string;
  readonly answer: PanelAnswer;
  /** The member has an open issue of severity error, stated as one and not in prose. */
  readonly statesError: boolean;
}

/** What a panel decided, by which rule, and who answered what. */
export interface PanelDecision {
  readonly rule: PanelRule;
  readonly verdict: Verdict;
  readonly approved: readonly string[];
  readonly objected: readonly string[];
  readonly calledPerson: readonly string[];
  readonly absent: readonly string[];
}

/** Label of the review that combines several members'. */
export const panelReviewer = "panel";

/** Label of the issues of a single reviewer that was given no name. */
export const unnamedReviewer = "reviewer";

const reserved: readonly string[] = [checksReviewer, personReviewer, panelReviewer];

/** Why no member of a panel can have this name. Some names mean something else in reviews and files. */
export function labelProblem(label: string): string | undefined {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u.test(label)) {
    return "must be a name of letters, digits, dots, dashes and underscores";
  }
  return reserved.includes(label.toLowerCase())
    ? "is a name that reviews use for themselves"
    : undefined;
}

/**
 * One verdict out of many. A member that calls for a person is never outvoted. A tie is not a majority, and an absent member
 * counts as one that did not approve.
 */
export function decidePanel(votes: readonly PanelVote[], rule: PanelRule): PanelDecision {
  const whoSaid = (answer: PanelAnswer) =>
    votes.filter((vote) => vote.answer === answer).map(({ member }) => member);
  const calledPerson = whoSaid("needs_human");
  const passes = carries(votes, rule) ? "ok" : "changes_requested";
  return {
    rule,
    verdict: calledPerson.length > 0 ? "needs_human" : passes,
    approved: whoSaid("approves"),
    objected: whoSaid("objects"),
    calledPerson,
    absent: whoSaid("absent"),
  };
}

function carries(votes: readonly PanelVote[], rule: PanelRule): boolean {
  const approving = votes.filter(({ answer }) => answer === "approves").length;
  switch (rule) {
    case "all":
      return approving > 0 && approving === votes.length;
    case "majority":
      return approving * 2 > votes.length;
    case "any":
      return approving > 0 && !votes.some(({ statesError }) => statesError);
  }
}

/** The rule, and who answered what, in one line. */
export function describeVote(vote: PanelDecision): string {
  const answers = [
    ["approved", vote.approved],
    ["objected", vote.objected],
    ["called for a person", vote.calledPerson],
    ["absent", vote.absent],
  ] as const;
  const said = answers.flatMap(([answer, who]) =>
    who.length === 0 ? [] : [`${answer}: ${who.join(", ")}`],
  );
  return `rule ${vote.rule}; ${said.join("; ")}`;
}
