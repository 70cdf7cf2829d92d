import { expect, test } from "vitest";
import { endsSentence } from "./ends-sentence.ts";

test("a stop ends a sentence, also behind quotes and brackets", () => {
  expect(["bakes.", "“Really?”", "wait…", "loaf!)"].every(endsSentence)).toBe(true);
  expect(["3.50", "loaf,", ""].some(endsSentence)).toBe(false);
});

test("a long row of stops and quotes is judged at once", () => {
  expect(endsSentence(`${`."`.repeat(50_000)}x`)).toBe(false);
});
