import { expect, it } from "vitest";
import { bulletItem, listItems } from "./list-items.ts";

it.each([
  ["- bees", "bees"],
  ["   * honey cake ", "honey cake"],
  ["    - a block of code", undefined],
  ["bees - and honey", undefined],
  ["-bees", undefined],
])("the bullet of %j is %j", (line, item) => {
  expect(bulletItem(line)).toBe(item);
});

it("a list is its bullets where there are any, else what commas separate", () => {
  expect(listItems("Tags, for now:\n- bees\n- honey, wax\n")).toEqual(["bees", "honey, wax"]);
  expect(listItems("bees, honey - pure, , wax")).toEqual(["bees", "honey - pure", "wax"]);
});
