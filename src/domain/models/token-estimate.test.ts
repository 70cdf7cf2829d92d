import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTokens, utf8Bytes } from "./token-estimate.ts";

describe("utf8Bytes", () => {
  it("counts what is sent, whatever the script, lone surrogates included", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(utf8Bytes(text)).toBe(Buffer.byteLength(text));
      }),
    );
    expect(utf8Bytes("\ud83d")).toBe(Buffer.byteLength("\ud83d"));
  });
});

describe("estimateTokens", () => {
  it("gives a range, rounded up at both ends", () => {
    expect(estimateTokens(0)).toEqual({ fewest: 0, most: 0 });
    expect(estimateTokens(16)).toEqual({ fewest: 4, most: 6 });
  });
});
