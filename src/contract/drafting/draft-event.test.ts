import { describe, expect, it } from "vitest";
import type { DraftEvent } from "../../domain/drafting/events.ts";
import type { LoopIteration } from "../../domain/drafting/iteration.ts";
import type { Review, ReviewIssue } from "../../domain/drafting/review.ts";
import { instant } from "../../domain/values/instant.ts";
import { fromWire, toWire } from "../documents/snake-case.ts";
import { decodeDraftEvent, encodeDraftEvent } from "./draft-event.ts";
import { iterationShape } from "./iteration.ts";

const at = instant("2026-03-01T09:00:00.000Z");
const provenance = [
  { kind: "run", ref: "run-1", createdAt: at, metadata: { promptDigest: ["a"] } },
];
const candidate = {
  candidateId: "c-1",
  assetId: "draft",
  format: "plain",
  content: "Hydrate Green, Live Clean",
  createdAt: at,
  provenance,
} as const;
const issue: ReviewIssue = {
  issueId: "i-1",
  reviewer: "brand",
  late: false,
  severity: "error",
  message: "Vague",
  code: "vague",
  field: "content",
  quote: "Live Clean",
};
const review: Review = {
  iteration: 1,
  verdict: "changes_requested",
  issues: [issue],
  reviewer: "brand",
  createdAt: at,
  summary: "Close.",
  score: 6,
  provenance: [],
};
const answer = { issueId: "i-1", answer: "fixed", reason: "Seas." } as const;
const iteration: LoopIteration = {
  iteration: 1,
  creatorDone: true,
  candidate,
  review,
  answers: [answer],
  panel: [{ iteration: 1, verdict: "ok", issues: [], createdAt: at, provenance: [] }],
  losers: [{ candidate, review }],
  ledger: [
    { issue, raisedIn: 1, status: "closed", closedIn: 2, answer: { ...answer, iteration: 2 } },
    { issue, raisedIn: 1, status: "open" },
  ],
};
const usage = {
  calls: 2,
  replayed: 0,
  inputTokens: 80,
  outputTokens: 20,
  cachedInputTokens: 5,
  microUsd: 9,
};
const events: readonly DraftEvent[] = [
  {
    kind: "loop-started",
    assetId: "draft",
    recipe: "slogan",
    brief: "eco-friendly water bottles",
    creatorModel: "offline/rules",
    reviewers: [{ label: "brand", model: "offline/rules" }],
    maxTurns: 5,
    standIn: true,
    createdAt: at,
  },
  { kind: "phase-entered", phase: "generating", turn: 1 },
  {
    kind: "candidate-written",
    turn: 1,
    index: 1,
    candidate,
    done: true,
    answers: [answer],
    checks: [{ severity: "warning", message: "long" }],
    durationSeconds: 1.5,
  },
  { kind: "review-received", turn: 1, index: 1, review, durationSeconds: 0.5 },
  { kind: "iteration-recorded", iteration, durationSeconds: 2, finishedAt: at, usage },
  {
    kind: "loop-decided",
    decision: {
      outcome: "converged",
      finalIteration: 1,
      reason: "reviewer_ok_and_creator_done",
      lockedFields: ["outcome", "final_iteration", "reason"],
    },
    decidedAt: at,
  },
];

describe("events of a drafting loop", () => {
  it.each(events)("are the same after storage: $kind", (event) => {
    const stored: unknown = JSON.parse(JSON.stringify(encodeDraftEvent(event)));
    expect(decodeDraftEvent(stored as ReturnType<typeof encodeDraftEvent>)).toStrictEqual(event);
  });

  it("are stored in snake_case with the kind outside", () => {
    expect(encodeDraftEvent(events[0]!)).toMatchObject({
      kind: "loop-started",
      data: { asset_id: "draft", creator_model: "offline/rules", stand_in: true },
    });
    expect(encodeDraftEvent(events[0]!).data).not.toHaveProperty("kind");
  });

  it("do not rename what belongs to a provenance", () => {
    expect(JSON.stringify(encodeDraftEvent(events[2]!))).toContain(
      '"metadata":{"promptDigest":["a"]}',
    );
  });

  it("are refused when the kind or the shape is unknown", () => {
    expect(() => decodeDraftEvent({ kind: "loop-exploded", data: {} })).toThrow();
    expect(() =>
      decodeDraftEvent({ kind: "phase-entered", data: { phase: "dreaming", turn: 1 } }),
    ).toThrow(/phase/u);
    expect(() => decodeDraftEvent({ kind: "phase-entered", data: null })).toThrow();
  });
});

describe("an iteration on disk", () => {
  it.each(["null", "omit"] as const)("is read back the same, absent as %s", (absent) => {
    expect(fromWire(iterationShape, toWire(iterationShape, iteration, { absent }))).toStrictEqual(
      iteration,
    );
  });

  it("is refused with a time that is not UTC", () => {
    const json = toWire(iterationShape, iteration, { absent: "null" }) as { candidate: object };
    const wrong = {
      ...json,
      candidate: { ...json.candidate, created_at: "2026-03-01T09:00:00+02:00" },
    };
    expect(() => fromWire(iterationShape, wrong)).toThrow(/created_at/u);
  });
});
