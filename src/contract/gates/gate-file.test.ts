import { describe, expect, it } from "vitest";
import { parseGateFile } from "./gate-file.ts";

const parse = (text: string) =>
  parseGateFile("prose/stock-phrases", "gates/prose/stock-phrases.md", text);

describe("a gate file", () => {
  it("needs nothing but a text", () => {
    expect(parse("## Test\n\nFind phrases that say nothing.\n")).toEqual({
      kind: "parsed",
      value: {
        id: "prose/stock-phrases",
        kind: "judge",
        watches: ["body", "title", "description"],
        requiresTrait: [],
        requiresType: [],
        failLevel: "fail",
        rules: [],
        body: "## Test\n\nFind phrases that say nothing.",
      },
    });
  });

  it("says what it watches and whom it is for, as one name or several", () => {
    const read = parse(
      "---\nwatches: [links, frontmatter.tags]\nrequires_trait: title-as-claim\nrequires-type: [claim, definition]\nfail_level: warn\n---\nTest.\n",
    );
    expect(read).toMatchObject({
      value: {
        watches: ["links", "frontmatter.tags"],
        requiresTrait: ["title-as-claim"],
        requiresType: ["claim", "definition"],
        failLevel: "warn",
      },
    });
  });

  it("says the same whatever its line ends", () => {
    const text = "---\nrequires_type: note\n---\nFail what shouts:\n\n- in a title\n- in a table\n";
    expect(parse(text.replaceAll("\n", "\r\n"))).toEqual(parse(text));
  });

  it("of kind rule has rules", () => {
    const read = parse(
      "---\nkind: rule\nrules:\n  - words: [obviously]\n  - max_characters: 200\n    in: description\n    severity: fail\n    message: Too long.\n  - required_headings: [Costs]\n---\n",
    );
    expect(read).toMatchObject({
      value: {
        kind: "rule",
        rules: [
          { kind: "words", words: ["obviously"], in: "body", severity: "warn" },
          {
            kind: "max-characters",
            limit: 200,
            in: "description",
            severity: "fail",
            message: "Too long.",
          },
          { kind: "required-headings", headings: ["Costs"], severity: "warn" },
        ],
      },
    });
  });

  it.each([
    ["an unknown part", "---\ndescription: x\nwatches: [bodies]\n---\nTest.\n", 3, "watches"],
    ["an unknown key", "---\nfaillevel: warn\n---\nTest.\n", 2, "faillevel"],
    ["a requirement that is no name", "---\nrequires_trait: 7\n---\nTest.\n", 2, "requires_trait"],
    [
      "two checks in one rule",
      "---\nkind: rule\nrules:\n  - words: [a]\n    max_words: 3\n---\n",
      4,
      "rules[0]",
    ],
    ["a rule without check", "---\nkind: rule\nrules:\n  - severity: fail\n---\n", 4, "rules[0]"],
    ["no rules", "---\nkind: rule\n---\n", 2, "kind"],
    ["rules for a judge", "---\nrules:\n  - words: [a]\n---\nTest.\n", 2, "rules"],
    ["nothing to judge", "---\ndescription: x\n---\n", 2, ""],
    ["broken front matter", "---\nwatches: [body\n---\nTest.\n", 3, ""],
  ])("with %s is refused with its line", (_, text, line, path) => {
    const read = parse(text);
    expect(read.kind).toBe("problems");
    if (read.kind !== "problems") return;
    expect(read.problems[0]).toMatchObject({ file: "gates/prose/stock-phrases.md", line, path });
    expect(read.problems[0]?.message).not.toContain("Invalid input");
  });
});
