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
    ["## ✅ PASS", "pass"],
    ["✅ Pass. The table fits.", "pass"],
    ["## Result: ERROR", "error"],
    ["## Result: UNKNOWN", "unknown"],
    ["## PASS\n\nThe shop note holds.", "pass"],
    ["## Verdict\n\nWARN", "warn"],
    ["## Verdict\n\nPassed", "pass"],
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
    ["a revised result declares nothing", "## Result: WARN\n\nRevised result: PASS", "warn"],
    ["a revised result alone", "Revised result: PASS", "unknown"],
    ["a revised result that is worse", "## Result: PASS\n\nRevised result: FAIL", "unknown"],
    ["a flag declares nothing", "- warn: old price. Flagging as INFO.\n## Result: WARN", "warn"],
    ["a flag alone", "The price is old. Flagging as INFO.", "unknown"],
    ["a flag lifts no fail", "- fail: no source. Flagging as INFO only.\n## Result: FAIL", "fail"],
    ["a flag that is worse", "Flagging as FAIL.\n\n## Result: PASS", "unknown"],
    ["results that differ", "## Result: PASS\n## Result: FAIL", "unknown"],
    ["pass against a warning", "- warn: no source\n## Result: PASS", "unknown"],
    ["warn beside a pass", "- pass: fine\n## Result: WARN", "warn"],
    ["fail beside a warning", "- warn: old\n## Result: FAIL", "fail"],
    ["nothing lifts a warning", "- pass: fine\nNo violations found.\n## Result: WARN", "warn"],
    ["warn with a bold minor finding", "- **minor**: tiny\n- info: x\n## Result: WARN", "warn"],
    ["fail with a bold major finding", "- **major**: big\n- warn: x\n## Result: FAIL", "fail"],
    ["pass with a minor remark", "Minor: tiny\n## Result: PASS", "pass"],
    ["a pass alone on its line beside a warn", "Fine.\n\nPASS\n\n## Result: WARN", "warn"],
    ["info beside a pass", "- info: nice\n## Result: PASS", "pass"],
    ["a bold warning among findings", "### Findings\n\n**WARN — no source**\n\nmore\n", "warn"],
  ])("%s", (_, text, decision) => {
    expect(extractDecision(text)).toBe(decision);
  });
});

describe("a review that opens with its verdict, ends with a count, or has it in its front matter", () => {
  it.each([
    ["Pass. The table earns its place: every row is used.", "pass"],
    ["PASS — no stock phrases.", "pass"],
    ["**Pass.** The title says what the body proves.", "pass"],
    ["# Review of prices\n\nPass. The table earns its place.", "pass"],
    ["Warn: two prices have no source.", "warn"],
    ["Fail. The title claims more than the body.", "fail"],
    ["OK. Nothing stands out.", "pass"],
    ["Passing trains are loud.", "unknown"],
    ["Pass, but only if the price is fixed.", "unknown"],
    ["Pass the salt.", "unknown"],
    ["The title fits. Pass.", "unknown"],
    ["Pass. The table fits.\n\n- fail: the price is wrong", "unknown"],
    ["Pass. Fine.\n\n## Result: FAIL", "unknown"],
    ["The note holds.\n\nNo WARN, two INFO.", "pass"],
    ["The note holds.\n\n0 fail, 1 warn, 2 info", "warn"],
    ["The note holds.\n\nNo WARN or FAIL findings.", "pass"],
    ["The note holds.\n\nNo findings.", "pass"],
    ["- warn: old price\n\nNo WARN, two INFO.", "unknown"],
    ["No WARN, two INFO.\n\nBut the price is wrong.", "unknown"],
    ["---\nverdict: pass\n---\n\nThe note holds.", "pass"],
    ["---\nverdict: pass\n---\n\nFail. No source.", "unknown"],
    ["---\nnote: prices.md\n---\nPass. The table fits.", "pass"],
    ["The table fits.\n\n---\n\nPass. The title fits.", "unknown"],
    ["The table fits.\n\nPass. The title fits.\n\n---\n", "unknown"],
  ])("%j is %s", (text, decision) => {
    expect(extractDecision(text)).toBe(decision);
  });
});

describe("a pass that is taken back at once", () => {
  it.each([
    "## Result: PASS (not)",
    "## Result: ~~PASS~~",
    "~~## Result: PASS~~",
    "## ~~PASS~~",
    "Verdict: PASS (with reservations)",
    "Verdict: pass, except for the price",
    "Verdict: pass with two warnings",
    "| Result | PASS (not) |",
    "## PASS (almost)",
    "**Pass** (almost)",
    "**Pass**, except for the price",
    "Result: <del>PASS</del>",
  ])("%j is no pass", (text) => {
    expect(extractDecision(text)).toBe("unknown");
  });

  it.each([
    "## Result: PASS (minor)",
    "## Result: PASS (2 INFO)",
    "Verdict: pass with 2 info",
    "Verdict: PASS. The note holds.",
  ])("%j is one", (text) => {
    expect(extractDecision(text)).toBe("pass");
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
