import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { signoff } from "../support/scenario-cli.ts";
import { perfectVerdict } from "../support/shop-stories.ts";
import { sparePort } from "../support/spare-port.ts";
import {
  claims,
  defectFile,
  fixes,
  holdConversation,
  openStageStory,
  preparedStage,
  questionsAsked,
  type StageStory,
  smallPack,
  stageFolder,
  transcriptOf,
} from "../support/stage-story.ts";

const story = (how: Parameters<typeof openStageStory>[0] = {}) =>
  openStageStory({ pack: smallPack, ...how });

const run = ["run", "--skip-question-review"];
/** The first loop is over, and not accepted. */
const played = preparedStage({ pack: smallPack }, run);
/** A repair of it is prepared, too. */
const prepared = preparedStage({ pack: smallPack }, run, ["prepare-repair"]);
const manifest = "examples/stage/stage.yaml";

function setManifest(shop: StageStory, ...lines: readonly string[]): void {
  shop.write(manifest, `${shop.read(manifest)}${lines.map((line) => `${line}\n`).join("")}`);
}

describe("the stage's gate", () => {
  it.each<[string, object, boolean]>([
    ["a perfect verdict", {}, true],
    ["a score below the target", { quality_score: 87 }, false],
    ["no direct answer", { direct_answer_ok: false }, false],
    ["no business use", { business_usefulness_ok: false }, false],
    ["dishonest dates", { temporal_honesty_ok: false }, false],
    ["untrue fields", { field_truth_ok: false }, false],
    ["bad layers", { answer_layering_ok: false }, false],
    ["another decision", { loop_decision: "continue" }, false],
    [
      "an open P1",
      {
        priority_targets: [
          { severity: "P1", problem_type: "noise", fix_goal: "Less talk.", candidate_files: [] },
        ],
      },
      false,
    ],
  ])("with %s", async (_title, change, accepted) => {
    const shop = await story({ defects: "" });
    const verdict = { ...perfectVerdict, ...change };
    shop.write("analyst.json", JSON.stringify({ analyst: [verdict, verdict] }));
    setManifest(shop, "analyst: script:analyst.json");
    const state = await shop.json(...run);
    const open_p1 = "priority_targets" in change ? 1 : 0;
    expect(state.history.at(-1)?.event).toMatchObject({ kind: "loop-finished", open_p1 });
    expect(state.accepted_gate).toBe(accepted);
    expect(state.code).toBe(accepted ? 0 : 3);
    expect(state.saved_pack === undefined).toBe(!accepted);
  });

  it("saves nothing when the manifest says so", async () => {
    const shop = await story({ defects: "" });
    setManifest(shop, "save_autorun_on_accept: false");
    const state = await shop.json(...run);
    expect(state.accepted_gate).toBe(true);
    expect(state.saved_pack).toBeUndefined();
  });

  it("does not count an accepted loop whose files were changed afterwards", async () => {
    const shop = await story({ defects: "" });
    expect((await shop.json(...run)).accepted_gate).toBe(true);
    const file = `${stageFolder}/domain_loops/loop-01/iterations/01/pack_state.json`;
    shop.write(file, shop.read(file).replace("shop_pack", "shop_pack "));
    const state = await shop.json("status");
    expect(state.accepted_gate).toBe(false);
    expect(state.changed_evidence).toEqual(["domain_loops/loop-01/iterations/01/pack_state.json"]);
    expect((await shop.json("close", "--confirmed-by", "Ada")).code).toBe(1);
  });
});

it("a confirmation without a name is refused", async () => {
  const shop = await story();
  expect(await shop.json("close", "--confirmed-by", " ")).toMatchObject({
    code: 2,
    error: { code: "usage", message: expect.stringContaining("--confirmed-by") },
  });
});

