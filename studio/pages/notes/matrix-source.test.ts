import { expect, test } from "vitest";
import { filterMatrix, foldersOf } from "./matrix-source.ts";

const bakery = {
  gates: ["prose/tone", "prose/length", "structural/links"],
  note_ids: ["aa", "bb", "cc"],
  notes: ["notes/bread.md", "notes/shop/prices.md", "notes/shop/hours.md"],
  cells: ["ppw", "mf-", "npp"],
};

test("every note and gate is shown with its state when nothing is asked for", () => {
  const matrix = filterMatrix(bakery, { order: "path" });
  expect(matrix.notes).toEqual(bakery.notes);
  expect(matrix.cell(1, 1)).toEqual({ state: "fail" });
  expect(matrix.cell(1, 2)).toEqual({ state: "not_applicable" });
  expect(matrix.counts.get("p")).toBe(4);
});

test("folder, gate and reason leave only rows and columns that fit, and ids follow them", () => {
  const matrix = filterMatrix(bakery, { folder: "notes/shop", gate: "prose", reason: "n" });
  expect(matrix.notes).toEqual(["notes/shop/hours.md"]);
  expect(matrix.noteIds).toEqual(["cc"]);
  expect(matrix.gates).toEqual(["prose/tone", "prose/length"]);
  expect(matrix.cell(0, 0)).toEqual({ state: "stale", reason: "the note changed" });
});

test("a folder is no beginning of a name, and a reason counts only in the columns that are shown", () => {
  expect(filterMatrix(bakery, { folder: "notes/sho" }).notes).toEqual([]);
  expect(filterMatrix(bakery, { gate: "prose", reason: "w" }).notes).toEqual([]);
});

test("the worst rows come first, and rows and columns say how much is open in them", () => {
  const matrix = filterMatrix(bakery, {});
  expect(matrix.notes).toEqual(["notes/shop/prices.md", "notes/bread.md", "notes/shop/hours.md"]);
  expect(matrix.noteIds).toEqual(["bb", "aa", "cc"]);
  expect(matrix.noteTotals).toEqual([2, 1, 1]);
  expect(matrix.gateTotals).toEqual([2, 1, 1]);
});

test("folders are named at every depth, once", () => {
  expect(foldersOf(bakery.notes)).toEqual(["notes", "notes/shop"]);
});
