import { describe, expect, it } from "vitest";
import { visibleLine, visibleText } from "./visible.ts";

describe("visibleText", () => {
  it("leaves ordinary text alone, in any language", () => {
    const text = "Grüße, 世界 👩‍🚀\n\tsecond line — “quoted”";
    expect(visibleText(text)).toBe(text);
  });

  it("shows what would act on a terminal or reorder the text", () => {
    expect(visibleText("a\u001B[2Jb\u0007c\u009Bd\u202Ee\rf\r\ng")).toBe(
      "a⟨U+001B⟩[2Jb⟨U+0007⟩c⟨U+009B⟩d⟨U+202E⟩e⟨U+000D⟩f\ng",
    );
  });

  it("shows line breaks where there is one line only", () => {
    expect(visibleLine("a\n::error::b")).toBe("a⟨U+000A⟩::error::b");
  });
});
