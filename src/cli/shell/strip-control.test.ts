import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { graphemeWidth } from "./display-width.ts";
import { isSimple, stripControl, stripToLine } from "./strip-control.ts";

const forbidden =
  /(?![\n\t])\p{Control}|[\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/u;

/** Texts in which sequences, joiners and letters meet in every order. */
const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ..."\x1B \x9B \x9D \x90 \x07 \x9C [ ] 31m 2J ;? \\ \r \n \t".split(" "),
        ..."a ж क ् 漢 ❤ 👩 1 🏽".split(" "),
        ..."\u200D \u200C \uFE0F \u20E3 \u202E \u200B \u0301 \uD800 \uFEFF \u034F".split(" "),
      ),
      fc.string({ unit: "binary", maxLength: 3 }),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(""));

describe("stripControl", () => {
  it.each([
    ["a colour", "Hydrate \x1B[32mGreen\x1B[0m", "Hydrate Green"],
    ["a colour in eight bits", "Hydrate \x9B32mGreen", "Hydrate Green"],
    ["a cleared screen", "\x1B[2J\x1B[HApproved", "Approved"],
    ["a window title", "\x1B]0;pwned\x07Slogan", "Slogan"],
    ["a link", "\x1B]8;;http://evil.example\x1B\\Slogan\x1B]8;;\x1B\\", "Slogan"],
    ["a device string", "\x1BP1$tx\x1B\\Slogan", "Slogan"],
    ["a reset", "\x1BcSlogan", "Slogan"],
    ["a bell and a backspace", "Slo\x07\x08gan", "Slogan"],
    ["a sequence inside a sequence", "\x1B\x1B[31m[31mSlogan", "[31mSlogan"],
    ["an overwritten line", "changes requested\rapproved", "changes requested\napproved"],
    ["line ends of other systems", "a\r\nb\u2028c\vd\x85e", "a\nb\nc\nd\ne"],
    ["a reversed reading", "safe \u202Egnp.exe", "safe ⟨U+202E⟩gnp.exe"],
    ["a hidden message", "Slo\u200B\u200C\u200Bgan", "Slo⟨3 hidden characters⟩gan"],
    ["a joiner between Latin letters", "SHIP\u200DIT", "SHIP⟨U+200D⟩IT"],
    ["letters made of tags", "ok\u{E0041}\u{E0042}", "ok⟨2 hidden characters⟩"],
    ["half a character", "a\uD83Db", "a\uFFFDb"],
    ["a byte order mark", "\uFEFFSlogan", "Slogan"],
  ])("disarms %s", (_, hostile, safe) => {
    expect(stripControl(hostile)).toBe(safe);
  });

  it.each([
    "Two lines\n\tand a tab",
    "Чистая вода, naïve café, e\u0301lan",
    "👩‍👩‍👧 ❤️‍🔥 👍🏽 1️⃣ ☀️ 🇩🇪",
    "می‌خواهم",
    "क्‍ष",
    "漢字かな한글",
  ])("leaves honest text alone: %j", (text) => {
    expect(stripControl(text)).toBe(text);
  });

  it("shows the text after a sequence that never ends", () => {
    expect(stripControl("\x1B]0;title and then a long review")).toBe(
      "0;title and then a long review",
    );
  });

  it("shows the text after a sequence that is too long to be one", () => {
    expect(stripControl(`\x1B[${"1".repeat(2_000_000)}m`)).toHaveLength(2_000_001);
  });

  it("cuts towers of accents", () => {
    expect(stripControl(`a${"\u0301".repeat(5000)}b`)).toBe(`a${"\u0301".repeat(8)}b`);
  });

  it("lets nothing through that a terminal would act on, and is done after one pass", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const safe = stripControl(text);
        expect(safe).not.toMatch(forbidden);
        expect(stripControl(safe)).toBe(safe);
      }),
      { numRuns: 2000 },
    );
  });

  it.each(["\x1B]", "\x9D", "\x1B[1;", "\u200D", "\x1B[31mA", "\x9DA", "\u0301", "ж"])(
    "reads two megabytes of %j in one go",
    (part) => {
      const safe = stripControl(part.repeat(2_000_000 / part.length));
      expect(safe).not.toMatch(forbidden);
    },
  );
});

describe("stripToLine", () => {
  it("swallows two megabytes of white space", () => {
    expect(stripToLine(`Hydrate${" \u3000".repeat(1_000_000)}Green`)).toBe("Hydrate Green");
  });

  it("makes one line of many", () => {
    expect(stripToLine("  Hydrate\r\n\tGreen\x1B[1A ")).toBe("Hydrate Green");
  });
});

describe("isSimple", () => {
  const simple = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
    (character) => isSimple(character) && character !== "\n" && character !== "\t",
  );

  it("knows the letters and marks of western text", () => {
    for (const character of "aZ ~äßÉñŁœ“”’–—…•·£©") expect(simple).toContain(character);
  });

  it("knows none that hides, moves, joins or is wide", () => {
    expect(simple.join("")).not.toMatch(
      /[\p{Other}\p{Mark}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Emoji_Presentation}]/u,
    );
    const clusters = [...new Intl.Segmenter().segment(simple.join(""))];
    expect(clusters).toHaveLength(simple.length);
    expect(simple.map(graphemeWidth).filter((width) => width !== 1)).toEqual([]);
  });
});
