import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseNote } from "../../contract/documents/parse-note.ts";
import { parseGateFile } from "../../contract/gates/gate-file.ts";
import { readOfflineCheck } from "../../contract/gates/offline-check.ts";
import { judgeOffline } from "./offline-judge.ts";

const judge = (body: string, text: string) =>
  judgeOffline("prose/any", readOfflineCheck(body), parseNote(text)).decision;
const asking = (rules: string) =>
  `Warn for it.\n\n## Offline check\n\n\`\`\`yaml\n${rules}\n\`\`\`\n`;

describe("the offline judge", () => {
  it.each([
    ["- words: [at the end of the day]", "At the end of the day, it rains.", "It rains."],
    ["- words: [today's world]", "In today’s world it rains.", "It rains today."],
    ["- unlinked_figures: true", "Sales rose 40 %.", "Sales rose 40 % ([ledger](l.md))."],
    [
      "- unexplained_abbreviations: 3",
      "The SKU is printed.",
      "The stock unit (SKU). A SKU is dry.",
    ],
    ["- max_words: 3", "One two three four.", "One two."],
  ])("reads what the gate asks: %s", (rules, bad, good) => {
    expect(judge(asking(rules), `# A\n\n${bad}\n`)).toBe("warn");
    expect(judge(asking(rules), `# A\n\n${good}\n`)).toBe("pass");
  });

  it("compares title, body and description", () => {
    const aligned = asking("- { title_words_in_body: 50, severity: fail }");
    expect(judge(aligned, "# Bicycles need winter tyres\n\nCake is sweet.\n")).toBe("fail");
    expect(judge(aligned, "# Winter tyres\n\nA tyre made for winter.\n")).toBe("pass");
    const adds = asking("- new_words_in_description: 2");
    expect(judge(adds, "---\ndescription: The returns\n---\n# Returns\n")).toBe("warn");
    expect(judge(adds, "---\ndescription: Thirty days, with receipt\n---\n# Returns\n")).toBe(
      "pass",
    );
  });

  it("is undecided about a gate that gives it no rules, whatever the gate is called", () => {
    const text = "# A\n\nNeedless to say, it rains.\n";
    for (const gate of ["prose/stock-phrases", "constructor", ""])
      expect(
        judgeOffline(gate, readOfflineCheck("Fail what mentions cats."), parseNote(text)).decision,
      ).toBe("unknown");
  });

  it.each([
    ["- words: []", "cannot be read"],
    ["- [", "cannot be read"],
    ["- pattern: '[0-9]+'", "has a pattern"],
  ])("refuses the gate with the offline check %s", (rules, why) => {
    const read = parseGateFile("prose/any", "any.md", asking(rules));
    expect(read.kind === "problems" && read.problems[0]?.message).toContain(why);
    expect(judge(asking(rules), "# A\n\nText.\n")).toBe("unknown");
  });

  it("decides by the findings it names and by nothing else, for any note", () => {
    const body = readFileSync("gates/prose/stock-phrases.md", "utf8");
    const check = readOfflineCheck(body);
    const words = fc.constantFrom("needless to say", "rain", "\n\n", "# ", "```", "game changer");
    fc.assert(
      fc.property(fc.array(words), (pieces) => {
        const { decision, findings } = judgeOffline("any", check, parseNote(pieces.join(" ")));
        expect(decision).toBe(findings.length > 0 ? "warn" : "pass");
        for (const { message } of findings) expect(message).toMatch(/^words: /);
      }),
    );
  });
});
