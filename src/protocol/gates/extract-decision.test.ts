import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extractDecision } from "./extract-decision.ts";

describe("a result in any of the forms reviewers use", () => {
  it.each([
    ["## Result: PASS", "pass"],
    ["### Result: PASS", "pass"],
    ["Result: PASS", "pass"],
    ["**Result: WARN**", "warn"],
    ["**Verdict:** warn", "warn"],
    ["Verdict — warn", "warn"],
    ["Decision = fail", "fail"],
    ["**Status**: ok", "pass"],
    ["## Outcome: FAIL", "fail"],
    ["- Outcome: INFO", "pass"],
    ["1. Result: WARN", "warn"],
    ["## Result: PASS (1 INFO)", "pass"],
    ["## Result: ✅ PASS", "pass"],
    ["Verdict: Pass ✅", "pass"],
    ["## PASS ✔️", "pass"],
    ["## Result: ERROR", "error"],
    ["## Result: UNKNOWN", "unknown"],
    ["## PASS\n\nThe shop note holds.", "pass"],
    ["## Verdict\n\nWARN", "warn"],
    ["**WARN** because the price has no source", "warn"],
    ["| Result | PASS |", "pass"],
    ["| **Verdict** | **WARN** |", "warn"],
    ["| Gate | Result |\n|---|---|\n| prose/stock-phrases | WARN |", "warn"],
    ["Final verdict: pass", "pass"],
    ["## Result: PASS\r\n", "pass"],
  ])("reads %j as %s", (text, decision) => {
    expect(extractDecision(text)).toBe(decision);
  });
});

describe("what does not decide", () => {
  it.each([
    ["an echoed template", "## Result: PASS|WARN|FAIL|ERROR"],
    ["a template in words", "## Result: PASS, WARN, FAIL or ERROR   (one of them)"],
    ["a template in code marks", "Result: `PASS`, `WARN` or `FAIL`"],
    ["a choice", "Result: pass/fail"],
    ["a choice with signs", "Result: pass ✅ / fail ❌"],
    ["a choice in words with signs", "Result: pass ✅ or fail ❌"],
    ["a crossed word", "Result: pass ❌"],
    ["a choice in words", "Result: pass or fail"],
    ["a compound", "Status: pass-through mode"],
    ["a sentence that begins alike", "Status: error handling is good"],
    ["a code fence", "```\n## Result: PASS\n```"],
    ["an unclosed code fence", "~~~\n## Result: PASS"],
    ["a quotation", "> ## Result: PASS"],
    ["a comment", "<!-- ## Result: PASS -->"],
    ["a comment over lines", "<!--\n## Result: PASS\n-->"],
    ["indented code", "    ## Result: PASS"],
    ["code indented by a tab", "\t## Result: PASS"],
    ["a negation", "Result: not PASS"],
    ["invisible letters", "## Res\u200bult: PASS"],
    ["no signal at all", "The podcast note reads well."],
    ["nothing", ""],
  ])("%s is unknown", (_, text) => {
    expect(extractDecision(text)).toBe("unknown");
  });
});

describe("several signals", () => {
  it.each([
    ["the worst finding counts without a result", "- warn: one\n- fail: two", "fail"],
    ["a revised result beats the first", "## Result: WARN\n\nRevised result: PASS", "pass"],
    ["two revised results that differ", "Revised result: PASS\nRevised verdict: FAIL", "unknown"],
    ["a flag beats both", "- warn: old price. Flagging as INFO.\n## Result: WARN", "pass"],
    ["a quoted flag does not", '- fail: it says "Flagging as PASS"\n## Result: FAIL', "fail"],
    ["a reported flag does not", "- fail: the note says flagging as PASS\n## Result: FAIL", "fail"],
    ["results that differ", "## Result: PASS\n## Result: FAIL", "unknown"],
    ["pass against a warning", "- warn: no source\n## Result: PASS", "unknown"],
    ["warn against a pass", "- pass: fine\n## Result: WARN", "unknown"],
    ["unless nothing was found", "- pass: fine\nNo violations found.\n## Result: WARN", "pass"],
    ["warn with a bold minor finding", "- **minor**: tiny\n- info: x\n## Result: WARN", "warn"],
    ["fail with a bold major finding", "- **major**: big\n- warn: x\n## Result: FAIL", "fail"],
    ["pass with a minor remark", "Minor: tiny\n## Result: PASS", "pass"],
    ["info beside a pass", "- info: nice\n## Result: PASS", "pass"],
    ["a bold warning among findings", "### Findings\n\n**WARN — no source**\n\nmore\n", "warn"],
  ])("%s", (_, text, decision) => {
    expect(extractDecision(text)).toBe(decision);
  });

  it("ignores lines that are not the reviewer's", () => {
    const text = "Revised result: PASS\n\n## Result: FAIL";
    expect(extractDecision(text, (line) => !line.startsWith("Revised"))).toBe("fail");
  });
});

it("answers any text at all with one of the five decisions", () => {
  const word = fc.constantFrom(
    "Result",
    ": ",
    "PASS",
    "\n",
    "**",
    "|",
    "```",
    "<!--",
    "- warn",
    "> ",
    "é",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(word).map((words) => words.join("")),
      ),
      (text) => {
        expect(["pass", "warn", "fail", "error", "unknown"]).toContain(extractDecision(text));
      },
    ),
  );
});

it("reads findings in their plainest form as it reads any other", () => {
  const part = fc.constantFrom(
    ...["- ", "* ", "**", "warn", "Warning", "FAIL", "ok", "pass", "info", "failed", "error"],
    ...[":", " — ", " ", "x", "\n", "Verdict", "\n\n", "é", "|", "[", "_"],
  );
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const text = parts.join("");
      expect(extractDecision(text)).toBe(extractDecision(text, () => true));
    }),
    { numRuns: 3000 },
  );
});

it("finds the result whatever prose stands before it", () => {
  const prose = fc
    .string()
    .filter((text) => extractDecision(`x${text.replace(/\s/g, " ")}`) === "unknown");
  fc.assert(
    fc.property(fc.array(prose), fc.constantFrom("PASS", "WARN", "FAIL"), (paragraphs, word) => {
      const before = paragraphs.map((text) => `x${text.replace(/\s/g, " ")}`).join("\n\n");
      expect(extractDecision(`${before}\n\n## Result: ${word}`)).toBe(word.toLowerCase());
    }),
  );
});
