import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import {
  codeQualitySchema,
  diagnosticSchema,
  junitAttributes,
  sarifSchema,
} from "../../../tests/support/ci-schemas.ts";
import { actingCharacters } from "../../domain/values/visible.ts";
import { renderCi } from "./ci-formats.ts";
import type { CiFinding, CiReport } from "./ci-report.ts";

const calm = {
  id: "prose/calm",
  description: "Notes that shout",
  body: "Fail what shouts.\n\n## Passing example\n\nQuiet.",
  failLevel: "fail",
} as const;

const stale: CiFinding = {
  note: 'notes/a & "b".md',
  gate: "prose/calm",
  model: "gpt-5-4",
  rule: "note-changed",
  level: "error",
  message: "prose/calm: the note changed,\nafter 100% of <reviews>\u0007",
  fingerprint: "f1",
  mend: "Review it: signoff notes review x",
};
const warned: CiFinding = {
  note: "notes/c.md",
  gate: "prose/plain",
  model: "rule",
  rule: "warning",
  level: "warning",
  message: "prose/plain: a long word",
  line: 7,
  quote: "incomprehensibilities | @all <b>",
  fingerprint: "f2",
};
const ruled: CiFinding = { ...warned, fingerprint: "f3", suppressed: "ada: a name" };
const unread: CiFinding = {
  ...{ note: "notes/d.md", gate: "", model: "", rule: "unreadable", level: "error" },
  ...{ message: "the file is binary", fingerprint: "f4" },
};

const pairs = [stale, warned, { note: "notes/e.md", gate: "prose/calm", model: "gpt-5-4" }].map(
  ({ note, gate, model }) => ({ note, gate, model }),
);
const report: CiReport = {
  title: "signoff notes check",
  folder: "",
  pairs,
  gates: [calm],
  findings: [unread, stale, warned, ruled],
};

function expectShape(schema: object, document: unknown): void {
  const validate = new Ajv({ strict: false, unicodeRegExp: true }).compile(schema);
  expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
}

describe("SARIF", () => {
  const sarif = JSON.parse(renderCi(report, "sarif"));
  const [run] = sarif.runs;

  it("has the shape of the standard, with gates as rules that explain themselves", () => {
    expectShape(sarifSchema, sarif);
    const rule = run.tool.driver.rules.find((one: { id: string }) => one.id === "prose/calm");
    expect(rule).toMatchObject({
      name: "Calm",
      shortDescription: { text: "Notes that shout" },
      fullDescription: { text: "Fail what shouts." },
      help: { markdown: calm.body },
      defaultConfiguration: { level: "warning" },
    });
    for (const { ruleId, ruleIndex } of run.results)
      expect(run.tool.driver.rules[ruleIndex].id).toBe(ruleId);
  });

  it("has the line, the words and a fingerprint of each finding, and rulings as suppressions", () => {
    const [, , seen, suppressed] = run.results;
    expect(seen.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: "notes/c.md" },
      region: { startLine: 7, snippet: { text: warned.quote } },
    });
    expect(seen.partialFingerprints).toEqual({ "signoffFinding/v1": "f2" });
    expect(seen.suppressions).toBeUndefined();
    expect(suppressed.suppressions).toEqual([
      { kind: "external", status: "accepted", justification: "ada: a name" },
    ]);
    expect(JSON.stringify(sarif)).toContain("notes/a%20%26%20%22b%22.md");
  });
});

it.each(["sarif", "github", "junit", "gitlab", "rdjsonl", "markdown"] as const)(
  "%s holds no character that acts on whoever prints it",
  (format) => {
    const acting = "x\u001B[31m\u009B1m\u0085\u2028\u202Ey";
    const finding: CiFinding = { ...warned, gate: "prose/calm" };
    const hostile: CiReport = {
      title: acting,
      folder: "",
      pairs: [{ note: acting, gate: "prose/calm", model: acting }],
      gates: [{ ...calm, description: acting, body: acting }],
      findings: [
        { ...finding, note: acting, model: acting, rule: acting },
        { ...finding, note: acting, message: acting, quote: acting, mend: acting },
        { ...finding, suppressed: acting },
      ],
    };
    const text = renderCi(hostile, format);
    expect(text.match(actingCharacters)).toBeNull();
    expect(text).toContain("31m");
  },
);

