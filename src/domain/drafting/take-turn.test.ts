import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  candidateOf,
  issueOf,
  morning,
  replyOf,
  reviewOf,
  stateOf,
  turnOf,
} from "../../../tests/support/drafting-story.ts";
import { defined } from "../values/defined.ts";
import { instant } from "../values/instant.ts";
import { decideState } from "./decision.ts";
import { blockingIssues, openIssues, raiseIssues } from "./issue-ledger.ts";
import type { LoopState } from "./iteration.ts";
import type { CandidateTurn, IssuePlace, MemberAnswer } from "./judge-candidate.ts";
import type { RaisedIssue, ReviewerReply } from "./review.ts";
import { currentLedger, type TurnInput, takeTurn } from "./take-turn.ts";

const vague: RaisedIssue = { severity: "error", message: "Vague.", code: "clarity" };

function issueId(place: IssuePlace): string {
  return `${place.iteration}/${place.candidateIndex}/${place.reviewer}/${place.ordinal}`;
}

function member(label: string | undefined, reply: Partial<ReviewerReply>): MemberAnswer {
  return {
    kind: "replied",
    ...defined({ label }),
    reply: replyOf(reply),
    createdAt: morning,
    provenance: [{ kind: "run", ref: `reply of ${label ?? "the reviewer"}`, metadata: {} }],
  };
}

function draft(content: string, about: Partial<CandidateTurn> = {}): CandidateTurn {
  return {
    index: 1,
    candidate: candidateOf(content),
    done: true,
    answers: [],
    checks: [],
    members: [member("ada", { verdict: "ok" })],
    ...about,
  };
}

function turnAfter(state: LoopState, about: Partial<TurnInput> = {}) {
  return takeTurn({
    state,
    ledger: currentLedger(state),
    candidates: [draft("Save Our Seas")],
    rule: "all",
    issueId,
    ...about,
  });
}

function taken(state: LoopState, about: Partial<TurnInput> = {}) {
  const outcome = turnAfter(state, about);
  if (outcome.kind !== "taken") throw new Error(`the turn ended as ${outcome.kind}`);
  return outcome;
}

describe("takeTurn with one reviewer", () => {
  it("records the candidate with the reviewer's own words, label and instant", () => {
    const { iteration, state } = taken(stateOf([]), {
      candidates: [
        draft("Hydrate Green", {
          members: [member("ada", { issues: [vague], summary: "Be specific.", score: 6 })],
        }),
      ],
    });
    expect(iteration).toMatchObject({
      iteration: 1,
      creatorDone: true,
      candidate: { content: "Hydrate Green" },
      review: {
        iteration: 1,
        verdict: "changes_requested",
        reviewer: "ada",
        summary: "Be specific.",
        score: 6,
        createdAt: morning,
        issues: [{ ...vague, issueId: "1/1/ada/0", reviewer: "ada", late: false }],
        provenance: [{ kind: "run", ref: "reply of ada" }],
      },
      panel: [],
      losers: [],
    });
    expect(state.iterations).toEqual([iteration]);
  });

  it("leaves the label out when the reviewer has no name", () => {
    const { iteration } = taken(stateOf([]), {
      candidates: [draft("Drink", { members: [member(undefined, { issues: [vague] })] })],
    });
    expect(iteration.review).not.toHaveProperty("reviewer");
    expect(iteration.review.issues[0]?.reviewer).toBe("reviewer");
  });

  it("carries an open issue with its id and the creator's answer until it is closed", () => {
    const first = taken(stateOf([]), {
      candidates: [draft("Drink", { members: [member("ada", { issues: [vague] })] })],
    });
    const second = taken(first.state, {
      candidates: [
        draft("Live", {
          answers: [{ issueId: "1/1/ada/0", answer: "fixed" }],
          members: [member("ada", {})],
        }),
      ],
    });
    expect(second.iteration.review.issues.map((issue) => issue.issueId)).toEqual(["1/1/ada/0"]);
    expect(second.iteration.ledger[0]?.answer).toMatchObject({ answer: "fixed", iteration: 2 });
    const third = taken(second.state);
    expect(third.iteration.review).toMatchObject({ verdict: "ok", issues: [] });
    expect(third.iteration.ledger[0]).toMatchObject({ status: "closed", closedIn: 3 });
  });

  it("takes back an ok beside a new error, a kept one, or one of the checks", () => {
    const withError = member("ada", { verdict: "ok", issues: [vague] });
    const first = taken(stateOf([]), { candidates: [draft("Drink", { members: [withError] })] });
    expect(first.iteration.review.verdict).toBe("changes_requested");
    const keeping = member("ada", { verdict: "ok", kept: ["1/1/ada/0"] });
    const second = taken(first.state, { candidates: [draft("Live", { members: [keeping] })] });
    expect(second.iteration.review.verdict).toBe("changes_requested");
    const checked = taken(stateOf([]), { candidates: [draft("Drink", { checks: [vague] })] });
    expect(checked.iteration.review).toMatchObject({
      verdict: "changes_requested",
      issues: [{ reviewer: "checks", issueId: "1/1/checks/0" }],
    });
  });

  it("derives the checks' issues anew each turn", () => {
    const first = taken(stateOf([]), { candidates: [draft("Drink", { checks: [vague] })] });
    const second = taken(first.state, { candidates: [draft("Live", { checks: [vague] })] });
    expect(openIssues(second.iteration.ledger).map((entry) => entry.issue.issueId)).toEqual([
      "2/1/checks/0",
    ]);
    expect(taken(second.state).iteration.review.verdict).toBe("ok");
  });

  it("objects to a text that differs from the locked one", () => {
    const lockedText = "Hydrate Green";
    expect(taken(stateOf([]), { lockedText }).iteration.review).toMatchObject({
      verdict: "changes_requested",
      issues: [{ code: "locked_selection", field: "content", reviewer: "checks" }],
    });
    const same = taken(stateOf([]), { lockedText, candidates: [draft("Hydrate Green\n")] });
    expect(same.iteration.review.verdict).toBe("ok");
  });

  it("marks a new error on unchanged text as late, but not for a reviewer who is new", () => {
    const before = stateOf([turnOf(1, "Drink Green. Live.", { review: reviewOf() })]);
    const nit: RaisedIssue = { ...vague, quote: "Drink Green." };
    const lateness = (label: string) =>
      taken(before, {
        candidates: [draft("Drink Green. Laugh.", { members: [member(label, { issues: [nit] })] })],
      }).iteration.review.issues[0]?.late;
    expect(lateness("ada")).toBe(true);
    expect(lateness("bo")).toBe(false);
  });

  it("hears a person's objection until the reviewer settles it", () => {
    const legal = issueOf({ issueId: "legal", reviewer: "person" });
    const ledger = raiseIssues([], [legal], 1);
    const keeping = draft("Drink", {
      members: [member("ada", { verdict: "ok", kept: ["legal"] })],
    });
    const kept = taken(stateOf([]), { ledger, candidates: [keeping] });
    expect(kept.iteration.review).toMatchObject({
      verdict: "changes_requested",
      issues: [{ issueId: "legal" }],
    });
    expect(taken(kept.state).iteration.review.verdict).toBe("ok");
  });
});

