import { describe, expect, it } from "vitest";
import { decodeText, encodeText } from "./texts.ts";

describe("a text in the store", () => {
  it.each(["The shop bakes\nat night.", 'Say "warm".', "Хлеб 🥖", "", "{}"])(
    "is stored verbatim: %j",
    (text) => {
      expect(encodeText(text)).toBe(text);
      expect(decodeText(text)).toBe(text);
    },
  );

  it.each(['"Warm", they say.', '"Warm."', "a \0 b", "🥖".slice(0, 1)])(
    "is stored as JSON if it could be mistaken or damaged: %j",
    (text) => {
      expect(JSON.parse(encodeText(text))).toBe(text);
      expect(decodeText(encodeText(text))).toBe(text);
    },
  );
});
