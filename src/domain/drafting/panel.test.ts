import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { combineVerdicts, isReservedLabel, type PanelRule, type Vote } from "./panel.ts";

const anyVotes = fc.array(
  fc.constantFrom<Vote>("ok", "changes_requested", "needs_human", "failed"),
  { minLength: 1, maxLength: 7 },
);
const rules: readonly PanelRule[] = ["all", "majority", "any"];

describe("combineVerdicts", () => {
  it.each<[PanelRule, readonly Vote[], string]>([
    ["all", ["ok", "ok"], "ok"],
    ["all", ["ok", "changes_requested"], "changes_requested"],
    ["all", ["ok", "ok", "failed"], "changes_requested"],
    ["majority", ["ok", "ok", "changes_requested"], "ok"],
    ["majority", ["ok", "changes_requested"], "changes_requested"],
    ["majority", ["ok", "ok", "changes_requested", "failed"], "ok"],
    ["majority", ["ok", "failed"], "ok"],
    ["majority", ["ok", "failed", "failed"], "changes_requested"],
    ["any", ["ok", "changes_requested", "changes_requested"], "ok"],
    ["any", ["ok", "failed", "failed"], "changes_requested"],
    ["any", ["changes_requested", "failed"], "changes_requested"],
    ["any", ["failed"], "changes_requested"],
    ["any", ["ok", "needs_human"], "needs_human"],
    ["majority", ["ok", "ok", "needs_human"], "needs_human"],
  ])("under %s makes of %j: %s", (rule, votes, verdict) => {
    expect(combineVerdicts(votes, rule)).toBe(verdict);
  });

  it("passes a single member's verdict through under every rule", () => {
    for (const rule of rules) {
      for (const verdict of ["ok", "changes_requested", "needs_human"] as const) {
        expect(combineVerdicts([verdict], rule)).toBe(verdict);
      }
    }
  });

  it("never approves over a call for a person, or without one approving member", () => {
    fc.assert(
      fc.property(anyVotes, fc.constantFrom(...rules), (votes, rule) => {
        const verdict = combineVerdicts(votes, rule);
        if (votes.includes("needs_human")) expect(verdict).toBe("needs_human");
        if (!votes.includes("ok")) expect(verdict).not.toBe("ok");
      }),
    );
  });

  it("is stricter from any over majority to all, and blind to the order", () => {
    fc.assert(
      fc.property(anyVotes, (votes) => {
        const isOk = (rule: PanelRule) => combineVerdicts(votes, rule) === "ok";
        if (isOk("all")) expect(isOk("majority")).toBe(true);
        if (isOk("majority")) expect(isOk("any")).toBe(true);
        for (const rule of rules) {
          expect(combineVerdicts(votes.toReversed(), rule)).toBe(combineVerdicts(votes, rule));
        }
      }),
    );
  });
});

describe("isReservedLabel", () => {
  it("keeps the names of checks, people and the panel from members", () => {
    expect(["checks", "Person", "panel"].every(isReservedLabel)).toBe(true);
    expect(isReservedLabel("ada")).toBe(false);
  });
});
