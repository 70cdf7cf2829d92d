import { describe, expect, it } from "vitest";
import {
  candidate,
  firstReview,
  received,
  recorded,
  replied,
  review,
  run,
  show,
  started,
  vague,
  written,
} from "../../../tests/support/draft-display-events.ts";
import type { LedgerEntry } from "../../domain/drafting/issue-ledger.ts";
import { key } from "../../domain/values/ids.ts";

describe("the opening", () => {
  it("names stand-ins in its first line", () => {
    const shown = show();
    shown.display.show(started());
    expect(shown.lines()).toEqual([
      "Drafting with rule-based stand-ins (offline/rules): no model is asked.",
      "",
      "  brief      eco-friendly water bottles",
      "  recipe     slogan, at most 5 turns",
      "",
    ]);
  });

  it("says who writes and who reviews", () => {
    const shown = show();
    const creatorModel = "ollama/mistral:latest";
    const anna = { label: "anna", model: "openai/gpt-5" };
    shown.display.show(started({ standIn: false, creatorModel, reviewers: [anna] }));
    expect(shown.lines()[0]).toBe("Drafting: ollama/mistral:latest writes, openai/gpt-5 reviews");
  });

  it("lists a panel", () => {
    const shown = show();
    const reviewers = [
      { label: "anna", model: "openai/gpt-5" },
      { label: "ben", model: "ollama/qwen" },
    ];
    shown.display.show(started({ standIn: false, creatorModel: "ollama/mistral", reviewers }));
    expect(shown.lines()).toContain("Drafting: ollama/mistral writes, a panel of 2 reviews");
    expect(shown.lines()).toContain("  ben        ollama/qwen");
  });
});