describe("takeTurn with a panel", () => {
  const noon = instant("2026-03-02T12:00:00.000Z");
  const objecting = member("bo", { issues: [vague], summary: "Vague.", score: 4 });
  const approving = member("ada", { verdict: "ok", summary: "Lovely.", score: 8 });

  it("combines the members and keeps each review of its own", () => {
    const { iteration } = taken(stateOf([]), {
      candidates: [
        draft("Drink", { members: [approving, { ...objecting, createdAt: noon } as MemberAnswer] }),
      ],
    });
    expect(iteration.review).toMatchObject({
      reviewer: "panel",
      verdict: "changes_requested",
      createdAt: noon,
      score: 6,
      summary: "ada: Lovely.\nbo: Vague.",
      issues: [{ severity: "error", reviewer: "bo" }],
    });
    expect(iteration.review.provenance.map((entry) => entry.ref)).toEqual([
      "reply of ada",
      "reply of bo",
      "iteration_01.ada",
      "iteration_01.bo",
    ]);
    expect(iteration.panel.map((review) => [review.reviewer, review.verdict])).toEqual([
      ["ada", "ok"],
      ["bo", "changes_requested"],
    ]);
  });

  it("shows the errors of the outvoted as warnings beside the ok, and keeps them open", () => {
    const { iteration, judged } = taken(stateOf([]), {
      rule: "majority",
      candidates: [
        draft("Drink", { members: [approving, objecting, member("cy", { verdict: "ok" })] }),
      ],
    });
    expect(iteration.review).toMatchObject({
      verdict: "ok",
      issues: [{ severity: "warning", reviewer: "bo" }],
    });
    expect(judged[0]?.vote).toMatchObject({ approved: ["ada", "cy"], objected: ["bo"] });
    expect(iteration.panel[1]?.issues[0]?.severity).toBe("error");
    expect(openIssues(iteration.ledger)).toMatchObject([{ overruledIn: 1 }]);
    expect(blockingIssues(iteration.ledger)).toEqual([]);
  });

  it("passes over no member when checks fail after a vote in favour", () => {
    const { iteration } = taken(stateOf([]), {
      rule: "any",
      candidates: [draft("Drink", { members: [approving, objecting], checks: [vague] })],
    });
    expect(iteration.review.verdict).toBe("changes_requested");
    expect(iteration.review.issues.map((issue) => issue.severity)).toEqual(["error", "error"]);
  });

  it("counts a member's guarded verdict, not its claim", () => {
    const contradictory = member("bo", { verdict: "ok", issues: [vague] });
    const { iteration } = taken(stateOf([]), {
      rule: "majority",
      candidates: [draft("Drink", { members: [approving, contradictory] })],
    });
    expect(iteration.review.verdict).toBe("changes_requested");
  });

  it("names a member that failed, and counts it by the rule", () => {
    const members: readonly MemberAnswer[] = [approving, { kind: "failed", label: "bo" }];
    const verdicts = (["all", "majority", "any"] as const).map((rule) => {
      const { iteration } = taken(stateOf([]), { rule, candidates: [draft("Drink", { members })] });
      expect(iteration.review.summary).toBe("ada: Lovely.\nbo: gave no review.");
      return iteration.review.verdict;
    });
    expect(verdicts).toEqual(["changes_requested", "changes_requested", "ok"]);
  });
});

