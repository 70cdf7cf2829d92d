import { describe, expect, test } from "vitest";
import {
  closed,
  decision,
  executed,
  ingested,
  loop,
  patched,
  prepared,
  reopened,
  replay,
  started,
} from "../../../tests/support/stage-events.ts";
import { supplierFinding } from "../../../tests/support/stage-parts.ts";
import { CODER_STATUSES } from "../scenarios/coder-status.ts";
import { decideClose } from "./close-stage.ts";
import { decideClosingGate, type StageTerms } from "./closing-gate.ts";
import { decideContinue } from "./continue-stage.ts";
import { decideNextAction, latestRepair } from "./next-action.ts";
import { validationHistory } from "./repair-proof.ts";
import { withoutStrangers } from "./same-assistant.ts";
import type { LoopFinished, StageEvent, StageHistory } from "./stage-history.ts";

describe("the next action follows from the history", () => {
  test.each<[string, StageHistory]>([
    ["continue_autonomous_or_fix_blocker", []],
    ["continue_autonomous_or_fix_blocker", [loop(false, { status: "blocked" })]],
    ["lead_coder_repair_required", [loop(false)]],
    ["user_decision_required", [loop(false, { requiresUserDecision: true })]],
    ["manual_gui_confirmation_or_stage_close", [loop(true)]],
    ["continue_repair_from_gui_review_p0", [loop(true), ingested(1, 2)]],
    ["continue_repair_from_gui_review_p1", [loop(true), ingested(0, 2)]],
    ["manual_gui_confirmation_or_stage_close", [loop(true), ingested(0, 0)]],
    ["continue_autonomous_or_fix_blocker", [ingested(0, 0)]],
    ["execute_prepared_repair", [loop(false), prepared]],
    ["execute_prepared_repair", [loop(false), prepared, executed("no_change", true)]],
    ["inspect_repair_result", [loop(false), prepared, started]],
    ["inspect_repair_result", [loop(true), prepared, started, loop(true)]],
    ["rerun_and_ingest_validation", [loop(false), ...patched]],
    ["inspect_repair_result", [loop(false), prepared, started, executed("no_change")]],
    ["inspect_repair_result", [loop(false), prepared, started, executed("failed")]],
    ["inspect_repair_result", [loop(false), prepared, started, executed("interrupted")]],
    ["user_decision_required", [loop(false), prepared, started, executed("needs_decision")]],
    [
      "rerun_and_ingest_validation",
      [loop(false), prepared, started, executed("needs_decision"), decision],
    ],
    [
      "inspect_repair_result",
      [loop(false), prepared, started, executed("needs_decision"), { ...decision, choice: "stop" }],
    ],
    [
      "continue_repair_from_gui_review_p0",
      [loop(true), ingested(1, 0), loop(true, { replay: { ...replay, asked: [] } })],
    ],
    ["rerun_and_ingest_validation", [loop(true), ...patched, loop(true, { packHash: "pack-b" })]],
    ["continue_repair_from_gui_review_p0", [loop(true), ...patched, ingested(1, 0)]],
    [
      "rerun_and_ingest_validation",
      [loop(true), ...patched, ingested(0, 0, ["What is in stock?"])],
    ],
    ["stage_closed", [loop(true), closed]],
    ["stage_closed", [loop(true), closed, ingested(1, 0)]],
    ["manual_gui_confirmation_or_stage_close", [loop(true), closed, reopened]],
  ])("%s", (action, history) => {
    expect(decideNextAction(history)).toBe(action);
  });
});

describe("an imported finding outlives a run that did not ask its question", () => {
  const imported = (from: string, severity: "P0" | "P1"): StageEvent => {
    const finding = { ...supplierFinding, findingId: from, asAsked: from, severity };
    return { kind: "findings-imported", from, findings: [finding] };
  };
  const [x, y] = [imported("x", "P0"), imported("y", "P1")];
  test.each<[string, StageHistory]>([
    ["continue_repair_from_gui_review_p0", [loop(true), ...patched, loop(true), x]],
    ["continue_repair_from_gui_review_p1", [loop(true), ...patched, loop(true), y]],
    ["rerun_and_ingest_validation", [loop(true), x, ...patched, loop(true), y]],
  ])("%s", (action, history) => {
    expect(decideNextAction(history)).toBe(action);
  });
});

