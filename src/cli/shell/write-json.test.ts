import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeJson } from "./write-json.ts";

function printed(json: Parameters<typeof writeJson>[1]): string {
  const parts: string[] = [];
  const write = (part: string) => parts.push(part);
  writeJson({ isTerminal: false, columns: () => 80, write }, json);
  return parts.join("");
}

describe("JSON on a terminal", () => {
  it("shows nothing that a terminal acts on or hides", () => {
    const hostile = "Green \u009b2J \u202e!TI\u202c \u200b \u{e0041} \u001b]52;c;AA\u0007";
    expect(printed({ slogan: hostile })).toBe(
      '{\n  "slogan": "Green \\u009b2J \\u202e!TI\\u202c \\u200b \\udb40\\udc41 \\u001b]52;c;AA\\u0007"\n}\n',
    );
  });

  it("is the same document, whatever is in it", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: "binary" }), fc.json()), (document) => {
        expect(JSON.parse(printed(document))).toEqual(document);
      }),
    );
  });
});
