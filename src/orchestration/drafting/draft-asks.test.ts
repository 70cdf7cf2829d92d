import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { issueOf, stateOf, turnOf } from "../../../tests/support/drafting-story.ts";
import { freezeDraft } from "../../domain/drafting/freeze-draft.ts";
import { raiseIssues } from "../../domain/drafting/issue-ledger.ts";
import { loadRecipe } from "../../wiring/features/recipes.ts";
import { DraftAsks } from "./draft-asks.ts";

it("tells the reviewer how the writer answers the open issues with this very text", async () => {
  const model = "offline/shop";
  const recipe = await loadRecipe("slogan", tmpdir());
  const plan = freezeDraft({ brief: "bottles", recipe, writer: model, reviewers: [{ model }] });
  if (plan.kind !== "planned") throw new Error("refused");
  const asks = new DraftAsks(plan.input, { nonce: () => "", provenanceOf: () => [] });
  const standing = {
    state: stateOf([turnOf(1, "Sip Smart")]),
    ledger: raiseIssues([], [issueOf({ issueId: "vague" })], 1),
  };
  const answers = [{ issueId: "vague", answer: "rebutted", reason: "Smart says it all." }] as const;
  const written = { index: 1, text: "Sip Smarter", answers, checks: [] };
  const { request } = asks.review(standing, written, { model, temperature: 0.3, maxTokens: 100 });
  expect(request.user).toContain('"writer_says":"rebutted","reason":"Smart says it all."');
});
