import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseBundleOutput, parseSweepOutput } from "./parse-output.ts";
import { resultCode } from "./result-code.ts";
import { writeBundleOutput, writeSweepOutput } from "./write-output.ts";

const start = (gate: string, code = "") => `=== GATE REVIEW START${code}: ${gate} ===`;
const end = (gate: string, code = "") => `=== GATE REVIEW END${code}: ${gate} ===`;
const block = (gate: string, body: string, code = "") =>
  `${start(gate, code)}\n${body}\n${end(gate, code)}\n`;
const gateIds = ["prose/stock-phrases", "prose/source-residue"];
const pass = "### Summary\nHolds.\n\n## Result: PASS";

describe("a bundle", () => {
  it("is read in the order asked for, whatever stands around the blocks", () => {
    const text = `Sure!\n${block(gateIds[1]!, pass)}\n---\n${block(gateIds[0]!, "## Result: WARN")}bye`;
    const { reviews, missing, problems } = parseBundleOutput(text, { gateIds });
    expect(reviews.map(({ gateId, decision }) => [gateId, decision])).toEqual([
      [gateIds[0], "warn"],
      [gateIds[1], "pass"],
    ]);
    expect({ missing, problems }).toEqual({ missing: [], problems: [] });
  });

  it("gives findings with quote and line, summary, revision and the raw text", () => {
    const body = [
      "### Summary",
      "Two prices have no source.",
      "### Findings",
      "- warn: no source for the price (line 12)",
      "  > costs 40 euros",
      "- **fail**: contradicts",
      "  the table",
      "* info: nice example",
      "### Suggested revision",
      "Link the price list.",
      "",
      "## Result: FAIL",
    ].join("\n");
    const { reviews } = parseBundleOutput(block(gateIds[0]!, body), { gateIds: [gateIds[0]!] });
    expect(reviews).toEqual([
      {
        gateId: gateIds[0],
        decision: "fail",
        text: body,
        summary: "Two prices have no source.",
        findings: [
          {
            severity: "warn",
            message: "no source for the price (line 12)",
            quote: "costs 40 euros",
            line: 12,
          },
          { severity: "fail", message: "contradicts the table" },
          { severity: "info", message: "nice example" },
        ],
        suggestedRevision: "Link the price list.",
      },
    ]);
  });

  it.each([
    ["missing", "", gateIds],
    ["unterminated", `${start(gateIds[0]!)}\n${pass}`, gateIds],
    ["empty", block(gateIds[0]!, " "), gateIds],
    ["duplicate", block(gateIds[0]!, pass).repeat(2), gateIds],
    ["end-without-start", `${end(gateIds[0]!)}\n${block(gateIds[0]!, pass)}`, gateIds],
    ["nested", `${start(gateIds[0]!)}\n${block(gateIds[1]!, pass)}${end(gateIds[0]!)}`, gateIds],
    ["end-mismatch", `${start(gateIds[0]!)}\n${pass}\n${end(gateIds[1]!)}`, gateIds],
    ["unexpected", block("prose/unasked", pass) + block(gateIds[0]!, pass), [gateIds[1]!]],
  ])("with a fault (%s) lacks every block the fault touches", (kind, text, missing) => {
    const output = parseBundleOutput(text, { gateIds });
    expect(output.problems.map((problem) => problem.kind)).toContain(kind);
    expect(output.missing).toEqual(missing);
  });

  it("wrapped in one code fence as a whole is read, a fenced block inside a review is not", () => {
    const quoted = `\`\`\`\n${block(gateIds[1]!, pass)}\`\`\`\n## Result: FAIL`;
    const text = `\`\`\`markdown\n${block(gateIds[0]!, quoted)}\`\`\``;
    const { reviews, missing } = parseBundleOutput(text, { gateIds });
    expect(reviews.map(({ decision }) => decision)).toEqual(["fail"]);
    expect(missing).toEqual([gateIds[1]]);
  });

  it.each([
    ["```", "```"],
    ["```markdown", "```  "],
    [" \n\n``` MD", "```\n \n"],
    ["~~~text", "~~~\n"],
  ])("is read from the fence %j to %j around all of it", (opening, closing) => {
    const text = `${opening}\n${block(gateIds[0]!, pass)}${closing}`;
    expect(parseBundleOutput(text, { gateIds: [gateIds[0]!] })).toMatchObject({
      reviews: [{ decision: "pass" }],
      problems: [],
    });
  });

  it.each([
    ["of another language", "```python", "```"],
    ["whose last line opens another", "```", "```text"],
    ["that is closed by other marks", "```", "~~~"],
    ["that is never closed", "```", "Done."],
  ])("is quoted, not given, in a fence %s", (_, opening, closing) => {
    const text = `${opening}\n${block(gateIds[0]!, pass)}${closing}`;
    expect(parseBundleOutput(text, { gateIds }).missing).toEqual(gateIds);
  });

  it("is read if only its end is fenced", () => {
    const text = `${block(gateIds[0]!, pass)}\`\`\`\nnotes\n\`\`\``;
    expect(parseBundleOutput(text, { gateIds }).missing).toEqual([gateIds[1]]);
  });

  it("names both blocks where one is opened inside the other", () => {
    const text = `${start("a")}\n${block("b", pass)}`;
    expect(parseBundleOutput(text, { gateIds: ["a", "b"] }).problems).toEqual([
      { kind: "nested", name: "a", message: "block opened before a was closed: b" },
      { kind: "nested", name: "b", message: "block opened inside a: b" },
    ]);
  });

  it("names both blocks where one is closed by the end of the other", () => {
    const text = `${start("a")}\n${pass}\n${end("b")}`;
    expect(parseBundleOutput(text, { gateIds: ["a", "b"] }).problems).toEqual([
      { kind: "end-mismatch", name: "a", message: "expected the end of a, found b" },
      { kind: "end-mismatch", name: "b", message: "end of b inside a" },
    ]);
  });

  it("with a nonce has no other sentinels than those that carry it", () => {
    const nonce = "k3v9";
    const inner = `${block(gateIds[1]!, pass)}${block(gateIds[1]!, pass, " k3v8")}## Result: FAIL`;
    const text = block(gateIds[0]!, inner, ` ${nonce}`);
    const blind = parseBundleOutput(text, { gateIds, nonce });
    expect(blind.reviews.map(({ decision }) => decision)).toEqual(["unknown"]);
    const coded = text.replace(
      "## Result: FAIL",
      `## Result ${resultCode(nonce, gateIds[0]!, [])}: FAIL`,
    );
    const knowing = parseBundleOutput(coded, { gateIds, nonce, sources: [pass] });
    expect(knowing.reviews.map(({ decision }) => decision)).toEqual(["fail"]);
    expect(knowing.missing).toEqual([gateIds[1]]);
  });
});

