import { describe, expect, it } from "vitest";
import type { CompletionReason } from "../../domain/drafting/draft-outcome.ts";
import type { DraftSession } from "../../domain/drafting/session.ts";
import { defined } from "../../domain/values/defined.ts";
import { runId } from "../../domain/values/ids.ts";
import { instant } from "../../domain/values/instant.ts";
import type { Ending } from "../../ports/flow.ts";
import { plainPalette } from "../shell/palette.ts";
import { renderClosing } from "./draft-closing.ts";
import { renderSessionText } from "./session-text.ts";

const layout = { width: 100, palette: plainPalette };
const at = instant("2026-11-15T10:00:00.000Z");

const turn = (turnNumber: number, text: string, approved: boolean) => ({
  turnNumber,
  text,
  approved,
  timestamp: at,
  durationSeconds: 2,
  review: {
    iteration: turnNumber,
    verdict: approved ? ("ok" as const) : ("changes_requested" as const),
    issues: [],
    createdAt: at,
    provenance: [],
    summary: approved ? "SHIP IT!" : "Good rhythm but vague.",
  },
});

const session = (more: Partial<DraftSession> = {}): DraftSession => ({
  runId: runId("run-7"),
  recipe: "slogan",
  userInput: "eco-friendly water bottles",
  modelName: "ollama/mistral:latest",
  reviewerModels: ["ollama/mistral:latest"],
  reviewers: [{ label: "reviewer", model: "ollama/mistral:latest" }],
  standIn: false,
  deciders: ["model"],
  maxTurns: 5,
  turns: [
    turn(1, "Hydrate Green, Live Clean", false),
    turn(2, "Hydrate Green, Save Our Seas", true),
  ],
  finalText: "Hydrate Green, Save Our Seas",
  createdAt: at,
  completedAt: instant("2026-11-15T10:00:06.300Z"),
  usage: {
    calls: 4,
    replayed: 0,
    inputTokens: 300,
    outputTokens: 40,
    cachedInputTokens: 0,
    microUsd: 0,
  },
  ...more,
});

const locked = {
  outcome: "needs_human",
  finalIteration: 2,
  reason: "iteration_limit",
  lockedFields: ["outcome", "final_iteration", "reason"],
} as const;

const close = (its: DraftSession, ending?: Ending) =>
  renderClosing(
    { session: its, verbosity: "normal", budget: { microUsd: 250_000 }, ...defined({ ending }) },
    layout,
  );

describe("renderClosing", () => {
  it("says how it ended, the text, what it took, where the record is and what to type", () => {
    const approved = session({ completionReason: "approved" });
    const record = ".signoff/runs/run-7";
    expect(renderClosing({ session: approved, record, verbosity: "normal" }, layout)).toEqual([
      "✓ Approved after 2 turns: writer and reviewer both signed.",
      "",
      "  | Hydrate Green, Save Our Seas",
      "",
      "  took       2 turns · 6.3 s · 4 calls · 300 tokens in, 40 out · $0 (local)",
      "  record     .signoff/runs/run-7",
      "  next       signoff runs show run-7",
    ]);
  });

  it("says when a stand-in or a script decided, whether it signed or not", () => {
    const approved = session({ deciders: ["scripted"], completionReason: "approved" });
    expect(close(approved).slice(0, 2).join(" ")).toContain(
      "both signed; decided by a script, not by a model.",
    );
    const stalled = { completionReason: "stalled", decision: locked } as const;
    expect(close(session({ deciders: ["stand_in"], ...stalled })).join(" ")).toContain(
      "decided by a built-in stand-in, not by a model.",
    );
  });

  it("is what a person decided, whatever the loop came to", () => {
    const limit = { completionReason: "max_turns", decision: locked } as const;
    const act = { by: "Ada", at, reason: "Good enough for the flyer." };
    const approved = session({
      ...limit,
      outcome: "approved",
      deciders: ["person"],
      ruling: { act: "approve", ...act },
    });
    const lines = close(approved);
    expect(lines[0]).toBe("✓ Approved by Ada: Good enough for the flyer.");
    expect(lines.join("\n")).not.toMatch(/without approval|not approved/u);
    const changes = session({
      ...limit,
      outcome: "changes_requested",
      ruling: { act: "request_changes", ...act },
    });
    expect(close(changes)[0]).toMatch(/^✗ Changes requested by Ada/u);
  });

  it("names an older rule that a draft was approved under", () => {
    const old = session({ completionReason: "approved", decision: locked, rule: 1 });
    expect(close(old)[0]).toMatch(/^✓ Approved after 2 turns under rule 1:/u);
  });

  it.each(["max_turns", "stalled", "oscillating", "late_issues"] as const)(
    "never words %s as an approval",
    (completionReason) => {
      const lines = close(session({ completionReason, decision: locked }));
      expect(lines[0]).toMatch(/^✗ .*without approval/);
      expect(lines).toContain("  The best draft so far, not approved:");
      expect(lines.at(-1)).toBe("  next       signoff runs show run-7 --why");
    },
  );

  it.each([
    [
      "budget",
      { kind: "stopped", reason: "budget", facts: {} },
      "Budget reached",
      "runs resume run-7 --budget 0.5usd",
    ],
    [
      "cancelled",
      { kind: "stopped", reason: "interrupted", facts: {} },
      "Interrupted",
      "runs resume run-7",
    ],
    ["error", { kind: "finished", result: null }, "A call failed", "runs resume run-7"],
    ["cancelled", { kind: "cancelled", reason: "enough" }, "Cancelled", "runs show run-7 --why"],
    [undefined, { kind: "waiting", decisions: ["d1"] }, "Waiting for a person", "inbox"],
    [
      undefined,
      { kind: "stopped", reason: "definition-changed", facts: {} },
      "Stopped",
      "runs resume run-7 --accept-changes",
    ],
    [undefined, undefined, "Interrupted", "runs resume run-7"],
  ] as const)("%s, %j: %s", (completionReason, ending, words, command) => {
    const reason: { completionReason?: CompletionReason } =
      completionReason === undefined ? {} : { completionReason };
    const lines = close(session(reason), ending);
    expect(lines[0]).toMatch(new RegExp(`^✗ ${words}`));
    expect(lines.find((line) => line.startsWith("  next"))).toBe(`  next       signoff ${command}`);
  });

  it("proposes no explanation where there is no turn to explain", () => {
    const lines = close(session({ completionReason: "cancelled", turns: [] }));
    expect(lines.join("\n")).toContain("signoff runs show run-7");
    expect(lines.join("\n")).not.toContain("--why");
  });

  it("repeats what failed, with its hint", () => {
    const error = {
      code: "unreachable",
      message: "Ollama is down.",
      retryable: true,
      facts: { hint: "Start it." },
    };
    expect(close(session({ completionReason: "error" }), { kind: "failed", error })[1]).toBe(
      "Error: Ollama is down. Start it.",
    );
  });

  it("keeps the lines of the text", () => {
    const letter = session({ completionReason: "approved", finalText: "Dear Ann,\n\nit is here." });
    expect(close(letter)).toEqual(
      expect.arrayContaining(["  | Dear Ann,", "  |", "  | it is here."]),
    );
  });

  it("does without a text when there is none", () => {
    const { finalText: _, ...none } = session({ turns: [] });
    expect(close(none).slice(0, 3)).toEqual([
      "✗ Interrupted, nothing decided: 0 turns kept, the run can be resumed.",
      "",
      "  took       0 turns · 6.3 s · 4 calls · 300 tokens in, 40 out · $0 (local)",
    ]);
  });
});

