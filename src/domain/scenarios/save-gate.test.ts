import { describe, expect, test } from "vitest";
import { decideSave, type ProvingRun } from "./save-gate.ts";

const accepted = { accepted: true, reasons: [], deciders: [] } as const;
const run: ProvingRun = { kind: "derived", run: accepted, isSamePack: true };

test("an accepted run of this spec is saved", () => {
  expect(decideSave({ run, allowUnvalidated: false })).toEqual({ kind: "save", mark: "validated" });
});

describe("each condition refuses alone", () => {
  test.each<[string, ProvingRun]>([
    [
      "final status is partial",
      { ...run, run: { ...accepted, accepted: false, reasons: ["final status is partial"] } },
    ],
    ["the run was not accepted", { ...run, run: { ...accepted, accepted: false } }],
    ["the run is of another spec", { ...run, isSamePack: false }],
    ["this project has no record of the run, so its files prove nothing here", { kind: "unknown" }],
  ])("%s", (reason, failing) => {
    const refused = { kind: "refuse", reasons: [reason] };
    expect(decideSave({ run: failing, allowUnvalidated: false })).toEqual(refused);
    expect(
      decideSave({ run: failing, allowUnvalidated: true, unvalidatedReason: " a draft " }),
    ).toEqual({ kind: "save", mark: "unvalidated", reason: "a draft", failing: [reason] });
  });
});

test("a stand-in or a script does not take the place of the model that the settings name", () => {
  const by = (decider: "model" | "scripted" | "stand_in") => ({
    ...{ run: { ...run, run: { ...accepted, deciders: [decider] } } },
    allowUnvalidated: false,
  });
  const analystModel = "openai/gpt-5";
  expect(decideSave({ ...by("model"), analystModel }).kind).toBe("save");
  expect(decideSave({ ...by("stand_in") }).kind).toBe("save");
  for (const decider of ["stand_in", "scripted"] as const) {
    expect(decideSave({ ...by(decider), analystModel })).toMatchObject({
      kind: "refuse",
      reasons: [expect.stringContaining("the settings name openai/gpt-5")],
    });
  }
});

test("nothing proves a pack without a run, and a draft needs a reason", () => {
  const none = ["no validated run was given"];
  expect(decideSave({ allowUnvalidated: false })).toEqual({ kind: "refuse", reasons: none });
  expect(decideSave({ allowUnvalidated: true, unvalidatedReason: " " })).toEqual({
    kind: "refuse",
    reasons: ["an unvalidated save needs a reason"],
  });
});