test("an accepted loop does not open the gate over an unproven patch", () => {
  const gate = decideClosingGate([loop(true), ...patched]);
  expect(gate).toMatchObject({
    loopAcceptedGate: true,
    acceptedGate: false,
    status: "blocked_pending_repair_validation",
  });
  expect(decideClose([loop(true), ...patched], { confirmedBy: "Ada" }).kind).toBe("refuse");
});

test("a coder that was started needs proof, whatever it reports; a dry run needs none", () => {
  for (const status of CODER_STATUSES) {
    const gate = decideClosingGate([loop(true), prepared, started, executed(status)]);
    expect(gate.status, status).toBe("blocked_pending_repair_validation");
    const proven = [loop(true), prepared, started, executed(status), loop(true)];
    expect(decideClosingGate(proven).acceptedGate, status).toBe(true);
  }
  expect(decideClosingGate([loop(true), prepared, executed("patched", true)]).acceptedGate).toBe(
    true,
  );
});

describe("a coder that tampered, or was not watched to its end, needs a ruling first", () => {
  const tampered = { ...executed("patched"), evidence: "tampered", tampered: ["summary.json"] };
  test.each<[string, readonly StageEvent[], string]>([
    ["tampered", [prepared, started, tampered as StageEvent], "summary.json"],
    ["unobserved", [prepared, started], "not observed"],
  ])("%s", (_title, repair, why) => {
    const ruling: StageEvent = {
      kind: "ruling-given",
      repair: "r1",
      by: "Ada",
      reason: "my own edit",
      ruledAt: "2026-11-15T11:00:00.000Z",
    };
    const blocked = decideClosingGate([loop(true), ...repair, loop(true)]);
    expect(blocked.reasons.join()).toContain(why);
    expect(blocked.missing[0]).toMatchObject({ command: "rule" });
    expect(decideNextAction([loop(true), ...repair])).toBe("inspect_repair_result");
    expect(decideNextAction([loop(true), ...repair, ruling])).toBe("rerun_and_ingest_validation");
    const before = decideClosingGate([loop(true), ...repair, ruling]);
    expect(before.status).toBe("blocked_pending_repair_validation");
    expect(decideClosingGate([loop(true), ...repair, ruling, loop(true)]).acceptedGate).toBe(true);
    const late = { ...ruling, ruledAt: "2026-11-15T14:00:00.000Z" };
    const old = decideClosingGate([loop(true), ...repair, loop(true), late]);
    expect(old.acceptedGate).toBe(false);
  });
});

describe("a run proves a repair only if it began after the coder had ended", () => {
  const ended = { ...executed("patched"), endedAt: "2026-11-15T12:30:00.000Z" } as StageEvent;
  const later = loop(true, { replay: { ...replay, begunAt: "2026-11-15T12:31:00.000Z" } });
  const { heldAt: _, ...undated } = ingested(0, 0) as StageEvent & { readonly heldAt: string };
  test.each<[string, StageEvent]>([
    ["too_old", loop(true)],
    ["accepted", later],
    ["too_old", { ...undated, heldAt: "2026-11-15T12:29:00.000Z" } as StageEvent],
    ["undated", undated as StageEvent],
    ["accepted", ingested(0, 0)],
  ])("%s", (status, run) => {
    const history = [loop(false), prepared, started, ended, run];
    expect(validationHistory(history)).toMatchObject([{ status }]);
  });
});

