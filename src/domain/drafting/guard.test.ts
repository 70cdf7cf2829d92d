import { describe, expect, it } from "vitest";
import { guardVerdict, lockedSelectionIssue } from "./guard.ts";

describe("guardVerdict", () => {
  it("takes back an ok beside an error, and leaves one beside warnings", () => {
    expect(guardVerdict("ok", [{ severity: "warning" }, { severity: "error" }])).toBe(
      "changes_requested",
    );
    expect(guardVerdict("ok", [{ severity: "warning" }])).toBe("ok");
  });

  it("leaves every other verdict as it is", () => {
    expect(guardVerdict("needs_human", [{ severity: "error" }])).toBe("needs_human");
    expect(guardVerdict("changes_requested", [])).toBe("changes_requested");
  });
});

describe("lockedSelectionIssue", () => {
  it("objects to a text that differs from the locked one", () => {
    expect(lockedSelectionIssue("about-wasps", "about-bees\n")).toMatchObject({
      severity: "error",
      code: "locked_selection",
      field: "content",
    });
    expect(lockedSelectionIssue(" about-bees", "about-bees")).toBeDefined();
  });

  it("has nothing against white space at the end, or where nothing is locked", () => {
    expect(lockedSelectionIssue("about-bees \n", "about-bees")).toBeUndefined();
    expect(lockedSelectionIssue("about-bees", undefined)).toBeUndefined();
  });
});
