import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PassageReader } from "./changed-passages.ts";

const changedPassages = (before: string, after: string) =>
  new PassageReader().changed(before, after);

describe("changed passages", () => {
  it("names the sentence that is new in an edited line", () => {
    expect(
      changedPassages(
        "We talk about bees. Then about honey.",
        "We talk about bees. Then about wax.",
      ),
    ).toEqual(["Then about wax."]);
  });

  it("names a new line and leaves out lines that only moved", () => {
    expect(changedPassages("- bees\n- honey\n", "- honey\n- wax\n- bees\n")).toEqual(["- wax"]);
  });

  it("does not take other white space for a change", () => {
    expect(changedPassages("We talk  about bees. \r\n", "We talk about\tbees.\n\n")).toEqual([]);
  });

  it("does not take other white space inside a sentence for a new one", () => {
    expect(
      changedPassages(
        "We talk  about\tbees. Then about honey.",
        "We talk about bees.  Then\u00a0about wax.",
      ),
    ).toEqual(["Then about wax."]);
  });

  it("sees a changed line of marks alone", () => {
    expect(changedPassages("Bees\n---", "Bees\n***")).toEqual(["***"]);
  });

  it("is empty for a text against itself, and never empty when a new line was added", () => {
    const shownotes = fc.array(fc.constantFrom("Bees.", "Honey? Wax!", "- links", ""), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(shownotes, (lines) => {
        const text = lines.join("\n");
        expect(changedPassages(text, text)).toEqual([]);
        expect(changedPassages(text, `${text}\nA guest.`)).toEqual(["A guest."]);
      }),
    );
  });

  it("are the same whatever was compared before", () => {
    const line = fc.constantFrom("Bees. Honey!", "Bees. Wax?", "Wax? Then  honey.", "- links", "");
    const text = fc.array(line, { maxLength: 5 }).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(fc.array(text, { minLength: 2, maxLength: 6 }), (texts) => {
        const reader = new PassageReader();
        for (const [at, after] of texts.slice(1).entries()) {
          const before = texts[at] ?? "";
          expect(reader.changed(before, after)).toEqual(changedPassages(before, after));
        }
      }),
    );
  });
});
