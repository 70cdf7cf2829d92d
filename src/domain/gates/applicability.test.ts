import { describe, expect, it } from "vitest";
import { parseNote } from "../../contract/documents/parse-note.ts";
import { gateAppliesToNote, traitsOf, typeOf } from "./applicability.ts";

const open = { requiresTrait: [], requiresType: [] };
const claim = parseNote(
  "---\ntype: definition\ntraits: [title-as-claim]\n---\n# A return is a contract\n",
);
const plain = parseNote("# Prices\n");
const broken = parseNote("---\ntraits: [title-as-claim\n---\n# Prices\n");

describe("a gate", () => {
  it.each([
    ["without requirements", open, plain, true],
    ["without requirements, front matter broken", open, broken, true],
    [
      "for a trait the note has",
      { ...open, requiresTrait: ["other", "title-as-claim"] },
      claim,
      true,
    ],
    [
      "for a trait the note lacks",
      { ...open, requiresTrait: ["title-as-claim"] },
      plain,
      "trait-missing",
    ],
    ["for the note's type", { ...open, requiresType: ["definition", "claim"] }, claim, true],
    [
      "for a type named by its file",
      { ...open, requiresType: ["kb/types/definition.md"] },
      claim,
      true,
    ],
    ["for another type", { ...open, requiresType: ["related-system"] }, claim, "type-differs"],
    ["for notes, on one that names no type", { ...open, requiresType: ["note"] }, plain, true],
    [
      "for a trait that cannot be read",
      { ...open, requiresTrait: ["title-as-claim"] },
      broken,
      "malformed-front-matter",
    ],
  ])("%s", (_, gate, note, expected) => {
    const answer = gateAppliesToNote(gate, note);
    expect(answer.applies ? true : answer.reason).toBe(expected);
  });

  it("says where the front matter is broken", () => {
    const answer = gateAppliesToNote({ ...open, requiresType: ["claim"] }, broken);
    expect(answer).toMatchObject({ applies: false, explanation: expect.stringMatching(/line \d/) });
  });

  it("says what it needs and what the note has", () => {
    const said = (gate: Parameters<typeof gateAppliesToNote>[0], note = claim) => {
      const answer = gateAppliesToNote(gate, note);
      return answer.applies ? "applies" : answer.explanation;
    };
    expect(said({ ...open, requiresTrait: ["a", "b"] })).toBe(
      "needs one of the traits a, b; the note has title-as-claim",
    );
    expect(said({ ...open, requiresTrait: ["a"] }, plain)).toBe(
      "needs one of the traits a; the note has none",
    );
    expect(said({ ...open, requiresType: ["a", "b"] })).toBe(
      "needs one of the types a, b; the note is definition",
    );
    expect(said({ ...open, requiresTrait: ["a"] }, broken)).toMatch(
      /^line \d+: the front matter /u,
    );
  });

  it("does not count empty traits", () => {
    const note = parseNote("---\ntraits: [' ', 7, ' a ']\ntype: ''\n---\n# Prices\n");
    expect(traitsOf(note)).toEqual(["a"]);
    expect(typeOf(note)).toBe("note");
  });
});
