import { expect, test } from "vitest";
import { countDrafts, draftAngle, draftedAs } from "./first-drafts.ts";

test("no two drafts have the same angle", () => {
  const angles = Array.from({ length: 12 }, (_, at) => draftAngle(at + 1));
  expect(new Set(angles).size).toBe(12);
});

test("drafts that were dropped because they were equal count as written", () => {
  const own = { provenance: [] };
  expect(countDrafts([])).toBe(0);
  expect(countDrafts([own, own])).toBe(2);
  expect(countDrafts([{ provenance: [draftedAs(1, 3)] }])).toBe(3);
});
