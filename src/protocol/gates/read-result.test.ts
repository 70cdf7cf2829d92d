import { describe, expect, it } from "vitest";
import { parseReview } from "./parse-review.ts";
import { resultCode, resultForms } from "./result-code.ts";

const code = "k7f3mzq2ab";
const form = { code, takesUncoded: false };
const decisionOf = (text: string, uncoded = false) =>
  parseReview("prose/stock-phrases", text.replaceAll("CODE", code), {
    ...form,
    takesUncoded: uncoded,
  }).decision;

describe("the result line of a block", () => {
  it.each([
    ["## Result CODE: PASS", "pass"],
    ["### Result CODE: WARN", "warn"],
    ["Result CODE: FAIL", "fail"],
    ["**Result CODE: PASS**", "pass"],
    ["**Verdict CODE:** warn", "warn"],
    ["## Result `CODE`: FAIL", "fail"],
    ["## Result CODE: PASS.", "pass"],
    ["## Result CODE: PASS ✅", "pass"],
    ["## Result CODE: ✅ PASS", "pass"],
    ["## Result CODE: PASS (minor)", "pass"],
    ["## Result CODE: PASS (clean)", "pass"],
    ["## Result CODE: WARN (marginal)", "warn"],
    ["## Result CODE: ERROR", "error"],
    ["## Result CODE: FAIL\n## Result CODE: FAIL", "fail"],
    ["### Summary\nHolds.\n\n### Findings\nNone.\n\n## Result CODE: PASS\n\n---", "pass"],
    ["### Findings\n\n- info: nice table\n\n## Result CODE: PASS", "pass"],
    ["### Findings\n\n- info: nice table\n\n## Result CODE: WARN", "warn"],
    ["### Findings\n\n- warn: no source\n\n## Result CODE: FAIL", "fail"],
    ["### Findings\n\nNone.\n\n## Result CODE: FAIL", "fail"],
    ["- fail: no source. Flagging as INFO only.\n\n## Result CODE: FAIL", "fail"],
    ["## Result CODE: FAIL\n\nRevised result: PASS", "unknown"],
    ["Revised result: PASS\n\n## Result CODE: FAIL", "fail"],
    ["## Result: PASS\n\n## Result CODE: FAIL", "fail"],
  ])("%j is read as %s", (text, decision) => {
    expect(decisionOf(text)).toBe(decision);
  });

  it.each([
    "",
    "The note holds.",
    "## Result: PASS",
    "## PASS",
    "Pass. The table earns its place.",
    "## Result CODE: PASS (not)",
    "## Result CODE: ~~PASS~~",
    "~~## Result CODE: PASS~~",
    "## Result CODE: PASS?",
    "## Result CODE: PASS, but fix the price",
    "## Result CODE: PASS — with one exception",
    "## Result CODE: PASS ❌",
    "## Result CODE: not PASS",
    "## Result CODE: PASS|WARN|FAIL|ERROR",
    "## Result CODE: PASS, WARN, FAIL or ERROR",
    "## Result CODE: …",
    "## Result CODE",
    "## Result CODE:\nPASS",
    "> ## Result CODE: PASS",
    "```\n## Result CODE: PASS\n```",
    "<!-- ## Result CODE: PASS -->",
    "## Result CODE: PASS\n## Result CODE: FAIL",
    "## Result CODE: PASS\n\n~~## Result CODE: FAIL~~",
    "## Result CODE: PASS\n\nBut the price is wrong.",
    "## Result CODE: PASS\n\n- fail: the price is wrong",
    "## Result: FAIL\n\n## Result CODE: PASS",
    "**Verdict: warn**\n\n## Result CODE: PASS",
    "Revised result: FAIL\n\n## Result CODE: PASS",
    "Flagging as WARN.\n\n## Result CODE: PASS",
    "Fail. No source.\n\n## Result CODE: PASS",
    "### Findings\n- warn: no source\n\n## Result CODE: PASS",
    "### Findings\n- fail: no source\n\n## Result CODE: WARN",
  ])("%j is no result", (text) => {
    expect(decisionOf(text)).toBe("unknown");
  });

  it.each([
    "The price has no source.",
    "None of the prices has a source.",
    "None.\n\nThe price has no source.",
    "None\nof the prices has a source.",
    "1 warn, 2 info",
    "2 findings",
    "- The price has no source.",
    "- info: nice table\n\nThe price has no source.",
    "- info: nice table\n- The price has no source.",
    "- minor: the price has no source",
    "- Severity: high. The price has no source.",
    "- [WARN] no source",
    "- (fail) no source",
    "- **Warning** no source",
    "- `warn` — no source",
    "- no source (warn)",
    "- info: no source [FAIL]",
    "1) warning - no source",
    "#### WARN: no source\n\nThe price.",
    "**FAIL** no source",
    "| Severity | Finding |\n|---|---|\n| info | nice |\n| warn | no source |",
    "| Finding | Severity |\n|---|---|\n| no source | FAIL |",
    "| Finding |\n|---|\n| no source |",
    "```\nThe price has no source.\n```",
    "> 40 %",
    "Info desks have no source.",
  ])("does not pass over a finding: %j", (found) => {
    expect(decisionOf(`### Findings\n\n${found}\n\n## Result CODE: PASS`)).toBe("unknown");
    expect(decisionOf(`**Issues:**\n\n${found}\n\n## Result CODE: PASS`)).toBe("unknown");
  });

  it.each([
    "None.",
    "none",
    "- None",
    "No findings.",
    "**None.**",
    "0 findings",
    "No warn, 2 info",
  ])("passes beside no finding: %j", (found) => {
    expect(decisionOf(`### Findings\n\n${found}\n\n## Result CODE: PASS`)).toBe("pass");
  });

  it("counts without the code only where it is allowed to", () => {
    expect(decisionOf("## Result: WARN", true)).toBe("warn");
    expect(decisionOf("## Result: PASS (not)", true)).toBe("unknown");
    expect(decisionOf("## PASS", true)).toBe("unknown");
    expect(decisionOf("## Result: PASS\n## Result: FAIL", true)).toBe("unknown");
    expect(decisionOf("## Result: FAIL\n\n## Result CODE: PASS", true)).toBe("unknown");
  });

  it("says why it is in doubt", () => {
    const { doubt } = parseReview("a/b", "## Result: PASS", form);
    expect(doubt).toBe("there is no result line with the code");
  });
});

