import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseNote } from "../../contract/documents/parse-note.ts";
import { judgeOffline, offlineGates } from "./offline-judge.ts";

const judge = (gate: string, text: string) => judgeOffline(gate, parseNote(text)).decision;

describe("the offline judge", () => {
  it.each([
    [
      "prose/stock-phrases",
      "# A\n\nAt the end of the day, it rains.\n",
      "# A\n\nIt rains.\n",
      "warn",
    ],
    [
      "prose/overclaiming",
      "# A\n\nThis is guaranteed to work.\n",
      "# A\n\nThis mostly works.\n",
      "warn",
    ],
    ["prose/source-residue", "# A\n\nIn this episode we shop.\n", "# A\n\nWe shop.\n", "warn"],
    [
      "prose/unsourced-figures",
      "# A\n\nSales rose 40 %.\n",
      "# A\n\nSales rose 40 % ([ledger](l.md)).\n",
      "warn",
    ],
    [
      "semantic/undefined-abbreviations",
      "# A\n\nThe SKU is printed.\n",
      "# A\n\nThe stock keeping unit (SKU) is printed. SKU again.\n",
      "warn",
    ],
    [
      "semantic/title-body-alignment",
      "# Bicycles need winter tyres\n\nCake is sweet.\n",
      "# Bicycles need winter tyres\n\nA bicycle on ice slips without tyres made for winter.\n",
      "fail",
    ],
    [
      "frontmatter/description-adds",
      "---\ndescription: The returns\n---\n# Returns\n",
      "---\ndescription: Thirty days, receipt needed\n---\n# Returns\n",
      "warn",
    ],
  ])("%s tells a bad note from a good one", (gate, bad, good, decision) => {
    expect(judge(gate, bad)).toBe(decision);
    expect(judge(gate, good)).toBe("pass");
  });

  it("does not know gates it has no check for", () => {
    for (const gate of ["semantic/internal-consistency", "constructor", "__proto__", ""])
      expect(judge(gate, "# Returns\n")).toBe("unknown");
  });

  it("decides by the findings it names and by nothing else, for any note", () => {
    fc.assert(
      fc.property(fc.constantFrom(...offlineGates()), fc.string(), (gate, text) => {
        const { decision, findings } = judgeOffline(gate, parseNote(text));
        const severities = new Set(findings.map(({ severity }) => severity));
        const expected = severities.has("fail") ? "fail" : severities.has("warn") ? "warn" : "pass";
        expect(decision).toBe(expected);
        for (const { message } of findings) expect(message).toContain(`${gate.split("/")[1]}:`);
      }),
    );
  });
});