describe("an ingested run", () => {
  const ingest = (shop: StageStory, id: string, pairs: readonly (readonly [string, string])[]) => {
    shop.write(`${id}.txt`, transcriptOf(pairs));
    return shop.json("ingest-run", "--run-id", id, "--transcript", `${id}.txt`);
  };

  it.each<[string, string, string, number]>([
    [
      "an internal in line 1",
      "runtime_plan planner_v2\n12",
      "continue_repair_from_gui_review_p0",
      1,
    ],
    [
      "noise below the answer",
      "12 Oak desk.\nruntime_plan planner_v2",
      "continue_repair_from_gui_review_p1",
      1,
    ],
    ["a clean answer", "12 Oak desk.", "continue_autonomous_or_fix_blocker", 0],
  ])("with %s sets the next action", async (_title, answer, next, code) => {
    const shop = await story();
    const state = await ingest(shop, "gui-1", [["How many Oak desk are there?", answer]]);
    expect(state).toMatchObject({ code, next_action: next, latest_imported_run: "gui-1" });
    const handOff = shop.read(`${stageFolder}/stage_repair_handoff.md`);
    expect(handOff).toContain("# How it is proven");
    if (code === 1) expect(handOff).toContain("> How many Oak desk are there?");
  });

  it("confirms an accepted loop, and a dirty one takes the confirmation away", async () => {
    const shop = await story({ defects: "" });
    await shop.json(...run);
    const clean = await ingest(shop, "gui-1", [["How many Oak desk are there?", "12 Oak desk."]]);
    expect(clean.next_action).toBe("manual_gui_confirmation_or_stage_close");
    const dirty = await ingest(shop, "gui-2", [["How many Oak desk?", "runtime_plan x\n12"]]);
    expect(dirty).toMatchObject({
      accepted_gate: false,
      next_action: "continue_repair_from_gui_review_p0",
    });
    expect(await shop.json("continue")).toMatchObject({ step: "prepare-and-dry-run", code: 0 });
  });

  it("validates a patch only if it asks the repair's questions, is clean, and is new", async () => {
    const shop = played();
    await holdConversation(shop, "before", questionsAsked(shop));
    expect((await shop.json("ingest-run", "--run-id", "before")).code).toBe(1);
    await shop.json("prepare-repair");
    expect((await shop.json("run-repair", ...fixes)).code).toBe(3);
    expect((await shop.json("continue")).code).toBe(3);
    const stale = await shop.stage("ingest-run", "--run-id", "before");
    expect(stale.code).toBe(2);
    expect(stale.err).toContain("already ingested");
    const [first = []] = questionsAsked(shop);
    await holdConversation(shop, "half", [first]);
    const half = await shop.json("continue", "--run-id", "half");
    expect(half).toMatchObject({
      code: 1,
      step: "ingest-run",
      next_action: "rerun_and_ingest_validation",
      latest_repair_validation: { run_id: "half", status: "scope_mismatch" },
    });
    expect(half.latest_repair_validation?.missing_questions.length).toBeGreaterThan(0);
    await holdConversation(shop, "whole", questionsAsked(shop));
    const whole = await shop.json("continue", "--run-id", "whole");
    expect(whole).toMatchObject({
      code: 0,
      latest_repair_validation: { run_id: "whole", status: "accepted", by: "ingested_run" },
      repair_validation_history: [{ status: "scope_mismatch" }, { status: "accepted" }],
      stage_closing_gate: { status: "not_accepted" },
    });
  });

  it("with a P0 left is recorded and does not open the gate", async () => {
    const shop = prepared();
    await shop.json("run-repair", ...claims);
    await holdConversation(shop, "after", questionsAsked(shop));
    expect(await shop.json("ingest-run", "--run-id", "after")).toMatchObject({
      code: 1,
      next_action: "continue_repair_from_gui_review_p0",
      latest_repair_validation: { status: "not_accepted" },
      stage_closing_gate: { status: "blocked_pending_repair_validation" },
    });
  });

  it("whose id is malformed or unknown is refused", async () => {
    const shop = await story();
    expect((await shop.stage("ingest-run", "--run-id", "../up")).code).toBe(2);
    expect((await shop.stage("ingest-run", "--run-id", "unknown")).code).toBe(2);
  });
});

