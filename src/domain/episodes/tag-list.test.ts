import { expect, test } from "vitest";
import { parseTags } from "./tag-list.ts";

test.each([
  ["bullets win", "Tags:\n- Bread\n* bread\n- Straße\n- STRASSE\n", ["Bread", "Straße"]],
  ["separators", "bread, rye; spelt | oats", ["bread", "rye", "spelt", "oats"]],
  ["three words are one tag", "long slow bread", ["long slow bread"]],
  ["nine words are nine tags", "a b c d e f g h i", ["a", "b", "c", "d", "e", "f", "g", "h", "i"]],
  ["lines", "bread\nrye", ["bread", "rye"]],
  ["headings are no tags", "# Tags\n#bread #rye", []],
])("%s", (_what, text, tags) => {
  expect(parseTags(text)).toEqual(tags);
});
