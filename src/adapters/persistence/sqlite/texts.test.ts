import { describe, expect, it } from "vitest";
import { decodeText, encodeText } from "./texts.ts";

describe("a text in the store", () => {
  it.each(["The shop bakes\nat night.", 'Say "warm".', "Хлеб 🥖", "", "{}"])(
    "stands there as it is: %j",
    (text) => {
      expect(encodeText(text)).toBe(text);
      expect(decodeText(text)).toBe(text);
    },
  );

  it.each(['"Warm", they say.', '"Warm."', "a \0 b", "🥖".slice(0, 1)])(
    "stands there as JSON where it could be mistaken or damaged: %j",
    (text) => {
      expect(JSON.parse(encodeText(text))).toBe(text);
      expect(decodeText(encodeText(text))).toBe(text);
    },
  );
});
