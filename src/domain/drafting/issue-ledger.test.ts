import { describe, expect, it } from "vitest";
import { issueOf, replyOf } from "../../../tests/support/drafting-story.ts";
import {
  applyAnswers,
  blockingIssues,
  closeChecks,
  closeSettled,
  type IssueLedger,
  newlyRaised,
  openIssues,
  overrule,
  raiseIssues,
} from "./issue-ledger.ts";
import type { ReviewerReply } from "./review.ts";

const vague = issueOf({ issueId: "vague", reviewer: "ada" });
const dull = issueOf({ issueId: "dull", reviewer: "ada", message: "Dull." });
const risky = issueOf({ issueId: "risky", reviewer: "bo", message: "Risky claim." });
const tooLong = issueOf({ issueId: "long", reviewer: "checks", message: "Too long." });
const legal = issueOf({ issueId: "legal", reviewer: "person", message: "Ask legal." });
const ledger = raiseIssues([], [vague, dull, risky, tooLong, legal], 1);

function ids(entries: IssueLedger): readonly string[] {
  return entries.map((entry) => entry.issue.issueId);
}

function openAfter(replies: Readonly<Record<string, Partial<ReviewerReply>>>) {
  const heard = Object.entries(replies).map(([reviewer, reply]) => ({
    reviewer,
    reply: replyOf(reply),
  }));
  return ids(
    openIssues(closeSettled(ledger, { iteration: 2, replies: heard, panel: ["ada", "bo"] })),
  );
}

describe("applyAnswers", () => {
  it("notes the latest answer and leaves the rest unanswered", () => {
    const first = applyAnswers(ledger, [{ issueId: "vague", answer: "deferred" }], 2);
    const later = applyAnswers(
      first,
      [
        { issueId: "vague", answer: "rebutted", reason: "It is a slogan." },
        { issueId: "never raised", answer: "fixed" },
      ],
      3,
    );
    expect(later[0]?.answer).toEqual({
      issueId: "vague",
      answer: "rebutted",
      reason: "It is a slogan.",
      iteration: 3,
    });
    expect(later.slice(1)).toEqual(ledger.slice(1));
  });

  it("does not answer what is closed", () => {
    const done = closeChecks(ledger, 2);
    expect(applyAnswers(done, [{ issueId: "long", answer: "fixed" }], 3)).toEqual(done);
  });
});

describe("closeSettled", () => {
  it("closes all of a reviewer's issues on ok but those it keeps", () => {
    expect(openAfter({ ada: { verdict: "ok", kept: ["dull"] }, bo: {} })).toEqual([
      "dull",
      "risky",
      "long",
      "legal",
    ]);
  });

  it("leaves unmentioned issues open under any other verdict", () => {
    expect(openAfter({ ada: { closed: ["vague"] }, bo: { verdict: "needs_human" } })).toEqual([
      "dull",
      "risky",
      "long",
      "legal",
    ]);
  });

  it("lets no member close another's issue, not even that of one who gave no reply", () => {
    const closing = { verdict: "ok", closed: ["risky", "long", "never raised"] } as const;
    expect(openAfter({ ada: closing })).toEqual(["risky", "long"]);
  });

  it("keeps what is both kept and closed, and what is said again", () => {
    expect(openAfter({ ada: { kept: ["vague"], closed: ["vague", "dull"] } })).toContain("vague");
    expect(openAfter({ ada: { verdict: "ok", issues: [dull] } })).toContain("dull");
  });

  it("closes a person's issue when a member names it or all say ok, and none keeps it", () => {
    expect(openAfter({ ada: { verdict: "ok" }, bo: { verdict: "ok" } })).not.toContain("legal");
    expect(openAfter({ ada: { verdict: "ok" }, bo: {} })).toContain("legal");
    expect(openAfter({ ada: { closed: ["legal"] }, bo: {} })).not.toContain("legal");
    expect(openAfter({ ada: { verdict: "ok" }, bo: { kept: ["legal"] } })).toContain("legal");
    expect(openAfter({ ada: {}, bo: {} })).toContain("legal");
  });

  it("notes when an issue was closed, once", () => {
    const turn = { replies: [{ reviewer: "ada", reply: replyOf({ verdict: "ok" }) }], panel: [] };
    const second = closeSettled(ledger, { ...turn, iteration: 2 });
    expect(second[0]).toMatchObject({ status: "closed", closedIn: 2, raisedIn: 1 });
    expect(closeSettled(second, { ...turn, iteration: 3 })).toEqual(second);
  });

  it("lets a reviewer's newer plain words take the place of its older ones", () => {
    const words = issueOf({ issueId: "first words", code: "feedback", message: "Be specific." });
    const comment = { ...words, issueId: "comment", reviewer: "person" };
    const reported = closeSettled(raiseIssues([], [words, vague, comment], 1), {
      iteration: 2,
      panel: ["ada"],
      replies: [
        {
          reviewer: "ada",
          reply: replyOf({
            issues: [{ severity: "error", code: "feedback", message: "Still flat." }],
          }),
        },
      ],
    });
    expect(ids(openIssues(reported))).toEqual(["vague", "comment"]);
  });
});

describe("newlyRaised", () => {
  it("leaves out what is open already and what the reply says twice", () => {
    const fresh = { severity: "error" as const, message: "No verb." };
    const { issueId: _, reviewer: __, late: ___, ...again } = vague;
    const reply = replyOf({ issues: [again, fresh, { ...fresh }] });
    expect(newlyRaised(ledger, { reviewer: "ada", reply })).toEqual([fresh]);
    expect(newlyRaised(ledger, { reviewer: "bo", reply })).toEqual([again, fresh]);
  });

  it("tells objections in the same words apart by what they are about, not by blanks around them", () => {
    const said = { severity: "error", message: "No verb.", quote: "Live Clean" } as const;
    const others = [
      { ...said, severity: "warning" as const },
      { ...said, quote: "Live" },
      { ...said, field: "content" },
      { ...said, code: "grammar" },
    ];
    const issues = [said, { ...said, message: " No verb.\n" }, ...others, ...others];
    expect(newlyRaised([], { reviewer: "ada", reply: replyOf({ issues }) })).toEqual([
      said,
      ...others,
    ]);
  });
});

describe("overrule", () => {
  it("takes the errors of the outvoted out of the way, and gives them back later", () => {
    const warning = issueOf({ issueId: "comma", reviewer: "bo", severity: "warning" });
    const outvoted = overrule(raiseIssues(ledger, [warning], 1), ["bo"], 2);
    expect(ids(blockingIssues(outvoted))).toEqual(["vague", "dull", "long", "legal"]);
    expect(ids(openIssues(outvoted, "bo"))).toEqual(["risky", "comma"]);
    expect(openIssues(outvoted, "bo").map((entry) => entry.overruledIn)).toEqual([2, undefined]);
    expect(ids(blockingIssues(overrule(outvoted, [], 3)))).toContain("risky");
  });
});

describe("closeChecks", () => {
  it("leaves what is closed as it was", () => {
    const done = closeChecks(ledger, 2);
    expect(closeChecks(done, 3)).toEqual(done);
  });

  it("closes the checks' issues and no others", () => {
    expect(ids(openIssues(closeChecks(ledger, 2)))).toEqual(["vague", "dull", "risky", "legal"]);
  });
});