describe("the turns", () => {
  it("show draft, changes, answers, verdict and cost, one after the other", () => {
    const shown = show();
    shown.display.show(written(1, "Hydrate Green, Live Clean"));
    shown.display.show(received(1, firstReview));
    shown.display.show(recorded(1, "Hydrate Green, Live Clean", firstReview));
    const answers = [{ issueId: "i1", answer: "fixed", reason: "Names the sea." }];
    shown.display.show(written(2, "Hydrate Green, Save Our Seas", { answers }));
    const second = review(2, { summary: "SHIP IT!", score: 9 });
    shown.display.show(received(2, second));
    shown.display.show(recorded(2, "Hydrate Green, Save Our Seas", second));
    expect(shown.lines()).toEqual([
      "",
      "Turn 1",
      "  writer     Hydrate Green, Live Clean",
      "  reviewer   asks for changes",
      "             error     Be specific about impact.  [vague]",
      "                       “Live Clean”",
      "             2.1 s · 2 calls · 412 tokens in, 38 out · $0",
      "",
      "Turn 2",
      "  writer     Hydrate Green, Save Our Seas",
      "  changed    Hydrate Green, [-Live Clean-] {+Save Our Seas+}",
      "  answers    fixed     Be specific about impact.",
      "                       Names the sea.",
      "  reviewer   approves  score 9",
      "             SHIP IT!",
      "             2.1 s · 2 calls · 412 tokens in, 38 out · $0",
      "",
    ]);
  });

  it.each(["normal", "verbose"] as const)("tell a long draft by its changes, %s", (verbosity) => {
    const shown = show({ verbosity });
    const story = "The river runs to the sea. ".repeat(20);
    shown.display.show(recorded(1, `${story}It ends there.`, review(1)));
    shown.display.show(written(2, `${story}It starts there.`));
    const said = shown.text().replace(/\s+/g, " ");
    expect(said).toContain("It [-ends-] {+starts+} there.");
    expect(said.includes("It starts there.")).toBe(verbosity === "verbose");
  });

  it("keep the lines of a text", () => {
    const shown = show();
    shown.display.show(written(1, "Subject: The sea\n\nDear Ann,\r\nit is here."));
    const lines = shown.lines();
    expect(lines.slice(lines.indexOf("Turn 1") + 1)).toEqual([
      "  writer     Subject: The sea",
      "",
      "             Dear Ann,",
      "             it is here.",
      "",
    ]);
  });

  it("say when the writer changed nothing", () => {
    const shown = show();
    shown.display.show(recorded(1, "Hydrate Green", review(1)));
    shown.display.show(written(2, "Hydrate Green\n"));
    expect(shown.lines()).toContain("  changed    nothing");
  });

  it("mark late issues and say what stays open since when", () => {
    const shown = show();
    const late = review(2, { verdict: "changes_requested", issues: [{ ...vague, late: true }] });
    const open: LedgerEntry = {
      issue: { ...vague, issueId: "i0", message: "Too long." },
      raisedIn: 1,
      status: "open",
      answer: { issueId: "i0", answer: "rebutted", iteration: 2 },
    };
    const closed: LedgerEntry = { ...open, status: "closed", closedIn: 2 };
    shown.display.show(received(2, late));
    shown.display.show(recorded(2, "Hydrate Green", late, { ledger: [open, closed] }));
    expect(shown.text()).toContain("[vague, late: text unchanged]");
    expect(shown.text().match(/Too long/g)).toHaveLength(1);
    expect(shown.lines()).toContain("  open       turn 1    Too long.  [rebutted]");
  });

  it("say that an approval does not count against the checks", () => {
    const shown = show();
    const checks = [
      { severity: "error", message: "70 characters, at most 60.", code: "max_length" },
    ];
    shown.display.show(written(1, "Hydrate Green", { checks }));
    shown.display.show(received(1, review(1)));
    const guarded = review(1, { verdict: "changes_requested", signature: { how: "bare" } });
    shown.display.show(recorded(1, "Hydrate Green", guarded));
    expect(shown.lines()).toContain(
      "  checks     error     70 characters, at most 60.  [max_length]",
    );
    expect(shown.lines()).toContain("  guard      the approval does not count: errors are open");
  });

  it("say when the reviewer approves but the writer goes on", () => {
    const shown = show();
    shown.display.show(written(1, "Hydrate Green", { done: false }));
    shown.display.show(received(1, review(1)));
    shown.display.show(recorded(1, "Hydrate Green", review(1), { creatorDone: false }));
    expect(shown.text()).toContain("the reviewer approves, but the writer is not done");
    expect(shown.text()).not.toContain("guard");
  });

  it("speak of open errors only where an approval is held up by them", () => {
    const shown = show();
    shown.display.show(written(1, "Hydrate Green"));
    const anna = review(1, { reviewer: "anna" });
    shown.display.show(received(1, anna));
    const combined = review(1, { verdict: "changes_requested", reviewer: "panel" });
    const members = { approved: ["anna"], objected: [], calledPerson: [], absent: ["ben", "cy"] };
    const vote = { rule: "majority", verdict: "changes_requested", ...members } as const;
    shown.display.show(recorded(1, "Hydrate Green", combined, { panel: [anna], vote }));
    expect(shown.text()).toContain("absent: ben, cy");
    expect(shown.text()).not.toContain("guard");
  });

  it("tell candidates and panel members apart", () => {
    const shown = show();
    for (const index of [1, 2])
      shown.display.notice(replied(`turn/1/candidate/${index}/create`, false));
    shown.display.show(written(1, "Hydrate Green"));
    const other = { index: 2, candidate: candidate(1, "Sip Blue", 2) };
    shown.display.show(written(1, "Sip Blue", other));
    const anna = review(1, { reviewer: "anna" });
    const ben = review(1, { reviewer: "ben", verdict: "needs_human" });
    shown.display.show(received(1, anna, 2));
    shown.display.show(received(1, ben, 2));
    const combined = review(1, { verdict: "changes_requested", reviewer: "panel" });
    const members = { approved: ["anna"], objected: [], calledPerson: [], absent: ["ben"] };
    const vote = { rule: "all", verdict: "changes_requested", ...members } as const;
    const more = { candidate: other.candidate, panel: [anna, ben], vote };
    shown.display.show(recorded(1, "Sip Blue", combined, more));
    expect(shown.lines().slice(2, 8)).toEqual([
      "  writer 1   Hydrate Green",
      "  writer 2   Sip Blue",
      "  anna       approves  candidate 2",
      "  ben        asks for a person  candidate 2",
      "             candidate 2 is kept",
      "  panel      asks for changes  rule all; approved: anna; absent: ben",
    ]);
  });

  it("mark what comes from the record, and what was asked now after all", () => {
    const shown = show();
    shown.display.notice(replied("turn/1/candidate/1/create", true));
    shown.display.show(written(1, "Hydrate Green"));
    shown.display.notice(replied("turn/1/candidate/1/review/reviewer", false));
    shown.display.show(received(1, firstReview));
    shown.display.notice(replied("turn/2/candidate/1/create", false));
    shown.display.show(written(2, "Hydrate Blue"));
    expect(shown.lines()).toContain("Turn 1  from the record");
    expect(shown.lines()).toContain("  reviewer   asks for changes  asked now");
    expect(shown.lines()).toContain("Turn 2");
  });

  it("announce a retry and a failure under their turn", () => {
    const shown = show();
    const call = {
      run,
      key: key("turn/2/candidate/1/create"),
      role: "creator",
      model: "ollama/mistral",
    };
    const error = {
      code: "rate-limited",
      message: "Slow down.",
      retryable: true,
      facts: { status: 429 },
    };
    shown.display.notice({ kind: "call-started", ...call, attempt: 1 });
    shown.display.notice({ kind: "call-failed", ...call, error, retryInMs: 4000 });
    shown.display.notice({ kind: "call-started", ...call, attempt: 2 });
    shown.display.notice({ kind: "call-failed", ...call, error: { ...error, facts: {} } });
    expect(shown.lines()).toEqual([
      "",
      "Turn 2",
      "  retry      ollama/mistral: 429, trying again in 4 s (attempt 2)",
      "  failed     ollama/mistral: Slow down",
      "",
    ]);
  });
});

it("shows nothing when quiet", () => {
  const shown = show({ verbosity: "quiet" });
  shown.display.show(started());
  shown.display.show(written(1, "Hydrate Green"));
  shown.display.notice(replied("turn/1/candidate/1/create", false));
  expect(shown.text()).toBe("");
});
