import { expect, it } from "vitest";
import { renderJUnit } from "./junit.ts";

it("counts, escapes what XML reserves and shows or replaces what it cannot hold", () => {
  const text = 'a < b & "c"\r\nthen\tbell\u0007 and half a pair \ud800';
  const failure = { kind: "failure", type: "wrong", message: text, text } as const;
  const about = { classname: "shop", name: "step" };
  const report = renderJUnit({
    name: "O'Hara & sons",
    suites: [
      { name: "one", cases: [about, { ...about, result: failure }] },
      { name: "two", cases: [{ ...about, result: { kind: "skipped" } }] },
    ],
  });
  expect(report).toBe(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites name="O&#39;Hara &amp; sons" tests="3" failures="1">',
      '  <testsuite name="one" tests="2" failures="1" errors="0" skipped="0">',
      '    <testcase classname="shop" name="step"/>',
      '    <testcase classname="shop" name="step"><failure type="wrong" message="a &lt; b &amp; &quot;c&quot;&#10;then&#9;bell⟨U+0007⟩ and half a pair \uFFFD">a &lt; b &amp; &quot;c&quot;',
      "then\tbell⟨U+0007⟩ and half a pair \uFFFD</failure></testcase>",
      "  </testsuite>",
      '  <testsuite name="two" tests="1" failures="0" errors="0" skipped="1">',
      '    <testcase classname="shop" name="step"><skipped/></testcase>',
      "  </testsuite>",
      "</testsuites>",
      "",
    ].join("\n"),
  );
});