describe("renderSessionText", () => {
  it("is the whole session without a single escape", () => {
    const hostile = session({ completionReason: "approved", userInput: "bottles\x1B[2J" });
    expect(renderSessionText(hostile)).toEqual([
      "Draft run-7",
      "",
      "  brief      bottles",
      "  recipe     slogan, at most 5 turns",
      "  writer     ollama/mistral:latest",
      "  reviewer   ollama/mistral:latest",
      "  started    2026-11-15T10:00:00.000Z",
      "",
      "Turn 1",
      "  writer     Hydrate Green, Live Clean",
      "  reviewer   asks for changes",
      "             Good rhythm but vague.",
      "",
      "Turn 2",
      "  writer     Hydrate Green, Save Our Seas",
      "  changed    Hydrate Green, [-Live Clean-] {+Save Our Seas+}",
      "  reviewer   approves",
      "             SHIP IT!",
      "",
      "✓ Approved after 2 turns: writer and reviewer both signed.",
      "",
      "  | Hydrate Green, Save Our Seas",
      "",
      "  took       2 turns · 6.3 s · 4 calls · 300 tokens in, 40 out · $0 (local)",
    ]);
  });

  it("leaves nothing out of a long draft", () => {
    const long = `${"The river runs to the sea. ".repeat(2_000)}It ends there.`;
    const whole = session({ turns: [turn(1, long, true)], completionReason: "approved" });
    expect(renderSessionText(whole)).toContain(`  writer     ${long}`);
  });

  it("explains the decision by the questions of the rule in their order", () => {
    const why = {
      verdict: "changes_requested",
      creatorDone: true,
      iteration: 2,
      maxIterations: 2,
      stopRules: [{ rule: "early_stop", fired: false }],
      decision: locked,
    } as const;
    const limit = session({ completionReason: "max_turns", decision: locked });
    expect(renderSessionText(limit, { why, layout }).slice(-6)).toEqual([
      "Why",
      "  both sign? no        the reviewer asks for changes, the writer is done",
      "  limit?     yes       turn 2 of at most 2",
      "  stop rule? not asked early_stop",
      "  continue?  not asked another turn",
      "  so         needs_human, iteration_limit, turn 2; locked: outcome, final_iteration, reason",
    ]);
    const { decision: _, ...open } = { ...why, maxIterations: 5, stopRules: [] };
    expect(renderSessionText(limit, { why: open, layout }).slice(-4)).toEqual([
      "  limit?     no        turn 2 of at most 5",
      "  stop rule? no        none is on",
      "  continue?  yes       another turn",
      "  so         none: nothing is locked",
    ]);
  });
});