describe("a finding stays open until the check that failed passes on the same question", () => {
  const shown = (change: object) => {
    const [asked] = replay.asked;
    return loop(true, { replay: { ...replay, asked: [{ ...asked, ...change }] as never } });
  };
  const opened = (...history: StageHistory) => decideClosingGate(history).openFindings.length;
  test.each<[string, StageEvent, number]>([
    ["passes", loop(true), 0],
    ["fails again", loop(false), 1],
    ["after other questions", shown({ asAsked: "other" }), 1],
    ["against weaker expectations", shown({ basis: "anything" }), 1],
    ["not answered", shown({ isAnswered: false }), 1],
    ["fails with a lower severity", shown({ problems: ["direct_answer_gap"] }), 1],
    ["an older replay", loop(true, { replay: { ...replay, begunAt: "2026-11-01" } }), 1],
    ["a replay whose runs are gone", lost(loop(true)), 1],
    ["a conversation that was imported", ingested(0, 0), 0],
    ["a conversation about something else", ingested(0, 0, ["What is in stock?"]), 1],
  ])("%s", (_title, event, open) => {
    expect(opened(loop(false), event)).toBe(open);
  });

  test("or until a person settles it, and a lost replay keeps its findings", () => {
    const ruling: StageEvent = {
      kind: "ruling-given",
      finding: supplierFinding.findingId,
      by: "Ada",
      reason: "sold out",
      ruledAt: "2026-11-15T14:00:00.000Z",
    };
    expect(opened(loop(false), ruling)).toBe(0);
    expect(opened({ ...lost(loop(false)), findings: [supplierFinding] })).toBe(1);
    expect(
      opened(loop(true), { kind: "findings-imported", from: "x", findings: [supplierFinding] }),
    ).toBe(1);
  });

  test("the same problem after other questions, or in other words, is another finding", () => {
    const found = (change: object): StageEvent => ({
      ...{ kind: "findings-imported", from: "x" },
      findings: [{ ...supplierFinding, asWorded: "who", ...change }],
    });
    expect(opened(found({}), found({}))).toBe(1);
    expect(opened(found({}), found({ asAsked: "other" }))).toBe(2);
    expect(opened(found({}), found({ asWorded: "other" }))).toBe(2);
    expect(opened(found({}), found({ findingId: "other" }))).toBe(2);
  });

  test("what an analyst found is settled by an analyst, on an accepted replay", () => {
    const analyst = { ...supplierFinding, analyst: "ollama/mistral" };
    const found = loop(false, { replay: { ...replay, findings: [analyst] } });
    expect(opened(found, loop(true))).toBe(1);
    const judged = loop(true, { replay: { ...replay, deciders: ["model"] } });
    expect(opened(found, judged)).toBe(0);
    expect(opened(found, { ...judged, accepted: false })).toBe(1);
    expect(opened(found, ingested(0, 0))).toBe(1);
  });
});

test("a replay at another address proves nothing, unless a person says that the assistant moved", () => {
  const elsewhere = loop(true, { replay: { ...replay, assistant: { url: "http://other" } } });
  expect(decideClosingGate(withoutStrangers([loop(false), elsewhere]))).toMatchObject({
    acceptedGate: false,
    openFindings: [{ findingId: supplierFinding.findingId }],
    reasons: [expect.stringContaining("http://other")],
  });
  const moved: StageEvent = {
    kind: "assistant-changed",
    to: { url: "http://other" },
    by: "Ada",
    reason: "new host",
  };
  expect(decideClosingGate(withoutStrangers([loop(false), moved, elsewhere])).acceptedGate).toBe(
    true,
  );
});

test("the latest loop must be of this pack, good enough, and judged by the named model", () => {
  const gate = (terms: StageTerms) => decideClosingGate([loop(true)], terms).reasons;
  expect(gate({ packHash: "pack-a", decider: "stand_in" })).toEqual([]);
  expect(gate({ packHash: "pack-b" })).toEqual([expect.stringContaining("pack has changed")]);
  expect(gate({ decider: "model" })).toEqual([expect.stringContaining("names a model")]);
  const scored = loop(true, { replay: { ...replay, score: 87 } });
  expect(decideClosingGate([scored], { targetScore: 88 }).reasons).toEqual([
    expect.stringContaining("87"),
  ]);
});

function lost({ replay: _, ...event }: LoopFinished): LoopFinished {
  return { ...event, accepted: false };
}

