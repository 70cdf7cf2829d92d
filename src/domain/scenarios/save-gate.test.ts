import { describe, expect, test } from "vitest";
import { decideSave, REQUIRED_HASHES, type ValidatedRun } from "./save-gate.ts";

const hashes = Object.fromEntries(REQUIRED_HASHES.map((name, index) => [name, `hash-${index}`]));
const run: ValidatedRun = {
  packState: { finalStatus: "accepted", acceptanceGatePassed: true, unresolvedP0Count: 0 },
  truthReview: {
    summary: { overallStatus: "pass", steps: 4, failedSteps: 0, unresolvedP0: 0, unresolvedP1: 0 },
  },
  businessReview: { overallBusinessStatus: "pass", businessAnswerFailures: 0 },
  hashes: { recorded: hashes, actual: hashes },
};

test("an accepted, untouched run of this spec is saved", () => {
  expect(decideSave({ run, allowUnvalidated: false })).toEqual({ kind: "save", mark: "validated" });
});

describe("each condition refuses alone", () => {
  test.each<[string, ValidatedRun]>([
    [
      "final_status is partial",
      { ...run, packState: { ...run.packState, finalStatus: "partial" } },
    ],
    [
      "acceptance_gate_passed is false",
      { ...run, packState: { ...run.packState, acceptanceGatePassed: false } },
    ],
    [
      "truth_review does not pass",
      { ...run, truthReview: { summary: { ...run.truthReview.summary, overallStatus: "fail" } } },
    ],
    [
      "business_review does not pass",
      { ...run, businessReview: { ...run.businessReview, overallBusinessStatus: "fail" } },
    ],
    ["1 unresolved P0", { ...run, packState: { ...run.packState, unresolvedP0Count: 1 } }],
    [
      "2 unresolved P0",
      { ...run, truthReview: { summary: { ...run.truthReview.summary, unresolvedP0: 2 } } },
    ],
    [
      "1 business-answer failures",
      { ...run, businessReview: { ...run.businessReview, businessAnswerFailures: 1 } },
    ],
    [
      "the run is of another spec",
      { ...run, hashes: { recorded: hashes, actual: { ...hashes, spec: "other" } } },
    ],
    [
      "truth_review.json was changed after the run",
      {
        ...run,
        hashes: { recorded: hashes, actual: { ...hashes, "truth_review.json": "edited" } },
      },
    ],
    [
      "steps/stock.json was changed after the run",
      { ...run, hashes: { recorded: { ...hashes, "steps/stock.json": "a" }, actual: hashes } },
    ],
    [
      "the run recorded no hash of spec",
      { ...run, hashes: { recorded: { ...hashes, spec: "" }, actual: hashes } },
    ],
  ])("%s", (reason, changed) => {
    expect(decideSave({ run: changed, allowUnvalidated: false })).toEqual({
      kind: "refuse",
      reasons: [reason],
    });
  });
});

test("without a run nothing is saved, unless a person says why", () => {
  expect(decideSave({ allowUnvalidated: false }).kind).toBe("refuse");
  expect(decideSave({ allowUnvalidated: true }).kind).toBe("refuse");
  expect(decideSave({ allowUnvalidated: true, unvalidatedReason: "  " }).kind).toBe("refuse");
  expect(decideSave({ allowUnvalidated: true, unvalidatedReason: "shown at the fair" })).toEqual({
    kind: "save",
    mark: "unvalidated",
    reason: "shown at the fair",
    failing: ["no validated run was given"],
  });
});
