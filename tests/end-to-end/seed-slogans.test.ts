import {
  type DraftEvent,
  type RunDraftOptions,
  readApproval,
  runDraft,
  sessionFromJson,
  shouldContinue,
} from "signoff";
import { describe, expect, it } from "vitest";
import { ledgerOf } from "../support/run-evidence.ts";
import { inFolder, listRuns, runSignoff, writeScript } from "../support/signoff-process.ts";

const bottles = "eco-friendly water bottles";

/** The seed's transcripts, word for word. */
const happyPath = {
  creator: ["Hydrate Green, Live Clean", "Hydrate Green, Save Our Seas"],
  reviewer: ["Good rhythm but vague. Be specific about impact.", "SHIP IT!"],
};
const maxTurns = {
  creator: [
    "Drink up, plastic down",
    "Refill the future",
    "Carry water, leave the sea alone",
    "One bottle, no litter",
    "Final slogan attempt",
  ],
  reviewer: [
    "Which plastic?",
    "The future of what?",
    "Too long to remember.",
    "Nobody says litter.",
    "Close but still needs work on X",
  ],
};
const ollamaIsDown = {
  creator: [{ $error: { code: "unreachable", message: "connect ECONNREFUSED 127.0.0.1:11434" } }],
  reviewer: [],
};

async function draft(script: unknown, ...flags: readonly string[]) {
  return await inFolder(async (cwd) => {
    const args = ["draft", bottles, "--script", await writeScript(cwd, script), ...flags];
    const { code, stdout, stderr } = await runSignoff([...args, "--json"], { cwd });
    const [run] = await listRuns({ cwd });
    const calls = await ledgerOf(cwd, run?.run_id ?? "");
    return { code, stderr, calls: calls.length, json: JSON.parse(stdout) as unknown };
  });
}

describe("the transcripts of the slogan workflow", () => {
  it("happy path: approved in the second turn, two calls a turn", async () => {
    const { code, stderr, calls, json } = await draft(happyPath);
    expect({ code, stderr, calls }).toEqual({ code: 0, stderr: "", calls: 4 });
    expect(json).toMatchObject({
      user_input: bottles,
      model_name: "script:replies.json",
      max_turns: 5,
      turn_count: 2,
      turns: [
        {
          turn_number: 1,
          slogan: "Hydrate Green, Live Clean",
          feedback: "Good rhythm but vague. Be specific about impact.",
          approved: false,
        },
        {
          turn_number: 2,
          slogan: "Hydrate Green, Save Our Seas",
          feedback: null,
          approved: true,
        },
      ],
      final_slogan: "Hydrate Green, Save Our Seas",
      final_text: "Hydrate Green, Save Our Seas",
      completion_reason: "approved",
      succeeded: true,
      stand_in: false,
      decision: { outcome: "converged", reason: "reviewer_ok_and_creator_done" },
    });
  });

  it("max turns: five turns, ten calls, never called approved", async () => {
    const { code, calls, json } = await draft(maxTurns);
    expect({ code, calls }).toEqual({ code: 1, calls: 10 });
    expect(json).toMatchObject({
      turn_count: 5,
      completion_reason: "max_turns",
      succeeded: false,
      final_slogan: "Final slogan attempt",
      decision: { outcome: "needs_human", reason: "iteration_limit" },
    });
    expect((json as { turns: { feedback: string }[] }).turns.at(-1)?.feedback).toBe(
      "Close but still needs work on X",
    );
  });

  it("error path: the session ends in error, nothing is decided, and the run can go on", async () => {
    const { code, stderr, json } = await draft(ollamaIsDown);
    expect(code).toBe(5);
    expect(stderr).toContain("ECONNREFUSED");
    expect(json).toMatchObject({
      completion_reason: "error",
      turn_count: 0,
      turns: [],
      final_slogan: null,
      decision: null,
      succeeded: false,
      duration_seconds: 0,
    });
  });

  it("has every field of a session, and is loaded again as the same one", async () => {
    const { json } = await draft(happyPath);
    const names = [
      ...["average_duration_per_turn", "completed_at", "completion_reason", "created_at"],
      ...["deciders", "decision", "duration_seconds", "error", "final_slogan", "final_text"],
      ...["max_turns", "model_name", "outcome", "recipe", "reviewer_models", "reviewers"],
      ...["rule", "ruling", "run_id", "stand_in", "succeeded"],
      ...["turn_count", "turns", "usage", "user_input"],
    ];
    expect(Object.keys(json as object).sort()).toEqual(names);
    const [turn] = (json as { turns: object[] }).turns;
    expect(Object.keys(turn ?? {})).toEqual(
      expect.arrayContaining(["turn_number", "slogan", "feedback", "approved", "timestamp"]),
    );
    expect(sessionFromJson(json)).toMatchObject({ completionReason: "approved" });
  });
});

