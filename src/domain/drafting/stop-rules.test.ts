import { describe, expect, it } from "vitest";
import { issueOf, reviewOf, turnOf } from "../../../tests/support/drafting-story.ts";
import type { LoopIteration } from "./iteration.ts";
import type { ReviewIssue } from "./review.ts";
import { firstStop, stopWhenOnlyLate, stopWhenOscillating, stopWhenStalled } from "./stop-rules.ts";

function turns(...texts: readonly string[]): readonly LoopIteration[] {
  return texts.map((text, index) => turnOf(index + 1, text));
}

function turnWith(iteration: number, issues: readonly ReviewIssue[]): LoopIteration {
  return turnOf(iteration, `Draft ${iteration}`, { review: reviewOf({ iteration, issues }) });
}

describe("stopWhenStalled", () => {
  it("stops from the third turn on when the last two texts are nearly equal", () => {
    expect(stopWhenStalled(turns("Drink", "Save Our Seas", "Save Our Seas"))).toBe("stalled");
  });

  it("lets two turns pass whatever they say", () => {
    expect(stopWhenStalled(turns("Save Our Seas", "Save Our Seas"))).toBeUndefined();
  });

  it("looks at the last two texts only", () => {
    expect(stopWhenStalled(turns("Drink", "Drink", "Save Our Seas"))).toBeUndefined();
  });
});

describe("stopWhenOscillating", () => {
  it("stops when a text of two turns ago comes back", () => {
    expect(stopWhenOscillating(turns("Drink Green", "Live Clean", "Drink Green\n"))).toBe(
      "oscillating",
    );
  });

  it("stops when a text from long ago comes back", () => {
    expect(stopWhenOscillating(turns("Drink", "Live", "Save", "Drink"))).toBe("oscillating");
  });

  it("does not take a repeated text for a swing", () => {
    expect(stopWhenOscillating(turns("Drink Green", "Drink Green"))).toBeUndefined();
    expect(stopWhenOscillating([])).toBeUndefined();
  });
});

describe("stopWhenOnlyLate", () => {
  const late = issueOf({ issueId: "comma", late: true });
  const fresh = issueOf({ issueId: "vague" });

  it("stops after two turns whose only errors came late", () => {
    expect(stopWhenOnlyLate([turnWith(1, [late]), turnWith(2, [late])])).toBe("late_issues");
  });

  it("ignores warnings", () => {
    const warning = issueOf({ severity: "warning" });
    expect(stopWhenOnlyLate([turnWith(1, [late, warning]), turnWith(2, [late])])).toBe(
      "late_issues",
    );
  });

  it("goes on when one of the two turns has a timely error or none at all", () => {
    expect(stopWhenOnlyLate([turnWith(1, [late]), turnWith(2, [late, fresh])])).toBeUndefined();
    expect(stopWhenOnlyLate([turnWith(1, []), turnWith(2, [late])])).toBeUndefined();
    expect(stopWhenOnlyLate([turnWith(1, [late])])).toBeUndefined();
  });
});

describe("firstStop", () => {
  const stuck = turns("Drink", "Drink", "Drink");

  it("answers with the first rule of the recipe that holds", () => {
    expect(firstStop(["early_stop", "oscillation"], stuck)).toBe("stalled");
    expect(firstStop(["oscillation", "early_stop"], stuck)).toBe("oscillating");
    expect(firstStop(["late_issues", "early_stop"], stuck)).toBe("stalled");
  });

  it("never stops a recipe without rules", () => {
    expect(firstStop([], stuck)).toBeUndefined();
  });
});