it("continue from a cold start writes the loop's command and asks no model", async () => {
  const shop = await story();
  const cold = await shop.json("continue");
  expect(cold).toMatchObject({
    code: 0,
    step: "write-loop-command",
    next_action: "continue_autonomous_or_fix_blocker",
    history: [],
  });
  const command = shop.read(`${stageFolder}/domain_pack_loop.command.txt`);
  expect(command.trimEnd().split("\n").at(-1)).toBe(cold.next_step_guidance.command_templates[0]);
  expect(existsSync(join(shop.path, stageFolder, "domain_loops"))).toBe(false);
  expect(shop.shop.questions).toHaveLength(0);
});

it("a stage that waits is in the inbox with commands to paste, until it is closed", async () => {
  const shop = await story({ defects: "" });
  const inbox = async () => JSON.parse((await signoff(shop.path, ["inbox", "--json"])).out).items;
  expect(await inbox()).toEqual([]);
  await shop.json(...run);
  expect(await inbox()).toMatchObject([
    {
      kind: "stage",
      id: "shop_answers",
      next_action: "manual_gui_confirmation_or_stage_close",
      commands: [`signoff stage close --manifest ${manifest}`],
      version: 1,
    },
  ]);
  await shop.json("close", "--confirmed-by", "Ada");
  expect(await inbox()).toEqual([]);
});

it("asks a person when the analyst does, and goes on with the answer", async () => {
  const shop = await story({ defects: "" });
  const asks = {
    ...perfectVerdict,
    loop_decision: "continue",
    requires_user_decision: true,
    user_decision_type: "business_tradeoff",
    user_decision_prompt: "Gross or net revenue?",
  };
  shop.write("analyst.json", JSON.stringify({ analyst: [asks, "unused", perfectVerdict] }));
  setManifest(shop, "analyst: script:analyst.json");
  const waiting = await shop.json(...run);
  expect(waiting).toMatchObject({ code: 3, next_action: "user_decision_required" });
  expect((await shop.json("continue")).code).toBe(3);
  const decided = await shop.json(...run, "--decide", "continue");
  expect(decided).toMatchObject({ code: 0, accepted_gate: true });
  expect(decided.history.map(({ event }) => event.kind)).toEqual([
    "loop-finished",
    "decision-given",
    "loop-finished",
  ]);
});

it("says that the assistant is unreachable, and the stage goes on when it is back", async () => {
  const shop = await story({ defects: "" });
  const gone = `http://127.0.0.1:${await sparePort()}`;
  const down = await shop.json(...run, "--assistant-url", gone);
  expect(down).toMatchObject({ code: 5, next_action: "continue_autonomous_or_fix_blocker" });
  expect((await shop.json(...run)).code).toBe(0);
});

it("remembers a given address once it has answered, and none that never did", async () => {
  const shop = await story();
  const plain = ["stage", "run", "--manifest", manifest, "--skip-question-review", "--json"];
  const gone = `http://127.0.0.1:${await sparePort()}`;
  shop.write("signoff.yaml", `{ version: 1, scenarios: { assistant: { base_url: ${gone} } } }`);
  expect((await shop.stage(...run, "--assistant-url", `${gone}/nowhere`)).code).toBe(5);
  const down = await signoff(shop.path, plain);
  expect([down.code, `${down.out}${down.err}`]).toEqual([
    5,
    expect.not.stringContaining("nowhere"),
  ]);
  expect((await shop.json(...run)).code).toBe(3);
  expect((await shop.stage(...run, "--assistant-url", `${gone}/nowhere`)).code).toBe(2);
  const moved = ["--assistant-changed", "--reason", "it has moved", "--by", "Ada"];
  const asked = await shop.stage(...run, "--assistant-url", `${gone}/nowhere`, ...moved);
  expect(asked.code).toBe(5);
  shop.write(defectFile, "");
  const back = await signoff(shop.path, plain);
  expect([back.code, back.err]).toEqual([0, expect.any(String)]);
});