describe("the library as the seed's tests use it", () => {
  it("detects an approval", () => {
    expect(readApproval("SHIP IT!")).toBe("approved");
    expect(readApproval("Perfect! SHIP IT! Great work.")).toBe("approved");
    expect(readApproval("This is perfect! SHIP IT!")).toBe("approved");
    expect(readApproval("This needs work on shipping")).toBe("not_approved");
    expect(readApproval("This needs work on shipping logistics")).toBe("not_approved");
  });

  it("knows when to continue", () => {
    expect(shouldContinue(1, 5, false)).toBe(true);
    expect(shouldContinue(1, 5, true)).toBe(false);
    expect(shouldContinue(5, 5, false)).toBe(false);
  });

  it("runs the full workflow with the offline models", async () => {
    const models = { writer: "offline/rules" };
    const ask = { brief: "smart home devices", maxTurns: 3, inMemory: true, models };
    const session = await runDraft(ask);
    expect(session.finalText).toBeTruthy();
    expect(session.turns.length).toBeGreaterThanOrEqual(1);
    expect(["approved", "max_turns"]).toContain(session.completionReason);
    expect(session.completedAt).toBeDefined();
  });

  const twoTurns = [
    ...["initialized", "generating", "reviewing", "deciding"],
    ...["generating", "reviewing", "deciding", "completed"],
  ];
  it("passes the states of the workflow in their order", async () => {
    expect(await phasesOf(happyPath)).toEqual(twoTurns);
    expect(await phasesOf(maxTurns, { maxTurns: 1 })).toEqual([
      ...["initialized", "generating", "reviewing", "deciding", "completed"],
    ]);
  });

  it("ends a workflow that is aborted as interrupted, to be resumed", async () => {
    await inFolder(async (directory) => {
      const stop = new AbortController();
      const models = { writer: "offline/rules" };
      const ask = { brief: "smart watches", directory, maxTurns: 3, models };
      const onEvent = (event: DraftEvent): void => {
        if (event.kind === "candidate-written") stop.abort();
      };
      const stopped = await runDraft({ ...ask, onEvent, signal: stop.signal });
      expect(stopped).toMatchObject({ completionReason: "interrupted" });
      expect(stopped.decision).toBeUndefined();
      const session = await runDraft(ask);
      expect(session.runId).toBe(stopped.runId);
      expect(session.decision).toBeDefined();
    });
  });
});

async function phasesOf(
  script: unknown,
  options: Partial<RunDraftOptions> = {},
): Promise<readonly string[]> {
  return await inFolder(async (directory) => {
    const model = `script:${directory}/${await writeScript(directory, script)}`;
    const phases: string[] = [];
    await runDraft({
      brief: bottles,
      directory,
      models: { writer: model },
      inMemory: true,
      onEvent: (event) => {
        if (event.kind === "phase-entered") phases.push(event.phase);
      },
      ...options,
    });
    return phases;
  });
}
