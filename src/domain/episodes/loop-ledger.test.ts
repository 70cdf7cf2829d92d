import { describe, expect, it } from "vitest";
import type { LoopIteration } from "../drafting/iteration.ts";
import type { PanelDecision } from "../drafting/panel.ts";
import type { Review, ReviewIssue } from "../drafting/review.ts";
import { digest } from "../values/digest.ts";
import { instant } from "../values/instant.ts";
import { emptyLedger, isUnlocked, ledgerOf, loopIterations, withIteration } from "./loop-ledger.ts";
import type { ProtocolState } from "./protocol-state.ts";

const at = instant("2026-11-15T12:00:00.000Z");
const [mine, other] = [digest("a".repeat(64)), digest("b".repeat(64))];

const issue = (issueId: string, more: Partial<ReviewIssue> = {}): ReviewIssue => ({
  ...{ issueId, severity: "error", message: "Too long.", reviewer: "editor", late: false },
  ...more,
});
const review = (iteration: number, more: Partial<Review> = {}): Review => ({
  ...{ iteration, verdict: "changes_requested", issues: [], createdAt: at, provenance: [] },
  ...more,
});
const turn = (iteration: number, more: Partial<LoopIteration> = {}): LoopIteration => ({
  iteration,
  creatorDone: false,
  candidate: {
    ...{ candidateId: `c${iteration}`, assetId: "title", format: "plain", content: "Bread" },
    ...{ createdAt: at, provenance: [] },
  },
  review: review(iteration),
  answers: [],
  panel: [],
  losers: [],
  ledger: [],
  ...more,
});

const late = issue("i2", { late: true, quote: "bread bread", reviewer: "checks" });
const vote: PanelDecision = {
  ...{ rule: "majority", verdict: "changes_requested", approved: ["b"], objected: ["a"] },
  ...{ calledPerson: [], absent: [] },
};
const second = turn(2, {
  review: review(2, { issues: [issue("i1"), late], score: 60 }),
  answers: [{ issueId: "i0", answer: "fixed" }],
  panel: [
    review(2, { reviewer: "a", issues: [late], score: 40 }),
    review(2, { verdict: "ok", reviewer: "b" }),
    review(2),
  ],
  vote,
  losers: [{ candidate: turn(2).candidate, review: review(2) }],
  ledger: [{ issue: late, raisedIn: 2, status: "open" }],
});

/** The loop as the files that both programs share hold it: no quotes, no labels, no score. */
const shared: ProtocolState = {
  assetId: "title",
  maxIterations: 5,
  iterations: [turn(1, { review: review(1, { issues: [issue("i0")] }) }), second].map((one) => ({
    iteration: one.iteration,
    creatorDone: one.creatorDone,
    candidate: one.candidate,
    review: review(one.iteration, {
      issues: one.review.issues.map(({ issueId }) => issue(issueId)),
    }),
  })),
};

describe("the ledger of a loop", () => {
  const ledger = ledgerOf({ assetId: "title", generation: 1, acts: [] }, [turn(1), second]);

  it("keeps of a turn what the shared files have no place for", () => {
    expect(ledger.iterations[1]).toEqual({
      iteration: 2,
      answers: [{ issueId: "i0", answer: "fixed" }],
      issues: [
        { issueId: "i1", reviewer: "editor", late: false },
        { issueId: "i2", reviewer: "checks", late: true, quote: "bread bread" },
      ],
      score: 60,
      panel: [
        { reviewer: "a", verdict: "changes_requested", score: 40, issueIds: ["i2"] },
        { reviewer: "b", verdict: "ok", issueIds: [] },
        { reviewer: "reviewer", verdict: "changes_requested", issueIds: [] },
      ],
      vote,
      loserIds: ["c2"],
    });
    expect(ledger.issues).toBe(second.ledger);
    expect(ledgerOf(ledger, []).issues).toEqual([]);
  });

  it("takes a turn that is recorded again in place of the first and of those after it", () => {
    const empty = emptyLedger("title", 3);
    expect(empty).toEqual({
      assetId: "title",
      generation: 3,
      iterations: [],
      issues: [],
      acts: [],
    });
    const both = withIteration(withIteration(empty, turn(1)), second);
    expect(both.iterations).toEqual(ledger.iterations);
    expect(withIteration(both, second)).toEqual(both);
    expect(withIteration(both, turn(1)).iterations).toEqual([both.iterations[0]]);
  });

  it("and the shared files together give the loop again, but for the texts of losers", () => {
    const [first, last] = loopIterations(shared, ledger);
    expect(last).toEqual({
      ...second,
      losers: [],
      panel: second.panel.map((one) => ({ ...one, reviewer: one.reviewer ?? "reviewer" })),
    });
    expect(first).toMatchObject({
      ...{ answers: [], panel: [], losers: [] },
      ledger: [{ issue: { issueId: "i0" }, raisedIn: 1, status: "open" }],
    });
  });

  it("may be missing: then all that the last review said is open", () => {
    const [, last] = loopIterations(shared, undefined);
    expect(last?.answers).toEqual([]);
    expect(last?.ledger.map(({ issue: { issueId }, status }) => [issueId, status])).toEqual([
      ["i1", "open"],
      ["i2", "open"],
    ]);
    expect(last).not.toHaveProperty("vote");
  });
});

describe("a text is unlocked", () => {
  const acts = (...kinds: readonly ("pick" | "adopt" | "unlock" | "restart")[]) => ({
    ...emptyLedger("title", 1),
    acts: kinds.map((kind) => ({ kind, by: "Ada", at, textSha256: mine })),
  });

  it("after a person lifted its lock, until a text is chosen", () => {
    expect(isUnlocked(acts("pick", "unlock"), mine)).toBe(true);
    expect(isUnlocked(acts("unlock", "restart"), mine)).toBe(true);
    expect(isUnlocked(acts("unlock", "pick"), mine)).toBe(false);
    expect(isUnlocked(acts("restart"), mine)).toBe(false);
    const later = instant("2026-11-15T12:00:00.001Z");
    expect(isUnlocked(acts("unlock"), mine, at)).toBe(true);
    expect(isUnlocked(acts("unlock"), mine, later)).toBe(false);
  });

  it("only if it is that very text", () => {
    expect(isUnlocked(acts("unlock"), other)).toBe(false);
    expect(isUnlocked(undefined, mine)).toBe(false);
  });
});