describe("takeTurn with several candidates", () => {
  it("lets the best go on with its own ledger and keeps the others", () => {
    const { iteration, judged } = taken(stateOf([]), {
      candidates: [
        draft("Drink", { index: 1, members: [member("ada", { issues: [vague] })] }),
        draft("Save Our Seas", { index: 2, done: false }),
      ],
    });
    expect(iteration).toMatchObject({
      candidate: { content: "Save Our Seas" },
      creatorDone: false,
      review: { verdict: "ok" },
      losers: [{ candidate: { content: "Drink" }, review: { verdict: "changes_requested" } }],
      ledger: [],
    });
    expect(iteration.review.provenance.at(-1)).toMatchObject({
      kind: "candidate",
      ref: "candidate of Drink",
    });
    expect(judged.map((each) => each.index)).toEqual([1, 2]);
  });

  it("drops a candidate that no member could review", () => {
    const { iteration } = taken(stateOf([]), {
      candidates: [
        draft("Drink", { index: 1, members: [{ kind: "failed", label: "ada" }] }),
        draft("Live", { index: 2, members: [member("ada", { issues: [vague] })] }),
      ],
    });
    expect(iteration.candidate.content).toBe("Live");
  });
});

describe("takeTurn without a turn", () => {
  it("fails when there is no candidate, or no review of any", () => {
    expect(turnAfter(stateOf([]), { candidates: [] })).toEqual({
      kind: "failed",
      reason: "no_candidate",
    });
    const unread = draft("Drink", { members: [{ kind: "failed" }] });
    expect(turnAfter(stateOf([]), { candidates: [unread] })).toEqual({
      kind: "failed",
      reason: "no_review",
    });
  });

  it("does nothing after a locked decision or beyond the limit", () => {
    const decision = { outcome: "needs_human", lockedFields: ["outcome"] } as const;
    expect(turnAfter(stateOf([]), { decision })).toEqual({ kind: "ended" });
    const full = stateOf([turnOf(1, "Drink")], { maxIterations: 1 });
    expect(turnAfter(full)).toEqual({ kind: "ended" });
  });
});

describe("a loop that is interrupted", () => {
  const anyReply = fc.record({
    verdict: fc.constantFrom("ok" as const, "changes_requested" as const, "needs_human" as const),
    issues: fc.subarray([vague, { severity: "warning" as const, message: "No comma." }]),
    kept: fc.subarray(["1/1/ada/0", "2/1/bo/0"]),
    closed: fc.subarray(["1/1/ada/0", "1/1/bo/1", "2/1/ada/0"]),
  });
  const anyTurn = fc
    .record({
      text: fc.constantFrom("Drink Green", "Live Clean", "Save Our Seas"),
      done: fc.boolean(),
      ada: anyReply,
      bo: anyReply,
    })
    .map(({ text, done, ada, bo }) =>
      draft(text, { done, members: [member("ada", ada), member("bo", bo)] }),
    );

  function run(from: LoopState, turns: readonly CandidateTurn[]): LoopState {
    let state = from;
    for (const turn of turns) {
      const decision = decideState(state, ["early_stop", "oscillation", "late_issues"]);
      const outcome = turnAfter(state, {
        rule: "majority",
        candidates: [turn],
        ...defined({ decision }),
      });
      if (outcome.kind === "taken") state = outcome.state;
    }
    return state;
  }

  it("ends the same when it goes on from what was stored as when it runs through", () => {
    fc.assert(
      fc.property(fc.array(anyTurn, { maxLength: 6 }), fc.nat({ max: 6 }), (turns, at) => {
        const through = run(stateOf([]), turns);
        const stored: LoopState = JSON.parse(JSON.stringify(run(stateOf([]), turns.slice(0, at))));
        expect(run(stored, turns.slice(at))).toEqual(through);
      }),
    );
  });
});