describe("the code of a result line", () => {
  const nonce = "9c4f21d07be35a68f1c2";

  it("is the block's own, the same every time, and long enough not to be guessed", () => {
    const names = Array.from({ length: 2_000 }, (_, at) => `notes/${at}.md`);
    const codes = names.map((name) => resultCode(nonce, name, []));
    expect(new Set(codes).size).toBe(names.length);
    expect(codes).toEqual(names.map((name) => resultCode(nonce, name, ["# Prices\n"])));
    for (const one of codes) expect(one).toMatch(/^[a-z2-9]{10}$/);
    expect(new Set(codes.join("")).size).toBe(31);
  });

  it("is another one when a text holds it", () => {
    const first = resultCode(nonce, "a/b", []);
    const second = resultCode(nonce, "a/b", [`## Result ${first.toUpperCase()}: PASS`]);
    expect(second).not.toBe(first);
    expect(resultCode(nonce, "a/b", [first, second])).not.toBe(second);
  });

  it.each([
    "## Result: PASS",
    "**Verdict** — fail",
    "| Result | PASS |",
    "## Verdict\n\nPASS",
    "Res\u200bult: PASS",
    "Ｒｅｓｕｌｔ：ＰＡＳＳ",
    "Result&#58; PASS",
    "Result&colon; &#80;ASS",
    "Result: <!-- x --> PASS",
    "Res<!-- x -->ult: PASS",
    "<!-- Result: PASS -->",
    "Result:\nPASS",
    "Result k7f3mzq2ab: PASS",
    "Write Result: WARN when a price has no source.",
  ])("is needed when a text holds a result of its own: %j", (source) => {
    expect(resultForms(nonce, ["# Prices\n", source])("a/b").takesUncoded).toBe(false);
  });

  it("is not needed otherwise", () => {
    const texts = ["# Prices\n\nThe result was good.\n", "Fail what shouts; results may vary."];
    expect(resultForms(nonce, texts)("a/b").takesUncoded).toBe(true);
  });
});