it("a changed pack begins a new loop, and does not prove a repair of the old one", async () => {
  const shop = prepared();
  await shop.json("run-repair", ...fixes);
  shop.write("examples/scenario-pack/pack.yaml", smallPack.replace("2024-06-30", "2024-06-29"));
  const state = await shop.json(...run);
  expect(state.latest_repair_validation).toMatchObject({
    run_id: "loop-02/iterations/01",
    status: "scope_mismatch",
  });
  expect(state.stage_closing_gate.status).toBe("blocked_pending_repair_validation");
});

describe("summarize", () => {
  it("writes hand-offs that were lost, and the same summary", async () => {
    const shop = played();
    await holdConversation(shop, "gui-1", questionsAsked(shop));
    await shop.json("ingest-run", "--run-id", "gui-1");
    const names = [
      "stage_loop_handoff.md",
      "stage_context_capsule.md",
      "stage_repair_handoff.json",
    ];
    const before = names.map((name) => shop.read(`${stageFolder}/${name}`));
    for (const name of names) rmSync(join(shop.path, stageFolder, name));
    expect((await shop.stage("summarize")).code).toBe(0);
    const after = names.map((name) => shop.read(`${stageFolder}/${name}`));
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(JSON.parse(after[2] ?? "").targets).toEqual(JSON.parse(before[2] ?? "").targets);
  });

  it("writes a lost or edited summary anew: nothing rests on the file", async () => {
    const shop = prepared();
    await shop.json("run-repair", ...fixes);
    const accepted = await shop.json(...run);
    expect(accepted.accepted_gate).toBe(true);
    const file = `${stageFolder}/stage_loop_summary.json`;
    const text = shop.read(file);
    for (const damage of [() => rmSync(join(shop.path, file)), () => shop.write(file, "{")]) {
      damage();
      expect(await shop.json("status")).toMatchObject({ code: 0, accepted_gate: true });
      expect(await shop.json("summarize")).toMatchObject({ code: 0, accepted_gate: true });
      expect(JSON.parse(shop.read(file)).history).toEqual(JSON.parse(text).history);
    }
  });

  it("refuses a damaged summary and says what to do", async () => {
    const shop = await story();
    shop.write(`${stageFolder}/stage_loop_summary.json`, "{");
    const ended = await shop.stage("status");
    expect(ended.code).toBe(2);
    expect(ended.err).toContain("summarize");
  });
});

describe("wrong on purpose", () => {
  it.each<[string, readonly string[], string]>([
    ["a repair that was not prepared", ["run-repair", ...fixes], "prepare-repair"],
    ["an unknown coder", ["run-repair", "--dry-run", "--coder", "gemini-x"], "prepare"],
  ])("%s", async (_title, args, hint) => {
    const shop = await story();
    const ended = await shop.stage(...args);
    expect(ended.code).toBe(2);
    expect(ended.err).toContain(hint);
  });

  it("nothing to repair is said", async () => {
    const shop = await story({ defects: "" });
    expect((await shop.json("prepare-repair")).said[0]).toContain("Nothing to repair");
    expect((await shop.json("close", "--confirmed-by", "Ada")).said.join()).toContain(
      "no pack loop",
    );
  });

  it("a manifest with a wrong key names the file and the key", async () => {
    const shop = await story();
    setManifest(shop, "target_scor: 90");
    const ended = await shop.stage("status");
    expect(ended.code).toBe(2);
    expect(ended.err).toContain("stage.yaml");
    expect(ended.err).toContain("target_scor");
  });

  it("weak questions are not asked", async () => {
    const shop = await story({
      pack: "pack_id: shop_pack\ndomain: shop\nscenarios: [{scenario_id: a, domain: shop, steps: [{step_id: s, question: '????'}, {step_id: t, question: '????'}]}]\n",
    });
    const review = await shop.stage("review-questions");
    expect(review.code).toBe(1);
    expect(JSON.parse(shop.read(`${stageFolder}/question_generation_review.json`)).rating).toBe(
      "weak",
    );
    expect(shop.read(`${stageFolder}/question_generation_review.md`)).toContain("weak");
    expect((await shop.stage("run")).code).toBe(1);
    expect(shop.shop.questions).toHaveLength(0);
  });
});
