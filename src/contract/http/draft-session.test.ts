import { describe, expect, it } from "vitest";
import {
  averageDurationPerTurn,
  type DraftSession,
  durationSeconds,
} from "../../domain/drafting/session.ts";
import { instant } from "../../domain/values/instant.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { sessionFromJson, sessionJsonSchema, sessionToJson } from "./draft-session.ts";

const createdAt = instant("2026-03-01T09:00:00.000Z");
const review = { iteration: 1, verdict: "ok", issues: [], createdAt, provenance: [] } as const;
const session: DraftSession = {
  runId: "run-1",
  recipe: "slogan",
  userInput: "eco-friendly water bottles",
  modelName: "ollama/mistral:latest",
  reviewerModels: ["ollama/mistral:latest"],
  reviewers: [{ label: "reviewer", model: "ollama/mistral:latest" }],
  standIn: false,
  deciders: ["model"],
  maxTurns: 5,
  turns: [
    {
      turnNumber: 1,
      text: "Hydrate Green, Live Clean",
      feedback: "Good rhythm but vague.",
      approved: false,
      timestamp: instant("2026-03-01T09:00:04.000Z"),
      durationSeconds: 4,
      review: { ...review, verdict: "changes_requested" },
    },
    {
      turnNumber: 2,
      text: "Hydrate Green, Save Our Seas",
      approved: true,
      timestamp: instant("2026-03-01T09:00:09.000Z"),
      durationSeconds: 5,
      review: { ...review, iteration: 2 },
    },
  ],
  finalText: "Hydrate Green, Save Our Seas",
  completionReason: "approved",
  decision: {
    outcome: "converged",
    finalIteration: 2,
    reason: "reviewer_ok_and_creator_done",
    lockedFields: ["outcome", "final_iteration", "reason"],
  },
  createdAt,
  completedAt: instant("2026-03-01T09:00:10.000Z"),
  usage: { calls: 4, replayed: 0, inputTokens: 320, outputTokens: 40, cachedInputTokens: 0 },
};
const openSession: DraftSession = {
  runId: "run-2",
  recipe: "title",
  userInput: "an episode about tides",
  modelName: "offline/rules",
  reviewerModels: [],
  reviewers: [],
  standIn: true,
  deciders: ["stand_in"],
  maxTurns: 3,
  turns: [],
  createdAt,
  usage: { ...session.usage, microUsd: 0 },
};

describe("a session as JSON", () => {
  it("has the names a slogan's users know beside the general ones", () => {
    expect(sessionToJson(session)).toMatchObject({
      run_id: "run-1",
      recipe: "slogan",
      stand_in: false,
      user_input: "eco-friendly water bottles",
      model_name: "ollama/mistral:latest",
      max_turns: 5,
      turn_count: 2,
      turns: [
        {
          turn_number: 1,
          text: "Hydrate Green, Live Clean",
          slogan: "Hydrate Green, Live Clean",
          feedback: "Good rhythm but vague.",
          approved: false,
          timestamp: "2026-03-01T09:00:04.000Z",
          duration_seconds: 4,
        },
        { turn_number: 2, feedback: null, approved: true, slogan: "Hydrate Green, Save Our Seas" },
      ],
      final_text: "Hydrate Green, Save Our Seas",
      final_slogan: "Hydrate Green, Save Our Seas",
      completion_reason: "approved",
      decision: { outcome: "converged", final_iteration: 2 },
      created_at: "2026-03-01T09:00:00.000Z",
      completed_at: "2026-03-01T09:00:10.000Z",
      duration_seconds: 10,
      average_duration_per_turn: 4.5,
      succeeded: true,
      usage: { calls: 4, input_tokens: 320, micro_usd: null },
    });
  });

  it("has null for what is not there yet, and no slogan for other recipes", () => {
    const json = sessionToJson(openSession);
    expect(json).toMatchObject({
      final_text: null,
      completion_reason: null,
      decision: null,
      completed_at: null,
      duration_seconds: null,
      average_duration_per_turn: null,
      succeeded: false,
      turn_count: 0,
    });
    expect(json).not.toHaveProperty("final_slogan");
    expect(sessionToJson({ ...openSession, recipe: "slogan" })).toHaveProperty(
      "final_slogan",
      null,
    );
  });

  it("is loaded again as the same session", () => {
    for (const each of [session, openSession]) {
      const saved: unknown = JSON.parse(JSON.stringify(sessionToJson(each)));
      expect(sessionFromJson(saved)).toStrictEqual(each);
    }
  });

  it("does not believe what is derived", () => {
    const json = { ...(sessionToJson(openSession) as object), succeeded: true, turn_count: 9 };
    expect(sessionToJson(sessionFromJson(json))).toMatchObject({ succeeded: false, turn_count: 0 });
  });

  it("is refused by name when it is damaged", () => {
    const json = sessionToJson(session) as object;
    expect(() => sessionFromJson({ ...json, turns: [{ turn_number: "one" }] })).toThrow(
      /turn_number/u,
    );
    expect(() => sessionFromJson(null)).toThrow();
    expect(() => sessionFromJson([])).toThrow();
  });

  it("is described by a schema that names every member", () => {
    const schema = sessionJsonSchema("slogan") as { properties: object };
    expect(Object.keys(schema.properties).sort()).toEqual(
      Object.keys(sessionToJson(session) as object).sort(),
    );
    const other = sessionJsonSchema("other") as { properties: object };
    expect(Object.keys(other.properties).sort()).toEqual(
      Object.keys(sessionToJson(openSession) as object).sort(),
    );
  });
});

describe("a figure that is derived", () => {
  it("is the same in the library and in the document", () => {
    const uneven = { ...session, completedAt: instant("2026-03-01T09:00:10.101Z") };
    for (const one of [uneven, { ...uneven, turns: [] }, openSession]) {
      expect(sessionToJson(one)).toMatchObject({
        average_duration_per_turn: averageDurationPerTurn(one) ?? null,
        duration_seconds: durationSeconds(one) ?? null,
      });
    }
    expect(averageDurationPerTurn(uneven)).toBe(4.5);
  });
});

describe("a file that is no session", () => {
  it("is refused with an error of the library", () => {
    expect(() => sessionFromJson({ run_id: 7 })).toThrow(ConfigurationError);
    expect(() => sessionFromJson([])).toThrow(/This is not a saved session/u);
  });
});
