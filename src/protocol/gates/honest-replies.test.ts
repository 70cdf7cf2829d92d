import { expect, it } from "vitest";
import { parseReview } from "./parse-review.ts";

const code = "k7f3mzq2ab";
const decisionOf = (text: string) =>
  parseReview("prose/stock-phrases", text.replaceAll("CODE", code), { code, takesUncoded: false })
    .decision;
const result = (word: string) => `## Result CODE: ${word}`;
const summary = "### Summary\nThe note cites a source for every price and keeps to its title.\n\n";

it.each([
  [`${summary}### Findings\n\nNone.\n\n${result("PASS")}`, "pass"],
  [`${summary}### Findings\nNone\n### Suggested revision\nNone\n${result("PASS")}`, "pass"],
  [
    `${summary}### Findings\n- None.\n\n### Suggested revision\n\nNot needed.\n\n${result("PASS")}`,
    "pass",
  ],
  [`${summary}### Findings\n\nNone found.\n\n${result("PASS")}`, "pass"],
  [`${summary}### Findings\n\nNo issues found.\n\n${result("PASS")}`, "pass"],
  [
    `${summary}### Findings\n\nNo findings.\n\n### Suggested revision\n\nN/A\n\n${result("PASS")}`,
    "pass",
  ],
  [
    summary +
      "### Findings\n\n- info: The table in line 12 is well chosen.\n  > | Shop | Price |\n\n" +
      result("PASS"),
    "pass",
  ],
  [
    summary +
      "### Findings\n\n- info: line 4 could name the year.\n- info: the heading repeats the title.\n\n### Suggested revision\n\nDrop the second heading.\n\n" +
      result("PASS"),
    "pass",
  ],
  [`${summary}### Findings\n\n- **info**: The table fits.\n\n${result("PASS")}`, "pass"],
  [`${summary}### Findings\n\n- **info:** The table fits.\n\n${result("PASS")}`, "pass"],
  [`${summary}### Findings\n\n- \`info\`: The table fits.\n\n${result("PASS")}`, "pass"],
  [`${summary}### Findings\n\n- [info] The table fits.\n\n${result("PASS")}`, "pass"],
  [`${summary}### Findings\n\n- INFO: The table fits.\n\n${result("PASS")}`, "pass"],
  [`${summary}### Findings\n\n* info: The table fits.\n\n${result("PASS")}`, "pass"],
  [`${summary}### Findings\n\n1. info: The table fits.\n\n${result("PASS")}`, "pass"],
  [`${summary}### Findings\n\n- info (line 3): The table fits.\n\n${result("PASS")}`, "pass"],
  [`${summary}### Findings\n\n- info — The table fits.\n\n${result("PASS")}`, "pass"],
  [
    `${summary}### Findings\n\n- Info: the word "fail" is used for trains.\n\n${result("PASS")}`,
    "pass",
  ],
  [
    `${summary}### Findings\n\n- info: the error message is quoted as is.\n\n${result("PASS")}`,
    "pass",
  ],
  [
    `${summary}### Findings\n\n- info: The claim\n  runs over two lines.\n\n${result("PASS")}`,
    "pass",
  ],
  [
    summary +
      "### Findings\n\n- info: The claim is fine.\n  > The first line\n  > the second line\n\n" +
      result("PASS"),
    "pass",
  ],
  [
    summary +
      "### Findings\n\n- info: The claim is fine, line 3.\n    > deeper quote\n\n" +
      result("PASS"),
    "pass",
  ],
  [`${summary}### Findings\n\n- info: one\n\n- info: two\n\n${result("PASS")}`, "pass"],
  [`${summary}### Findings\n\n- info: fine.\n\n  It stays fine.\n\n${result("PASS")}`, "pass"],
  [`${summary}**Findings**\n\nNone.\n\n**Result CODE: PASS**`, "pass"],
  [
    "**Summary**\n\nFine.\n\n**Findings**\n\nNone.\n\n**Suggested revision**\n\nNone.\n\n" +
      result("PASS"),
    "pass",
  ],
  [
    "**Summary:** Fine.\n\n**Findings:** None.\n\n**Suggested revision:** None.\n\n" +
      result("PASS"),
    "pass",
  ],
  [`Summary: Fine.\n\nFindings: None.\n\nSuggested revision: none.\n\n${result("PASS")}`, "pass"],
  [`Summary: Fine.\nFindings: None\n${result("PASS")}`, "pass"],
  ["# Summary\nFine.\n# Findings\nNone.\n# Result CODE: PASS", "pass"],
  ["## Summary\nFine.\n## Findings\nNone.\n## Result CODE: PASS", "pass"],
  [`#### Summary\nFine.\n#### Findings\nNone.\n${result("PASS")}`, "pass"],
  [`### Summary:\nFine.\n### Findings:\nNone.\n${result("PASS")}`, "pass"],
  [`### Key findings\n\nNone.\n\n${result("PASS")}`, "pass"],
  [`### Findings (0)\n\nNone.\n\n${result("PASS")}`, "pass"],
  [`### No findings\n\n${result("PASS")}`, "pass"],
  [`### Findings: none\n\n${result("PASS")}`, "pass"],
  [`### **Findings**\n\nNone.\n\n${result("PASS")}`, "pass"],
  [`1. Summary: fine\n2. Findings: none\n\n${result("PASS")}`, "pass"],
  [result("PASS"), "pass"],
  [`The note holds.\n\n${result("PASS")}`, "pass"],
  [`The note holds.\n\nIt cites two sources.\n\n${result("PASS")}`, "pass"],
  [`${summary}### Findings\nNone.\n\n${result("PASS")}\n\n`, "pass"],
  [`${summary}### Findings\nNone.\n\n${result("PASS")}\n---\n`, "pass"],
  [`${summary}### Findings\nNone.\n\n${result("**PASS**")}`, "pass"],
  [`${summary}### Findings\nNone.\n\n${result("Pass")}`, "pass"],
  [`${summary}### Findings\nNone.\n\n${result("`PASS`")}`, "pass"],
  [`${summary}### Findings\nNone.\n\n**Result CODE:** PASS`, "pass"],
  [`${summary}### Findings\nNone.\n\nResult CODE: PASS`, "pass"],
  [`${summary}### Findings\r\nNone.\r\n\r\n## Result CODE: PASS\r\n`, "pass"],
  [
    "### Summary\nThe note would fail if the price were missing; it is there.\n\n### Findings\nNone.\n\n" +
      result("PASS"),
    "pass",
  ],
  [
    "### Summary\nThe gate warns about stock phrases. There are none.\n\n### Findings\nNone.\n\n" +
      result("PASS"),
    "pass",
  ],
  [`### Summary\nNo problems, no concerns.\n\n### Findings\nNone.\n\n${result("PASS")}`, "pass"],
  [
    "### Summary\n- Every price has a source.\n- The title fits.\n\n### Findings\nNone.\n\n" +
      result("PASS"),
    "pass",
  ],
  [`### Analysis\nEvery price has a source.\n\n### Findings\nNone.\n\n${result("PASS")}`, "pass"],
  [
    "### Analysis\n\n| Check | Result |\n|---|---|\n| Source | pass |\n| Title | ok |\n\n### Findings\nNone.\n\n" +
      result("PASS"),
    "pass",
  ],
  [
    summary +
      "### Findings\n\n| Severity | Finding |\n|---|---|\n| info | The table fits. |\n\n" +
      result("PASS"),
    "pass",
  ],
  [
    summary +
      "### Findings\n\n| Severity | Line | Finding |\n|---|---|---|\n| info | 3 | The table fits. |\n\n" +
      result("PASS"),
    "pass",
  ],
  [`${summary}### Findings\n\n0 findings.\n\n${result("PASS")}`, "pass"],
  [`${summary}### Findings\n\n*None.*\n\n${result("PASS")}`, "pass"],
  [`${summary}### Findings\n\n_None_\n\n${result("PASS")}`, "pass"],
  [`${summary}### Findings\n\n(none)\n\n${result("PASS")}`, "pass"],
  [`${summary}### Findings\n\n—\n\n${result("PASS")}`, "pass"],
  [`${summary}### Findings\n\n- (none)\n\n${result("PASS")}`, "pass"],
  [`${summary}### Findings\n\n- info: None.\n\n${result("PASS")}`, "pass"],
  [`${summary}### Findings\n\nNone. ✅\n\n${result("PASS")}`, "pass"],
  [`${summary}### Findings\n\n✅ None\n\n${result("PASS")}`, "pass"],
  [
    summary +
      "### Findings\n\nNone\n\n### Suggested revision\n\n```md\n# Prices\n\n- fail: an example in a fence\n```\n\n" +
      result("PASS"),
    "pass",
  ],
  [
    summary +
      "### Findings\n\n- warn: no source in line 3\n  > Prices rose.\n\n### Suggested revision\n\nName the source.\n\n" +
      result("WARN"),
    "warn",
  ],
  [
    summary +
      "### Findings\n\n- fail: no source\n- warn: vague\n- info: short\n\n" +
      result("FAIL"),
    "fail",
  ],
  [`${summary}### Findings\n\n- **fail** (line 3): no source\n\n${result("FAIL")}`, "fail"],
  [
    `${summary}### Findings\n\n- warn: no source\n  - line 3\n  - line 9\n\n${result("WARN")}`,
    "warn",
  ],
  [
    `${summary}### Findings\n\n- warn: no source\n    - line 3\n    - line 9\n\n${result("WARN")}`,
    "warn",
  ],
  [`${summary}### Findings\n\n- The price has no source.\n\n${result("WARN")}`, "warn"],
  [
    `${summary}### Findings\n\n#### 1. warn: no source\n\nLine 3 has none.\n\n${result("WARN")}`,
    "warn",
  ],
  [
    summary +
      "### Findings\n\n#### Finding 1\n\n- Severity: warn\n- Line: 3\n- The price has no source.\n\n" +
      result("WARN"),
    "warn",
  ],
  [`${summary}### Findings\n\nThe price has no source.\n\n${result("FAIL")}`, "fail"],
  [`${summary}### Findings\n\nNone.\n\n${result("ERROR")}`, "error"],
  [`Could not judge: the table is an image.\n\n${result("ERROR")}`, "error"],
  [
    `${summary}### Findings\n\n- warn: „Preise steigen“ ohne Quelle (Zeile 3)\n\n${result("WARN")}`,
    "warn",
  ],
  [`${summary}### Findings\n\nKeine.\n\n${result("PASS")}`, "pass"],
  [`${summary}### Findings\n\nAucun.\n\n${result("PASS")}`, "pass"],
  [`${summary}### Findings\n\n- info: siehe Zeile 3\n\n${result("PASS")}`, "pass"],
  [
    summary +
      "### Findings\n\n- info: see [the guide](guide.md) for **warnings**\n\n" +
      result("PASS"),
    "pass",
  ],
  [`${summary}### Findings\n\n- info: The list has \`error\` codes.\n\n${result("PASS")}`, "pass"],
  [`${summary}### Findings\n\n- info: nothing of note.\n---\n${result("PASS")}`, "pass"],
  [`${summary}### Findings\n\nNone.\n\n---\n\n${result("PASS")}`, "pass"],
  [`---\n${summary}### Findings\n\nNone.\n\n${result("PASS")}`, "pass"],
])("%j is read as %s", (text, decision) => {
  expect(decisionOf(text)).toBe(decision);
});