describe("lines for other programs", () => {
  it("annotations stay on one line each and leave rulings out", () => {
    const lines = renderCi(report, "github").trimEnd().split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain("the note changed,%0Aafter 100%25 of <reviews>⟨U+0007⟩%0AReview it");
    expect(lines[2]).toBe(
      "::warning file=notes/c.md,line=7,title=prose/plain%3A warning::prose/plain: a long word%0A> incomprehensibilities | @all <b>",
    );
  });

  it("rdjsonl has a diagnostic per line", () => {
    const lines = renderCi(report, "rdjsonl").trimEnd().split("\n");
    expect(lines).toHaveLength(3);
    for (const line of lines) expectShape(diagnosticSchema, JSON.parse(line));
    expect(JSON.parse(lines[2] ?? "")).toMatchObject({
      location: { path: "notes/c.md", range: { start: { line: 7 } } },
      code: { value: "prose/plain" },
      severity: "WARNING",
    });
  });

  it("the code quality report never repeats a fingerprint", () => {
    const twice = { ...report, findings: [warned, warned] };
    const entries = JSON.parse(renderCi(twice, "gitlab"));
    expectShape(codeQualitySchema, entries);
    expect(entries.map((one: { fingerprint: string }) => one.fingerprint)).toEqual(["f2", "f2-2"]);
  });
});

describe("JUnit", () => {
  it("has a case per pair and per unreadable file, and escapes what XML cannot hold", () => {
    const xml = renderCi(report, "junit");
    expect(xml).toContain('<testsuites tests="4" failures="2">');
    expect(xml).toContain('classname="notes/a &amp; &quot;b&quot;.md"');
    expect(xml).toContain("after 100% of &lt;reviews&gt;⟨U+0007⟩");
    expect(xml).toContain(
      '<testcase classname="notes/c.md" name="prose/plain (rule)"><system-out>warning in line 7',
    );
    expect(xml).toContain('<testcase classname="notes/e.md" name="prose/calm (gpt-5-4)"');
    expect(xml).toContain('<testcase classname="notes/d.md" name="unreadable">');
  });

  it("has no element and no attribute that the published schema does not allow", () => {
    const found = [...renderCi(report, "junit").matchAll(/<(\w[\w-]*)([^>]*)>/gu)];
    expect(found.length).toBeGreaterThan(8);
    for (const [, element = "", written = ""] of found) {
      const allowed = junitAttributes[element];
      expect(allowed, element).toBeDefined();
      const names = [...written.matchAll(/ ([\w-]+)="/gu)].map(([, name]) => name);
      expect(allowed).toEqual(expect.arrayContaining(names));
    }
  });

  it("counts its cases and names each of them once", () => {
    const xml = renderCi(report, "junit");
    expect(xml.match(/<testcase /g)).toHaveLength(4);
    expect(xml.match(/<failure /g)).toHaveLength(2);
    expect(xml).toContain(
      '<testsuite name="signoff notes check" tests="4" failures="2" errors="0" skipped="0">',
    );
  });
});

describe("the summary in markdown", () => {
  it("puts errors first, and nothing in it is markup or a mention", () => {
    const summary = renderCi(report, "markdown");
    expect(summary).toContain("### signoff notes check: failed");
    expect(summary).toContain("3 pairs: 2 errors, 1 warning; 1 suppressed by rulings.");
    const rows = summary.split("\n").filter((line) => line.startsWith("| "));
    expect(rows.map((row) => row.split(" | ")[0])).toEqual([
      "|",
      "| error",
      "| error",
      "| warning",
    ]);
    expect(summary).not.toContain("@all");
    expect(summary).not.toMatch(/<b>|<reviews>/);
  });

  it("has a first line that no other project of the repository has", () => {
    const firstLine = (folder: string) =>
      renderCi({ ...report, folder }, "markdown").split("\n")[0];
    expect(firstLine("")).toBe("<!-- signoff notes -->");
    expect(firstLine("docs/a-->b/")).toBe("<!-- signoff notes docs%2Fa--%3Eb%2F -->");
  });

  it("fits into a comment, however long the findings are", () => {
    const long = Array.from({ length: 60 }, () => ({
      ...warned,
      message: "no source ".repeat(2_000),
      quote: "the price ".repeat(2_000),
    }));
    expect(renderCi({ ...report, findings: long }, "markdown").length).toBeLessThan(65_536);
  });

  it("says that there is nothing to report", () => {
    const none = renderCi({ ...report, findings: [] }, "markdown");
    expect(none).toContain("passed\n\n3 pairs: nothing to report.");
  });
});
