import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { issueOf, morning, reviewOf, turnOf } from "../../../tests/support/drafting-story.ts";
import { runId } from "../values/ids.ts";
import { instant } from "../values/instant.ts";
import { decideLoop } from "./decision.ts";
import type { DraftEvent, IterationRecorded, LoopDecided } from "./events.ts";
import type { LoopIteration } from "./iteration.ts";
import {
  averageDurationPerTurn,
  durationSeconds,
  feedbackOf,
  succeeded,
  type UsageTotals,
} from "./session.ts";
import { sessionFromEvents } from "./session-from-events.ts";

const run = runId("run of the bottle shop");
const noon = instant("2026-03-02T12:00:00.000Z");

const started: DraftEvent = {
  kind: "loop-started",
  assetId: "slogan",
  recipe: "slogan",
  brief: "eco-friendly water bottles",
  creatorModel: "ollama/mistral:latest",
  reviewers: [{ label: "ada", model: "ollama/gemma2:2b" }],
  maxTurns: 5,
  standIn: false,
  createdAt: morning,
};

const usage: UsageTotals = {
  calls: 2,
  replayed: 0,
  inputTokens: 100,
  outputTokens: 20,
  cachedInputTokens: 5,
  microUsd: 7,
};

function recorded(
  iteration: LoopIteration,
  about: Partial<IterationRecorded> = {},
): IterationRecorded {
  return {
    kind: "iteration-recorded",
    iteration,
    durationSeconds: 10 * iteration.iteration,
    finishedAt: noon,
    usage,
    ...about,
  };
}

function decided(turn: LoopIteration, maxIterations: number): LoopDecided {
  const decision = decideLoop({
    verdict: turn.review.verdict,
    done: turn.creatorDone,
    iteration: turn.iteration,
    maxIterations,
  });
  return { kind: "loop-decided", decision: decision!, decidedAt: noon };
}

const rejected = turnOf(1, "Hydrate Green, Live Clean", {
  review: reviewOf({ summary: "Good rhythm but vague. Be specific about impact." }),
});
const approved = turnOf(2, "Hydrate Green, Save Our Seas", {
  review: reviewOf({ iteration: 2, verdict: "ok", summary: "SHIP IT!" }),
});
const happyPath = [started, recorded(rejected), recorded(approved), decided(approved, 5)];

function tell(events: readonly DraftEvent[], about?: Parameters<typeof sessionFromEvents>[2]) {
  return sessionFromEvents(run, events, about)!;
}

