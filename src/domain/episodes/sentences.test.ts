import { expect, test } from "vitest";
import { endsSentence, splitSentences } from "./sentences.ts";

test("splits where people would, in English and German", () => {
  expect(
    splitSentences(
      "Dr. Bell bakes. “Really?” Yes! It costs 3.50 euros, e.g. on Mondays. 7 loaves.",
    ),
  ).toEqual([
    "Dr. Bell bakes.",
    "“Really?”",
    "Yes!",
    "It costs 3.50 euros, e.g. on Mondays.",
    "7 loaves.",
  ]);
  expect(
    splitSentences("Am 3. März backen wir z.B. Brot. Das geht so: lange warten… Ende"),
  ).toEqual(["Am 3. März backen wir z.B. Brot.", "Das geht so: lange warten…", "Ende"]);
});

test("no sentence is lost or invented", () => {
  expect(splitSentences("")).toEqual([]);
  expect(splitSentences("no end").join(" ")).toBe("no end");
});

test("a long row of stops and quotes is judged at once", () => {
  expect(endsSentence(`${`."`.repeat(50_000)}x`)).toBe(false);
});
