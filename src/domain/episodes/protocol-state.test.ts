import { expect, test } from "vitest";
import { instant } from "../values/instant.ts";
import { isClosed, makeProtocolState, type ProtocolState } from "./protocol-state.ts";

const at = instant("2026-03-01T10:00:00Z");
const turn = (iteration: number, reviewed = iteration, assetId = "slug") => ({
  iteration,
  creatorDone: true,
  candidate: {
    candidateId: `c${iteration}`,
    assetId,
    format: "plain" as const,
    content: "a",
    createdAt: at,
    provenance: [],
  },
  review: {
    iteration: reviewed,
    verdict: "changes_requested" as const,
    issues: [],
    createdAt: at,
    provenance: [],
  },
});
const state: ProtocolState = { assetId: "slug", maxIterations: 3, iterations: [turn(1), turn(3)] };

test("iterations may have gaps but never repeat, and hold their own review and candidate", () => {
  expect(makeProtocolState(state)).toBe(state);
  expect(() => makeProtocolState({ ...state, iterations: [turn(2), turn(2)] })).toThrow(
    /comes after 2/,
  );
  expect(() => makeProtocolState({ ...state, iterations: [turn(1, 2)] })).toThrow(
    /holds the review of iteration 2/,
  );
  expect(() => makeProtocolState({ ...state, iterations: [turn(1, 1, "mastodon")] })).toThrow(
    /a candidate for "mastodon"/,
  );
  expect(() => makeProtocolState({ ...state, maxIterations: 0 })).toThrow(/max_iterations/);
});

test("closed means ended with the outcome locked", () => {
  const decision = { outcome: "converged", lockedFields: ["outcome"] } as const;
  expect(isClosed(undefined)).toBe(false);
  expect(isClosed(state)).toBe(false);
  expect(isClosed({ ...state, decision })).toBe(true);
  expect(isClosed({ ...state, decision: { ...decision, lockedFields: [] } })).toBe(false);
  expect(isClosed({ ...state, decision: { ...decision, outcome: "in_progress" } })).toBe(false);
});
