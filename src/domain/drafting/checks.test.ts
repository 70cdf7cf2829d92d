import { describe, expect, it } from "vitest";
import { checksOf, runChecks } from "./checks.ts";
import type { Check } from "./recipe.ts";

const tools = { matches: (pattern: string, text: string) => new RegExp(pattern, "u").test(text) };
const severity = "error" as const;

function faults(check: Check, text: string) {
  return runChecks([check], text, tools).map(({ message, quote }) =>
    quote === undefined ? message : `${message} [${quote}]`,
  );
}

describe("checksOf", () => {
  const limit = (characters: number, how: Check["severity"] = severity): Check => ({
    ...{ kind: "max_length", characters, severity: how },
  });
  it("adds the recipe's limit, unless one of its checks is as strict", () => {
    const maxCharacters = 60;
    for (const checks of [[limit(61)], [limit(60, "warning")], []])
      expect(checksOf({ checks, maxCharacters })).toEqual([...checks, limit(60)]);
    for (const checks of [[limit(60)], [limit(90), limit(40)]])
      expect(checksOf({ checks, maxCharacters })).toBe(checks);
  });
});

describe("runChecks", () => {
  it("reports severity, code and field, in the order of the recipe", () => {
    const checks: readonly Check[] = [
      { kind: "one_line", severity: "warning" },
      { kind: "max_length", characters: 4, severity },
    ];
    expect(runChecks(checks, "Bees\nand honey", tools)).toMatchObject([
      { severity: "warning", code: "one_line", field: "content" },
      { severity: "error", code: "max_length", field: "content" },
    ]);
  });

  it("says how long a text is and may be, counting an emoji as one character", () => {
    const check: Check = { kind: "max_length", characters: 5, severity };
    expect(faults(check, "Bee 🐝\n")).toEqual([]);
    expect(faults(check, "Bees 🐝!")).toEqual([
      "The text is 7 characters long and may have at most 5.",
    ]);
  });

  it("counts the sentences, both ends included", () => {
    const check = { kind: "sentences", min: 1, max: 2, severity } as Check;
    expect(faults(check, "One. Two.")).toEqual([]);
    expect(faults(check, "One.")).toEqual([]);
    expect(faults(check, "One. Two. Three.")).toEqual([
      "The text has 3 sentences and must have 1 to 2.",
    ]);
  });

  it("finds the opening chapter, however it is set apart", () => {
    const check = { kind: "opening_chapter", severity } as Check;
    for (const line of ["00:00 Intro", "- 00:00:00   Intro", "  0:00\tIntro"])
      expect(faults(check, `Chapters\n${line}`)).toEqual([]);
    expect(faults(check, "00:00\n01:00 Bread")).toEqual([
      "No line begins with the chapter 00:00 and its title.",
    ]);
  });

  it("says how much is missing from a text that is too short", () => {
    const check: Check = { kind: "min_length", characters: 5, severity };
    expect(faults(check, "Bees!")).toEqual([]);
    expect(faults(check, " 🐝🐝   ")).toEqual([
      "The text is 2 characters long and needs at least 5.",
    ]);
  });

  it("wants one line, whatever ends it", () => {
    const check: Check = { kind: "one_line", severity };
    expect(faults(check, "About bees\r\n")).toEqual([]);
    expect(faults(check, "About\r\nbees\u2028now")).toEqual([
      "The text has 3 lines and must be a single one.",
    ]);
  });

  it("counts sentences", () => {
    const check: Check = { kind: "sentences", min: 2, max: 3, severity };
    expect(faults(check, "We meet Dr. Weber. She keeps bees.")).toEqual([]);
    expect(faults(check, "We meet Dr. Weber.")).toEqual([
      "The text has 1 sentence and must have 2 to 3.",
    ]);
    expect(faults({ ...check, min: 1, max: 1 }, "Bees. Honey.")).toEqual([
      "The text has 2 sentences and must have exactly 1.",
    ]);
  });

  it("gives the trimmed text to the pattern engine and answers with the recipe's words", () => {
    const check: Check = {
      kind: "pattern",
      pattern: "^[a-z0-9]+(-[a-z0-9]+)*$",
      message: "Lower case with hyphens.",
      severity,
    };
    expect(faults(check, "about-bees\n")).toEqual([]);
    expect(faults(check, "About bees")).toEqual(["Lower case with hyphens."]);
  });

  it("finds banned words as whole words in any case, and quotes them as they stand", () => {
    const check: Check = {
      kind: "banned_words",
      words: ["game changer", "KI", "c++", "über", " "],
      severity,
    };
    expect(faults(check, "Kino, Überzug, gamechanger, c+")).toEqual([]);
    expect(faults(check, "A Game\nChanger: ki, C++ und Über")).toEqual([
      '"game changer" must not be used. [Game\nChanger]',
      '"KI" must not be used. [ki]',
      '"c++" must not be used. [C++]',
      '"über" must not be used. [Über]',
    ]);
  });

  it("wants a section by its heading, at its level when the level is given", () => {
    const check: Check = { kind: "required_section", heading: "## Links", severity };
    expect(faults(check, "About bees\n\n## links ##\n- hive")).toEqual([]);
    expect(faults({ ...check, heading: "Links" }, "# Links")).toEqual([]);
    for (const text of ["# Links", "Links", "##Links", "```\n## Links\n```", "## Links and more"]) {
      expect(faults(check, text)).toEqual(['The section "## Links" is missing.']);
    }
  });

  it("wants a text word for word", () => {
    const check: Check = { kind: "required_text", text: "hive.example", severity };
    expect(faults(check, "See hive.example")).toEqual([]);
    expect(faults(check, "See Hive")).toEqual(['The text must contain "hive.example".']);
  });

  it("counts different hashtags, not headings, numbers, anchors or repetitions", () => {
    const check: Check = { kind: "hashtags", min: 2, severity };
    expect(faults(check, "#Bienen und #Café2go")).toEqual([]);
    expect(faults(check, "# Bees #1 #bees #Bees hive.example/#top a#b")).toEqual([
      "The text has 1 different hashtag and needs at least 2.",
    ]);
  });

  it("wants nothing but bullets, and quotes the line that is none", () => {
    const check: Check = { kind: "bullet_list", severity };
    expect(faults(check, "- bees\n* honey\n\n- wax\n")).toEqual([]);
    expect(faults(check, "Tags:\n- bees")).toEqual([
      "Every line must be an item of a bullet list, beginning with a hyphen. [Tags:]",
    ]);
    expect(faults(check, "")).toHaveLength(1);
  });

  it("wants one line of items with commas between them", () => {
    const check: Check = { kind: "comma_list", severity };
    expect(faults(check, "bees, honey, wax\n")).toEqual([]);
    expect(faults(check, "bees,, wax,")).toEqual(["2 empty items among the 4 between commas."]);
    expect(faults(check, "bees,\nhoney")).toEqual([
      "The text has 2 lines and must be a single one.",
    ]);
    expect(faults(check, "- bees, honey")).toEqual([
      "The text must be items with commas between them, not a bullet list.",
    ]);
  });

  it("finds items that come twice, upper and lower case alike, each named once", () => {
    const check: Check = { kind: "unique_items", severity };
    expect(faults(check, "- bees\n- honey")).toEqual([]);
    expect(faults(check, "- Straße\n- bees\n- STRASSE\n- strasse")).toEqual([
      '"STRASSE" is in the list more than once. [STRASSE]',
    ]);
    expect(faults(check, "bees, honey, Bees")).toEqual([
      '"Bees" is in the list more than once. [Bees]',
    ]);
  });

  it("wants a line with the opening chapter and its title", () => {
    const check: Check = { kind: "opening_chapter", severity };
    expect(faults(check, "Chapters\n00:00 Intro\n05:00 Bees")).toEqual([]);
    expect(faults(check, "0:00:00 Intro")).toEqual([]);
    for (const text of ["10:00:00 Late", "We start at 00:00 today", "00:00", "00:00:30 Jingle"]) {
      expect(faults(check, text)).toHaveLength(1);
    }
  });
});
