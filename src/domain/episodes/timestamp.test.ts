import { expect, test } from "vitest";
import type { Candidate } from "../drafting/candidate.ts";
import { instant } from "../values/instant.ts";
import { compareTimestamps, inUtc, isTimestamp, seedCandidate } from "./timestamp.ts";

test("moments are compared, not their spelling", () => {
  const order = (left: string, right: string) =>
    Math.sign(compareTimestamps(instant(left), instant(right)));
  expect(order("2026-01-01T12:00:00+02:00", "2026-01-01T10:30:00Z")).toBe(-1);
  expect(order("2026-01-01T10:00:00.391835Z", "2026-01-01T10:00:00.391834Z")).toBe(1);
  expect(order("2026-01-01T10:00:00Z", "2026-01-01T10:00:00.000001Z")).toBe(-1);
  expect(inUtc(instant("2026-01-01T12:00:00+02:00"))).toBe("2026-01-01T10:00:00.000Z");
});

test("a time without zone, or that no calendar has, is no timestamp", () => {
  expect(["2026-01-01T12:00:00+02:00", "2026-11-15T19:32:18.391835Z"].every(isTimestamp)).toBe(
    true,
  );
  expect(["2026-01-01T12:00:00", "2026-13-01T00:00:00Z", "yesterday", ""].some(isTimestamp)).toBe(
    false,
  );
});

test("the seed is the newest candidate, and among equals the greatest id", () => {
  const one = (candidateId: string, createdAt: string): Candidate => ({
    candidateId,
    assetId: "slug",
    format: "plain",
    content: "a",
    createdAt: instant(createdAt),
    provenance: [],
  });
  expect(seedCandidate([])).toBeUndefined();
  expect(
    seedCandidate([
      one("b", "2026-01-01T10:00:00Z"),
      one("c", "2026-01-01T12:00:00+02:00"),
      one("a", "2026-01-01T11:00:00+02:00"),
    ])?.candidateId,
  ).toBe("c");
});
