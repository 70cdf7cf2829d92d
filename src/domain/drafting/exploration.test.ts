import { describe, expect, it } from "vitest";
import { candidateOf, morning, replyOf } from "../../../tests/support/drafting-story.ts";
import { defined } from "../values/defined.ts";
import { decideState, isLocked, type LoopDecision, mergeDecision } from "./decision.ts";
import { completionReasonOf } from "./draft-outcome.ts";
import { blockingIssues, openIssues } from "./issue-ledger.ts";
import type { LoopState } from "./iteration.ts";
import type { CandidateTurn, MemberAnswer } from "./judge-candidate.ts";
import { decidePanel, type PanelRule, type PanelVote } from "./panel.ts";
import { planResume } from "./resume-loop.ts";
import type { RaisedIssue, Verdict } from "./review.ts";
import { currentLedger, takeTurn } from "./take-turn.ts";

/** Every loop of two reviewers with one possible error each, a check, and three iterations. */
const rules: readonly PanelRule[] = ["all", "majority", "any"];
const reviewers = ["ada", "bo"] as const;
const maxIterations = 3;

type Reviewer = (typeof reviewers)[number];

/** What a reviewer does about its one issue: nothing, raise it (again), close it. It tries to close the other's too. */
type Act = "silent" | "raise" | "keep" | "close";

interface MemberMove {
  readonly vote: Verdict | "failed";
  readonly act: Act;
}

interface Move {
  readonly done: boolean;
  readonly checkFails: boolean;
  readonly ada: MemberMove;
  readonly bo: MemberMove;
}

interface Place {
  readonly rule: PanelRule;
  readonly state: LoopState;
  readonly decision?: LoopDecision;
}

const memberMoves: readonly MemberMove[] = [
  ...(["ok", "changes_requested", "needs_human"] as const).flatMap((vote) =>
    (["silent", "raise", "keep", "close"] as const).map((act) => ({ vote, act })),
  ),
  { vote: "failed", act: "silent" },
];

const moves: readonly Move[] = [true, false].flatMap((done) =>
  [true, false].flatMap((checkFails) =>
    memberMoves.flatMap((ada) => memberMoves.map((bo) => ({ done, checkFails, ada, bo }))),
  ),
);

const check: RaisedIssue = { severity: "error", message: "Too long.", code: "max_length" };

function objectionOf(reviewer: Reviewer): RaisedIssue {
  return { severity: "error", message: `${reviewer} is not convinced.` };
}

function answerOf(reviewer: Reviewer, move: MemberMove, state: LoopState): MemberAnswer {
  if (move.vote === "failed") return { kind: "failed", label: reviewer };
  const open = openIssues(currentLedger(state));
  const own = open.filter((entry) => entry.issue.reviewer === reviewer);
  return {
    kind: "replied",
    label: reviewer,
    createdAt: morning,
    provenance: [],
    reply: replyOf({
      verdict: move.vote,
      issues: move.act === "raise" ? [objectionOf(reviewer)] : [],
      kept: move.act === "keep" ? own.map((entry) => entry.issue.issueId) : [],
      closed: move.act === "close" ? open.map((entry) => entry.issue.issueId) : [],
    }),
  };
}

function turnOf(move: Move, state: LoopState): CandidateTurn {
  return {
    index: 1,
    candidate: candidateOf(`Draft ${state.iterations.length + 1}`),
    done: move.done,
    answers: [],
    checks: move.checkFails ? [check] : [],
    members: reviewers.map((reviewer) => answerOf(reviewer, move[reviewer], state)),
  };
}

function play({ rule, state, decision }: Place, move: Move) {
  return takeTurn({
    state,
    ...defined({ decision }),
    ledger: currentLedger(state),
    candidates: [turnOf(move, state)],
    rule,
    issueId: ({ iteration, ordinal }) => `${iteration}/${ordinal}`,
  });
}

/** All that the future can depend on, and all that was decided. */
function signatureOf({ rule, state, decision }: Place): string {
  const last = state.iterations.at(-1);
  const open = openIssues(currentLedger(state)).map(
    ({ issue, overruledIn }) => `${issue.reviewer} ${overruledIn !== undefined}`,
  );
  return JSON.stringify([
    rule,
    state.iterations.length,
    open.toSorted(),
    last?.review.verdict,
    last?.creatorDone,
    decision?.outcome,
    decision?.reason,
  ]);
}

/** The rule written a second time, without ledger or guard: which of the two errors stand after the move. */
function standsAfter(reviewer: Reviewer, move: MemberMove, before: LoopState): boolean {
  const stood = openIssues(currentLedger(before), reviewer).length > 0;
  if (move.vote === "failed") return stood;
  if (move.act === "raise") return true;
  if (move.act === "keep") return stood;
  return stood && move.act === "silent" && move.vote !== "ok";
}

