import { expect, it } from "vitest";
import { WikiNames } from "./wiki-link.ts";

const notes = new WikiNames([
  "notes/bees.md",
  "notes/honey.md",
  "old/honey.md",
  "notes/deep/wax.md",
]);

it.each([
  ["bees", { path: "notes/bees.md", form: "name" }],
  ["Bees.md", { path: "notes/bees.md", form: "name" }],
  ["honey", undefined],
  ["old/honey", { path: "old/honey.md", form: "root" }],
  ["/notes/honey", { path: "notes/honey.md", form: "root" }],
  ["deep/wax", { path: "notes/deep/wax.md", form: "relative" }],
  ["../old/honey", { path: "old/honey.md", form: "relative" }],
  ["deep/bees", undefined],
  ["../../bees", undefined],
])("a link to %s leads to %j", (written, target) => {
  expect(notes.resolve("notes/index.md", written)).toEqual(target);
});
