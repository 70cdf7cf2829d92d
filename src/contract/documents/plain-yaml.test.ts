import fc from "fast-check";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { readPlainYaml } from "./plain-yaml.ts";

it("reads what most notes have", () => {
  expect(
    readPlainYaml("description: What we take back, and when\ntype: claim\ntags: [shop, returns]\n"),
  ).toEqual({
    description: "What we take back, and when",
    type: "claim",
    tags: ["shop", "returns"],
  });
});

it.each([
  "a: 1",
  "a: true",
  "a: 'x'",
  "a:",
  "a: |\n  x",
  "a: b: c",
  "a: b # c",
  "- a",
  "a: x\na: y",
  "a: &b c",
  "a: x\n  more",
  "a: [x, 1]",
  "? a",
  "a: ~",
])("leaves %j to the YAML parser", (yaml) => {
  expect(readPlainYaml(yaml)).toBeUndefined();
});

it("is not held up by a million blanks", () => {
  const blanks = " ".repeat(1_000_000);
  expect(readPlainYaml(`tags: [${blanks}!]`)).toBeUndefined();
  expect(readPlainYaml(`tags: [shop${blanks},${blanks}returns${blanks}]`)).toEqual({
    tags: ["shop", "returns"],
  });
});

it("says the same as the YAML parser whenever it says anything", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ": ",
      ":",
      "\n",
      " ",
      "[",
      "]",
      ", ",
      "#",
      "- ",
      "null",
      "True",
      "y",
      "0x1",
      "'",
      '"',
      "é",
      "\t",
      "\r",
      "  ",
      "a",
      "key",
      "%",
      "&",
      "*",
      "!",
      "|",
      ">",
      "{",
      "}",
      "—",
      "\u00a0",
      "\u0085",
    ),
    fc.string({ maxLength: 3 }),
  );
  const line = fc
    .tuple(fc.constantFrom("type", "tags", "description", "a-b"), fc.array(piece, { maxLength: 6 }))
    .map(([key, pieces]) => `${key}: x${pieces.join("")}`);
  const listed = fc
    .tuple(fc.constantFrom("traits", "tags"), fc.array(piece, { maxLength: 5 }))
    .map(([key, pieces]) => `${key}: [a${pieces.join("")}]`);
  fc.assert(
    fc.property(fc.array(fc.oneof(line, listed), { maxLength: 3 }), (lines) => {
      const yaml = lines.map((text) => `${text}\n`).join("");
      const read = readPlainYaml(yaml);
      fc.pre(read !== undefined);
      expect(read).toEqual(parse(yaml) ?? {});
    }),
    { numRuns: 3000 },
  );
});