function shouldApprove(rule: PanelRule, move: Move, before: LoopState): boolean {
  const answers = {
    changes_requested: "objects",
    needs_human: "needs_human",
    failed: "absent",
  } as const;
  const votes = reviewers.map((member): PanelVote => {
    const { vote } = move[member];
    const statesError = standsAfter(member, move[member], before);
    const approves = statesError ? "objects" : "approves";
    return { member, statesError, answer: vote === "ok" ? approves : answers[vote] };
  });
  return !move.checkFails && decidePanel(votes, rule).verdict === "ok";
}

/** The promises of one turn, by name; the answer is those that were broken. */
function brokenPromises(before: Place, move: Move, after: Place): readonly string[] {
  const last = after.state.iterations.at(-1)!;
  const { review, ledger } = last;
  const errors = review.issues.filter((issue) => issue.severity === "error");
  const open = openIssues(ledger);
  const isConverged = after.decision?.outcome === "converged";
  const isSigned = review.verdict === "ok" && last.creatorDone;
  const promises: Readonly<Record<string, boolean>> = {
    "selected only with both signatures": isConverged === isSigned,
    "an ok has no error beside it": review.verdict !== "ok" || errors.length === 0,
    "an ok leaves no error open": review.verdict !== "ok" || blockingIssues(ledger).length === 0,
    "errors shown are errors that block": errors.length === blockingIssues(ledger).length,
    "the review shows what is open":
      review.issues.map((issue) => issue.issueId).join() ===
      open.map((entry) => entry.issue.issueId).join(),
    "the verdict follows the rule":
      (review.verdict === "ok") === shouldApprove(before.rule, move, before.state),
    "a call for a person is never outvoted":
      review.verdict !== "ok" || reviewers.every((name) => move[name].vote !== "needs_human"),
    "no member is passed over under all":
      before.rule !== "all" || open.every((entry) => entry.overruledIn === undefined),
    "no member's own review is ok beside an error": last.panel.every(
      (own) => own.verdict !== "ok" || own.issues.every((issue) => issue.severity !== "error"),
    ),
    "the limit ends the loop, unapproved":
      last.iteration < maxIterations ||
      isSigned ||
      (after.decision?.reason === "iteration_limit" &&
        completionReasonOf(after.decision) === "max_turns"),
    "before the limit only signatures end it":
      last.iteration === maxIterations || (after.decision !== undefined) === isSigned,
    "a decision is locked": after.decision === undefined || isLocked(after.decision),
  };
  return Object.keys(promises).filter((name) => !promises[name]);
}

/** Every turn that can be taken from a place; none from one that has ended. */
function turnsFrom(place: Place): readonly { readonly move: Move; readonly next: Place }[] {
  return moves.flatMap((move) => {
    const outcome = play(place, move);
    if (outcome.kind !== "taken") return [];
    const decision = decideState(outcome.state, []);
    const decided = decision === undefined ? {} : { decision };
    return [{ move, next: { rule: place.rule, state: outcome.state, ...decided } }];
  });
}

function explore() {
  const places: Place[] = rules.map((rule) => ({
    rule,
    state: { maxIterations, iterations: [] },
  }));
  const seen = new Set(places.map(signatureOf));
  const broken = new Set<string>();
  let turns = 0;
  for (const place of places) {
    for (const { move, next } of turnsFrom(place)) {
      turns += 1;
      for (const name of brokenPromises(place, move, next)) broken.add(name);
      const signature = signatureOf(next);
      if (!seen.has(signature)) places.push(next);
      seen.add(signature);
    }
  }
  return { places, broken: [...broken], turns };
}

const knownStates = 309;
const knownTurns = 135_072;

describe(`all ${knownStates} states and ${knownTurns} turns of 3 iterations, 2 reviewers, 2 issues`, () => {
  const { places, broken, turns } = explore();
  const ended = places.flatMap(({ decision, ...place }) =>
    decision === undefined ? [] : [{ ...place, decision }],
  );

  it("are really that many", () => {
    expect({ states: places.length, turns }).toEqual({ states: knownStates, turns: knownTurns });
  });

  it("keep every promise: nothing is selected without an ok that no open error contradicts", () => {
    expect(broken).toEqual([]);
  });

  it("reach approval and the limit under every rule, so the promises are not empty", () => {
    const endings = new Set(ended.map(({ rule, decision }) => `${rule} ${decision.reason}`));
    expect([...endings].toSorted()).toEqual(
      rules
        .flatMap((rule) => [`${rule} iteration_limit`, `${rule} reviewer_ok_and_creator_done`])
        .toSorted(),
    );
  });

  it("stay as they are once ended, whatever they are fed", () => {
    const everyDecision = new Map(
      ended.map(({ decision }) => [JSON.stringify(decision), decision]),
    );
    for (const place of ended) {
      expect(moves.every((move) => play(place, move).kind === "ended")).toBe(true);
      const resumed = planResume({ ...place, maxIterations: 9, stopRules: [] });
      expect(resumed).toEqual({ kind: "ended", decision: place.decision });
      for (const proposed of everyDecision.values()) {
        expect(mergeDecision(place.decision, proposed)).toEqual(place.decision);
      }
    }
  });
});
