import { expect, it } from "vitest";
import { StalenessByDay } from "./staleness-over-time.ts";

const days = ["2026-05-01", "2026-05-02", "2026-05-03", "2026-05-04"].map((day) => ({
  day,
  endsAt: `${day}T23:59:59.999Z`,
}));
const gate = { id: "tone", path: "gates/tone.md", blobSha: "g1" };

it("follows a pair from its first review over a change to the review of the new text", () => {
  const at = (day: string, noteBlob: string) => ({
    ...{ noteBlob, gateBlob: "g1", at: `${day}T10:00:00.000Z` },
  });
  const changes = [{ at: "2026-05-03T09:00:00.000Z", path: "a.md", before: "n1" }];
  const found = new StalenessByDay(days, changes);
  found.add({
    ...{ note: { path: "a.md", blobSha: "n2" }, gate, isFresh: true },
    accepted: [at("2026-05-02", "n1"), at("2026-05-04", "n2")],
  });
  expect(found.counts).toEqual([
    { day: "2026-05-01", fresh: 0, changed: 0, neverReviewed: 1 },
    { day: "2026-05-02", fresh: 1, changed: 0, neverReviewed: 0 },
    { day: "2026-05-03", fresh: 0, changed: 1, neverReviewed: 0 },
    { day: "2026-05-04", fresh: 1, changed: 0, neverReviewed: 0 },
  ]);
});

it("counts a pair from the day its note was there, and as it is now where nothing has happened since", () => {
  const changes = [{ at: "2026-05-03T09:00:00.000Z", path: "b.md" }];
  const found = new StalenessByDay(days, changes);
  found.add({ note: { path: "b.md", blobSha: "n1" }, gate, isFresh: true, accepted: [] });
  expect(found.counts.map(({ fresh, neverReviewed }) => fresh + neverReviewed)).toEqual([
    0, 0, 1, 1,
  ]);
  expect(found.counts.at(-1)?.fresh).toBe(1);
});
