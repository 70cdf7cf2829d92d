import { expect, test } from "vitest";
import type { LoopIteration } from "../../domain/drafting/iteration.ts";
import type { Review, ReviewIssue } from "../../domain/drafting/review.ts";
import { ledgerOf, loopIterations } from "../../domain/episodes/loop-ledger.ts";
import { instant } from "../../domain/values/instant.ts";
import { parseLedgerFile, renderLedgerFile } from "./ledger-file.ts";
import { parseProtocolState, renderProtocolState } from "./protocol-files.ts";

const at = instant("2026-03-01T10:00:00Z");
const issue: ReviewIssue = {
  issueId: "f1a42a58-81d3-583d-b9cd-aa19c824b35a",
  severity: "error",
  message: "Who is Ben?",
  code: "unknown_name",
  quote: "Ben",
  reviewer: "editor",
  late: true,
};
const member: Review = {
  iteration: 1,
  verdict: "changes_requested",
  issues: [issue],
  reviewer: "editor",
  createdAt: at,
  score: 40,
  provenance: [],
};
const turn: LoopIteration = {
  iteration: 1,
  creatorDone: true,
  candidate: {
    candidateId: "2641202b-6fa0-53f9-b209-b71f722f6270",
    assetId: "description",
    format: "plain",
    content: "Ben bakes.",
    createdAt: at,
    provenance: [],
  },
  review: { ...member, reviewer: "panel" },
  answers: [{ issueId: issue.issueId, answer: "rebutted", reason: "He is the host." }],
  panel: [member],
  vote: {
    rule: "all",
    verdict: "changes_requested",
    approved: [],
    objected: ["editor"],
    calledPerson: [],
    absent: ["legal"],
  },
  losers: [],
  ledger: [
    {
      issue,
      raisedIn: 1,
      status: "closed",
      closedIn: 1,
      answer: { issueId: issue.issueId, answer: "fixed", iteration: 1 },
    },
  ],
};
const about = {
  assetId: "description",
  generation: 2,
  acts: [{ kind: "restart", by: "Ada", at, reason: "new facts" }],
} as const;

test("protocol and ledger together hold a whole loop", () => {
  const stored = renderProtocolState({
    assetId: "description",
    maxIterations: 3,
    iterations: [turn],
  });
  const ledger = renderLedgerFile(ledgerOf(about, [turn]));
  const state = parseProtocolState(stored, "state.json");
  expect(loopIterations(state, parseLedgerFile(ledger, "ledger.json"))).toEqual([turn]);
  expect(parseLedgerFile(ledger, "ledger.json")).toMatchObject(about);
  expect(renderLedgerFile(parseLedgerFile(ledger, "ledger.json"))).toBe(ledger);
  expect(stored).not.toContain("quote");
});

test("without a ledger a loop goes on with what the shared files say", () => {
  const state = parseProtocolState(
    renderProtocolState({ assetId: "description", maxIterations: 3, iterations: [turn] }),
    "state.json",
  );
  const [bare] = loopIterations(state, undefined);
  expect(bare).toMatchObject({ answers: [], panel: [], losers: [] });
  expect(bare?.ledger).toEqual([
    {
      issue: {
        issueId: issue.issueId,
        severity: "error",
        message: issue.message,
        code: issue.code,
        reviewer: "panel",
        late: false,
      },
      raisedIn: 1,
      status: "open",
    },
  ]);
});

test("a ledger of another version is refused", () => {
  const ledger = renderLedgerFile(ledgerOf(about, [])).replace('"version": 1', '"version": 2');
  expect(() => parseLedgerFile(ledger, "ledger.json")).toThrow(
    /ledger\.json:\d+:3: version: must be 1/,
  );
});