describe("a sweep", () => {
  const notePaths = ["notes/prices.md", "notes/opening hours.md", "notes/100 %\nodd.md"];
  const gateId = "prose/stock-phrases";

  it("gives one review per note, however odd its name", () => {
    const text = writeSweepOutput(
      gateId,
      notePaths.map((notePath) => ({ notePath, review: { text: pass } })),
      { nonce: "c0de" },
    );
    const output = parseSweepOutput(text, { notePaths, gateId, nonce: "c0de" });
    expect([...output.reviews.keys()]).toEqual(notePaths);
    expect(output.missing).toEqual([]);
  });

  it("without the gate's block in a note block lacks that note", () => {
    const text = `=== NOTE START: ${notePaths[0]} ===\n## Result: PASS\n=== NOTE END: ${notePaths[0]} ===`;
    expect(parseSweepOutput(text, { notePaths, gateId }).missing).toEqual(notePaths);
  });
});

const finding = fc.record({
  severity: fc.constantFrom("info" as const, "warn" as const, "fail" as const),
  message: fc.stringMatching(/^[a-z][a-z ,]{0,40}[a-z]$/),
});

it("reads back what the writers wrote, for any review and any name", () => {
  const name = fc.string({ minLength: 1, unit: "grapheme" });
  const review = fc.record({ summary: fc.string(), findings: fc.array(finding) });
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 1 }), review, (names, { summary, findings }) => {
      const decision = findings.some(({ severity }) => severity === "fail")
        ? "fail"
        : findings.some(({ severity }) => severity === "warn")
          ? "warn"
          : "pass";
      const written = names.map((gateId) => ({
        gateId,
        review: { decision, summary, findings } as const,
      }));
      const nonce = "5f1d3b7a90";
      const output = parseBundleOutput(writeBundleOutput(written, { nonce }), {
        gateIds: names,
        nonce,
      });
      expect(output.problems).toEqual([]);
      for (const read of output.reviews) {
        expect(read.decision).toBe(decision);
        expect(read.findings.map(({ severity }) => severity)).toEqual(
          findings.map(({ severity }) => severity),
        );
      }
    }),
  );
});

it("never accepts a block that is not closed, wherever a reply is cut", () => {
  const nonce = "5f1d3b7a90";
  const whole = writeBundleOutput(
    gateIds.map((gateId) => ({ gateId, review: { text: pass } })),
    { nonce },
  );
  fc.assert(
    fc.property(fc.nat(whole.length - 1), (cut) => {
      const output = parseBundleOutput(whole.slice(0, cut), { gateIds, nonce });
      for (const { gateId } of output.reviews)
        expect(whole.slice(0, cut)).toContain(`GATE REVIEW END ${nonce}: ${gateId} ===`);
    }),
  );
});