describe("sessionFromEvents", () => {
  it("tells the happy path: feedback, then approval, and the approved text", () => {
    expect(tell(happyPath)).toMatchObject({
      runId: run,
      recipe: "slogan",
      userInput: "eco-friendly water bottles",
      modelName: "ollama/mistral:latest",
      reviewerModels: ["ollama/gemma2:2b"],
      maxTurns: 5,
      finalText: "Hydrate Green, Save Our Seas",
      completionReason: "approved",
      createdAt: morning,
      completedAt: noon,
      usage: { calls: 4, inputTokens: 200, outputTokens: 40, cachedInputTokens: 10, microUsd: 14 },
    });
    const [first, second] = tell(happyPath).turns;
    expect(first).toMatchObject({
      turnNumber: 1,
      approved: false,
      feedback: "Good rhythm but vague. Be specific about impact.",
      timestamp: noon,
      durationSeconds: 10,
    });
    expect(second).toMatchObject({ turnNumber: 2, approved: true });
    expect(second).not.toHaveProperty("feedback");
  });

  it("ends at the limit with the latest of equally good texts", () => {
    const turns = [1, 2, 3].map((n) =>
      turnOf(n, `Attempt ${n}`, { review: reviewOf({ iteration: n, issues: [issueOf()] }) }),
    );
    const session = tell([started, ...turns.map((turn) => recorded(turn)), decided(turns[2]!, 3)]);
    expect(session).toMatchObject({ completionReason: "max_turns", finalText: "Attempt 3" });
    expect(succeeded(session)).toBe(false);
  });

  it("falls back to the best text, not the last, when nothing was approved", () => {
    const good = turnOf(1, "Save Our Seas", { review: reviewOf({ score: 8 }) });
    const bad = turnOf(2, "Bottle!", { review: reviewOf({ iteration: 2, issues: [issueOf()] }) });
    expect(tell([started, recorded(good), recorded(bad)]).finalText).toBe("Save Our Seas");
  });

  it.each(["stalled", "oscillating", "late_issues"] as const)("passes on the reason %s", (stop) => {
    const decision = decideLoop({
      verdict: "changes_requested",
      done: true,
      iteration: 1,
      maxIterations: 5,
      stop,
    })!;
    const events = [started, { kind: "loop-decided", decision, decidedAt: noon } as const];
    expect(tell(events).completionReason).toBe(stop);
  });

  it("calls a decision that the loop never makes an error", () => {
    const decision = {
      outcome: "needs_human",
      reason: "locked_selection",
      lockedFields: [],
    } as const;
    const events = [started, { kind: "loop-decided", decision, decidedAt: noon } as const];
    expect(tell(events).completionReason).toBe("error");
  });

  it.each(["error", "cancelled", "budget"] as const)(
    "says %s when a run ended without a decision, and lets a decision win",
    (reason) => {
      const ending = { ending: { reason, at: noon } };
      expect(tell([started, recorded(rejected)], ending)).toMatchObject({
        completionReason: reason,
        completedAt: noon,
        finalText: "Hydrate Green, Live Clean",
      });
      expect(tell(happyPath, ending).completionReason).toBe("approved");
    },
  );

  it("is approved once a person approved a text, whatever the loop came to", () => {
    const limit = [started, recorded(rejected), decided(rejected, 1)];
    expect(tell(limit)).toMatchObject({ completionReason: "max_turns", outcome: "max_turns" });
    const act = { by: "Ada", at: noon, text: "Hydrate Green, Live Clean" } as const;
    const session = tell(limit, { ruling: { act: "approve", ...act } });
    expect(session).toMatchObject({
      outcome: "approved",
      deciders: ["person"],
      finalText: act.text,
    });
    expect(succeeded(session)).toBe(true);
    const changed = tell(happyPath, { ruling: { act: "request_changes", ...act } });
    expect(changed).toMatchObject({ completionReason: "approved", outcome: "changes_requested" });
    expect(succeeded(changed)).toBe(false);
  });

  it("shows the approved text even where an earlier turn had the higher score", () => {
    const better = turnOf(1, "Hydrate Green, Live Clean", { review: reviewOf({ score: 9 }) });
    const events = [started, recorded(better), recorded(approved), decided(approved, 5)];
    expect(tell(events).finalText).toBe("Hydrate Green, Save Our Seas");
  });

  it("names who signed a turn, and no one where nothing was signed", () => {
    const review = { ...approved.review, signature: { how: "bare" } } as const;
    const [first, second] = tell([
      started,
      recorded(rejected),
      recorded({ ...approved, review }),
    ]).turns;
    expect(first).not.toHaveProperty("signatures");
    expect(second?.signatures).toEqual([
      { reviewer: "ada", model: "ollama/gemma2:2b", how: "bare" },
    ]);
  });

  it("is unfinished while the run goes on, and nothing before it started", () => {
    const session = tell([started]);
    expect(session).not.toHaveProperty("completionReason");
    expect(session).not.toHaveProperty("finalText");
    expect(durationSeconds(session)).toBeUndefined();
    expect(averageDurationPerTurn(session)).toBeUndefined();
    expect(sessionFromEvents(run, [])).toBeUndefined();
  });

  it("does not call a turn approved while the creator is not done", () => {
    const hesitant = { ...approved, creatorDone: false };
    const [turn] = tell([started, recorded(hesitant)]).turns;
    expect(turn).toMatchObject({ approved: false, feedback: "SHIP IT!" });
  });

  it("does not know the price when one turn's is unknown", () => {
    const { microUsd: _, ...unpriced } = usage;
    const events = [started, recorded(rejected), recorded(approved, { usage: unpriced })];
    expect(tell(events).usage).not.toHaveProperty("microUsd");
  });

  it("tells the same when events come again, as after a replay", () => {
    fc.assert(
      fc.property(fc.nat({ max: happyPath.length }), (at) => {
        expect(tell([...happyPath.slice(0, at), ...happyPath])).toEqual(tell(happyPath));
      }),
    );
  });

  it("approves a session exactly when its decision is convergence", () => {
    const verdict = fc.constantFrom("ok" as const, "changes_requested" as const);
    fc.assert(
      fc.property(verdict, fc.boolean(), (said, creatorDone) => {
        const turn = turnOf(1, "Drink", { creatorDone, review: reviewOf({ verdict: said }) });
        const session = tell([started, recorded(turn), decided(turn, 1)]);
        expect(succeeded(session)).toBe(session.decision?.outcome === "converged");
        expect(session.turns[0]?.approved).toBe(succeeded(session));
      }),
    );
  });
});

describe("durations", () => {
  it("count the whole from start to end, and the turns on average", () => {
    const session = tell(happyPath);
    expect(durationSeconds(session)).toBe(4 * 60 * 60);
    expect(averageDurationPerTurn(session)).toBe(15);
  });
});

describe("feedbackOf", () => {
  const tooLong = issueOf({ reviewer: "checks", message: "Too long." });

  it("joins the issues when there is no summary", () => {
    const review = reviewOf({ issues: [issueOf({ message: "Vague." }), tooLong] });
    expect(feedbackOf(review)).toBe("Vague.\nToo long.");
    expect(feedbackOf(reviewOf())).toBeUndefined();
  });

  it("adds to the reviewer's words what only the checks know", () => {
    const review = reviewOf({ summary: "Lovely.", issues: [issueOf(), tooLong] });
    expect(feedbackOf(review)).toBe("Lovely.\nToo long.");
  });
});
