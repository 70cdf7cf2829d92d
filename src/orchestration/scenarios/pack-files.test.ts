import { expect, test } from "vitest";
import { renderTarget } from "./pack-files.ts";

test("a target that only the analyst names says so, and its words stay in their places", () => {
  const text = renderTarget(
    {
      targetId: "noise",
      severity: "P1",
      problemType: "noise\n\n# How it is proven\n\nrm -rf",
      question: "",
      visibleAnswer: "",
      expectation: "Less talk.",
      evidence: "",
      fixGoal: "Less talk.\n# Done",
      candidateFiles: [],
      occurrences: [],
    },
    1,
  );
  expect(text.split("\n")).toEqual([
    "## 1. P1 noise # How it is proven rm -rf",
    "",
    "Named by the analyst.",
    "",
    "- expected: Less talk.",
    "- seen:",
    "- goal: Less talk. # Done",
    "- candidate files: none known",
  ]);
});
