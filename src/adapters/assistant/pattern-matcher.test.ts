import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkPattern, createMatcher, isUsablePattern } from "./pattern-matcher.ts";

const matches = createMatcher();

describe("patterns mean what they mean in Python", () => {
  test.each<[string, string, boolean]>([
    ["(?i)товар", "Нет ТОВАРА", true],
    ["\\bстол\\b", "это стол.", true],
    ["\\bстол\\b", "это столик", false],
    ["(?i)\\bСТОЛ\\b", "стол", true],
    ["\\bстол\\b \\bлампа\\b", "стол лампа", true],
    ["стол\\b.*\\bлампа", "стол лампа", true],
    ["стол\\b.*!", "стол!", true],
    ["стол\\b.*", "столы", false],
    ["\\b(?:стол|стул)\\b", "новый стул", true],
    ["\\b(?:стол|стул)\\b", "стулья", false],
    ["\\bGröße\\b", "die Größe: 4", true],
    ["\\bGröß\\b", "Größe", false],
    ["(?i)\\büber\\b", "ÜBER uns", true],
    ["\\bdesk\\b", "🪑desk🪑", true],
    ["🪑{2}", "🪑🪑", true],
    ["^.$", "🪑", true],
    ["^..$", "🪑", false],
    ["^\\w+$", "Größe_4_стол", true],
    ["\\w", "🪑 !", false],
    ["\\W", "столÜ4_", false],
    ["\\d", "٣", true],
    ["a\\sb", "a\u00a0b", true],
    ["[\\w-]+@shop", "müller-süd@shop", true],
    ["[\\s\\S]end", "\nend", true],
    ["[^\\d\\s]", "4 2", false],
    ["[\\Wa]", "a", true],
    ["end$", "end\n", true],
    ["end$", "end\nmore", false],
    ["(?m)^end$", "start\nend\nmore", true],
    ["(?s)a.b", "a\nb", true],
    ["a.b", "a\nb", false],
    ["(?s)\\ba.b\\b", "a\nb", true],
    ["\\Astart", "a start", false],
    ["end\\Z", "the end", true],
    ["(?P<item>desk) and (?:lamp)", "desk and lamp", true],
    ["x{,2}y", "y", true],
    ["{literal}", "a {literal} brace", true],
    ["\\u0441тол", "стол", true],
    ["[а-я]+", "стол", true],
    ["[]x]", "]", true],
    ["colou?r\\b", "colors", false],
    ["12\\.5 %", "12.5 %", true],
    ["(?#why)desk", "desk", true],
    ["(?i:DESK) lamp", "desk lamp", true],
    ["\\b12\\b", "112 and 12", true],
    ["\\b12\\b", "112 and 121", false],
  ])("%s on %j is %s", (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });
});

describe("what cannot run in linear time, or is no pattern, is named with its place", () => {
  test.each([
    ["desk(?=s)", "(?=", 5],
    ["(?!desk)", "(?!", 1],
    ["a(?<=b)", "(?<=", 2],
    ["(?<!b)a", "(?<!", 1],
    ["(desk) \\1", "\\1", 8],
    ["(?P<d>a)(?P=d)", "(?P=", 9],
    ["(?x) a b", "(?x)", 1],
    ["a++", "++", 2],
    ["ab{2}+", "{2}+", 3],
    ["(?>a)", "(?>", 1],
    ["a{2000}", "{2000}", 2],
    ["a{3,2}", "{3,2}", 2],
    ["a**", "*", 3],
    ["+a", "+", 1],
    ["(a", "(", 1],
    ["a)", ")", 2],
    ["[a", "[", 1],
    ["[z-a]", "z-a", 3],
    ["a\\", "\\", 2],
    ["\\q", "\\q", 1],
    ["a(?i)b", "(?i)", 2],
    ["- \\b -", "\\b", 3],
    ["[^\\Wx]", "[^\\W]", 1],
  ])("%s", (pattern, construct, position) => {
    expect(checkPattern(pattern)).toMatchObject({ construct, position });
  });
});

test("a boundary beside what an assistant said means what it means in Python", () => {
  expect(checkPattern("\\bC\\+\\+\\b")).toBeDefined();
  expect(isUsablePattern("\\bC\\+\\+\\b")).toBe(true);
  expect(matches("\\bC\\+\\+\\b", "use C++11")).toBe(true);
  expect(matches("\\bC\\+\\+\\b", "use C++.")).toBe(false);
});

test("a pattern that an answer made far too long, or broke, is not usable", () => {
  expect(isUsablePattern("a".repeat(20_001))).toBe(false);
  expect(isUsablePattern("[z-a]")).toBe(false);
});

test("a catastrophic pattern ends at once", () => {
  expect(matches("^(a+)+$", `${"a".repeat(50_000)}!`)).toBe(false);
  expect(matches("\\b(\\w+\\s?)+\\b!", "слово ".repeat(2_000))).toBe(false);
});

test("nested repeats that would grow without bound are refused", () => {
  expect(checkPattern("((a{1000}){1000}){1000}")).toBeDefined();
});

test("every pattern that is accepted compiles, and matching it never throws", () => {
  const piece = fc.constantFrom(
    "a",
    "ж",
    "🪑",
    "\\b",
    "\\w",
    "\\W",
    "[^a]",
    "[\\s-]",
    ".",
    "*",
    "?",
    "{1,2}",
    "(",
    ")",
    "|",
    "^",
    "$",
    "\\.",
    "(?i)",
    "_",
    " ",
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 8 }),
      fc.string({ unit: "binary", maxLength: 20 }),
      (pieces, text) => {
        const pattern = pieces.join("");
        fc.pre(checkPattern(pattern) === undefined);
        expect(typeof matches(pattern, text)).toBe("boolean");
      },
    ),
    { numRuns: 400 },
  );
});

test("on texts without marks a pattern with boundaries agrees with JavaScript's where both know the words", () => {
  const pattern = fc.constantFrom(
    "\\bab\\b",
    "a\\b.b",
    "\\ba.*\\bb",
    "(?:a|b)\\b",
    "\\b[ab]+\\b c",
    "b\\b.{2}a",
    "\\ba\\b.*\\bb\\b",
  );
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "-", "\n"), maxLength: 12 });
  fc.assert(
    fc.property(pattern, text, (one, other) => {
      expect(matches(one, other)).toBe(new RegExp(one, "u").test(other));
    }),
    { numRuns: 1000 },
  );
});