describe("only a covering run after the patch proves it", () => {
  test.each<[string, StageEvent, string, boolean]>([
    ["a replay of the same pack", loop(true), "accepted", true],
    ["a replay of another pack", loop(true, { packHash: "pack-b" }), "scope_mismatch", false],
    ["a replay that fails", loop(false), "not_accepted", false],
    ["a clean run that asks the question", ingested(0, 0), "accepted", true],
    ["a run with findings", ingested(0, 1), "not_accepted", false],
    [
      "a clean run that asks something else",
      ingested(0, 0, ["What is in stock?"]),
      "scope_mismatch",
      false,
    ],
  ])("%s", (_title, run, status, proven) => {
    const history = [loop(true), ...patched, run];
    expect(validationHistory(history).map((validation) => validation.status)).toEqual([status]);
    expect(decideClosingGate(history).unprovenRepairs).toHaveLength(proven ? 0 : 1);
    expect(decideClosingGate([run, ...patched]).unprovenRepairs).toHaveLength(1);
  });

  test("the missing questions are named", () => {
    expect(validationHistory([...patched, ingested(0, 0, [])])[0]?.missingQuestions).toEqual([
      "who supplied the DESK",
    ]);
  });

  test("a patch without a plan cannot be proven", () => {
    expect(
      decideClosingGate([executed("patched"), loop(true), ingested(0, 0)]).unprovenRepairs,
    ).toHaveLength(1);
  });

  test("an old unproven patch is not forgotten behind a newer proven one", () => {
    const other: StageEvent = {
      kind: "repair-prepared",
      iterationId: "r2",
      packHash: "pack-a",
      questions: ["What is in stock?"],
    };
    const second: StageEvent = {
      kind: "repair-executed",
      iterationId: "r2",
      dryRun: false,
      coderStatus: "patched",
    };
    const gate = decideClosingGate([
      loop(true),
      ...patched,
      other,
      second,
      ingested(0, 0, ["What is in stock?"]),
    ]);
    expect(gate.unprovenRepairs.map((repair) => repair.iterationId)).toEqual(["r1"]);
  });
});

test("closing takes a name, once, and only a person opens the stage again", () => {
  expect(decideClose([loop(true)], { confirmedBy: " Ada " })).toEqual({
    kind: "close",
    event: closed,
  });
  expect(decideClose([loop(true)], { confirmedBy: "  " }).kind).toBe("refuse");
  expect(decideClose([], { confirmedBy: "Ada" })).toEqual({
    kind: "refuse",
    reasons: ["no pack loop has been run"],
  });
  expect(decideClose([loop(true), closed], { confirmedBy: "Ada" }).kind).toBe("refuse");
  expect(decideClosingGate([loop(true), closed, ingested(1, 0)])).toMatchObject({
    status: "closed",
    missing: [{ command: "reopen" }],
  });
  expect(decideClosingGate([lost(loop(true)), closed]).status).toBe("closed_evidence_lost");
  expect(decideClosingGate([loop(true), closed, reopened, ingested(1, 0)]).status).toBe(
    "not_accepted",
  );
});

test("a coder that was running when the machine stopped is interrupted, never patched", () => {
  expect(latestRepair([prepared, started])).toMatchObject({ coderStatus: "interrupted" });
  expect(latestRepair([])).toBeUndefined();
});

describe("continue takes one step", () => {
  const options = { executeRepair: false };
  test.each<[string, StageHistory, object]>([
    ["write-loop-command", [], options],
    ["prepare-and-dry-run", [loop(true), ingested(1, 0)], options],
    ["dry-run-repair", [loop(false), prepared], options],
    ["nothing", [loop(false), prepared, executed("no_change", true)], options],
    [
      "execute-repair",
      [loop(false), prepared, executed("no_change", true)],
      { executeRepair: true },
    ],
    ["wait-for-run-id", [loop(true), ...patched], options],
    ["ingest-run", [loop(true), ...patched], { ...options, runId: "gui-8" }],
    ["nothing", [loop(true)], options],
    ["nothing", [loop(true), closed], { executeRepair: true }],
  ])("%s", (kind, history, how) => {
    expect(decideContinue(history, how as { executeRepair: boolean }).kind).toBe(kind);
  });
});

test("everything that is missing comes with the command that supplies it", () => {
  const missing = (...history: StageHistory) => decideClosingGate(history).missing;
  expect(missing()).toEqual([{ text: "no pack loop has been run", command: "run", more: "" }]);
  expect(missing(loop(true), prepared, started)).toEqual([
    {
      text: "repair r1 was not observed to its end, so it is unknown what it changed",
      command: "rule",
      more: " --repair r1",
    },
  ]);
  expect(missing(loop(true), ingested(1, 0))).toEqual([
    {
      text: "1 P0 and 0 P1 findings are open (gui-7: Who supplied the desk?)",
      command: "prepare-repair",
      more: "",
    },
  ]);
  expect(decideClosingGate([]).loopAcceptedGate).toBe(false);
});
