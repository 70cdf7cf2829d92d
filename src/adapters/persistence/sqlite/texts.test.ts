import { describe, expect, it } from "vitest";
import { readText, writeText } from "./texts.ts";

describe("a text in the store", () => {
  it.each(["The shop bakes\nat night.", 'Say "warm".', "Хлеб 🥖", "", "{}"])(
    "stands there as it is: %j",
    (text) => {
      expect(writeText(text)).toBe(text);
      expect(readText(text)).toBe(text);
    },
  );

  it.each(['"Warm", they say.', '"Warm."', "a \0 b", "🥖".slice(0, 1)])(
    "stands there as JSON where it could be mistaken or damaged: %j",
    (text) => {
      expect(JSON.parse(writeText(text))).toBe(text);
      expect(readText(writeText(text))).toBe(text);
    },
  );
});
