import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startDemoAssistant } from "../../src/adapters/assistant/demo/demo-assistant.ts";
import { signoff } from "../support/scenario-cli.ts";
import { perfectVerdict } from "../support/shop-stories.ts";
import { startSignoff } from "../support/signoff-process.ts";
import {
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
import { operateOnStore, wordsInStore } from "../support/store-surgery.ts";

const run = ["run", "--skip-question-review"];
const manifest = "examples/stage/stage.yaml";
const packFile = "examples/scenario-pack/pack.yaml";
const summaryFile = `${stageFolder}/stage_loop_summary.json`;
/** The first loop is over, and not accepted. */
const played = preparedStage({ pack: smallPack }, run);
/** A repair of it is prepared, too. */
const prepared = preparedStage({ pack: smallPack }, run, ["prepare-repair"]);
/** An assistant without defects was accepted. */
const accepted = preparedStage({ pack: smallPack, defects: "" }, run);
const closed = preparedStage({ pack: smallPack, defects: "" }, run, [
  "close",
  "--confirmed-by",
  "Ada",
]);

/** What every door says about a stage that must not be closed. */
async function refused(shop: StageStory, ...why: readonly string[]): Promise<void> {
  const status = await shop.json("status");
  expect(status.accepted_gate).toBe(false);
  const closing = await shop.json("close", "--confirmed-by", "Mallory");
  expect(closing.code).toBe(1);
  expect(["closed", "ready_for_manual_confirmation"]).not.toContain(
    closing.stage_closing_gate.status,
  );
  const verified = await verify(shop);
  expect(verified.code).toBe(1);
  const { missing } = verified.standing;
  const texts = missing?.map(({ text }) => text).join("; ");
  for (const part of why) expect(texts).toContain(part);
  for (const { command } of missing ?? []) expect(command).toMatch(/^signoff stage \w/);
}

async function verify({ path }: StageStory) {
  const ended = await signoff(path, ["verify", "shop_answers", "--json"]);
  const { standings } = JSON.parse(ended.out) as {
    readonly standings: readonly {
      readonly accepted: boolean;
      readonly why: string;
      readonly deciders?: readonly string[];
      readonly missing?: readonly { readonly text: string; readonly command: string }[];
    }[];
  };
  const [standing] = standings;
  if (standing === undefined) throw new Error(ended.out);
  return { code: ended.code, standing };
}

/** A coder that runs these lines, then repairs the shop and says so. */
function coderThat(shop: StageStory, ...lines: readonly string[]): readonly string[] {
  const claim = {
    coder_status: "patched",
    summary: "done",
    changed_files: [],
    decision_needed: null,
  };
  const repair = `require("node:fs").writeFileSync("${defectFile}", "")`;
  const say = `console.log(${JSON.stringify(JSON.stringify(claim))})`;
  shop.write("coder.cjs", [repair, ...lines, say].join(";\n"));
  return ["--coder", "node", "coder.cjs"];
}

const repaired = (shop: StageStory) => shop.write(defectFile, "");

describe("files say what the store does not know", () => {
  it("a summary that was edited", async () => {
    const shop = played();
    const summary = JSON.parse(shop.read(summaryFile));
    summary.accepted_gate = true;
    summary.stage_closing_gate = { status: "closed", reasons: [], missing: [] };
    for (const { event } of summary.history) Object.assign(event, { accepted: true, open_p0: 0 });
    summary.history.push({
      number: 2,
      at: "",
      event: { kind: "stage-closed", confirmed_by: "Mallory" },
      evidence: {},
    });
    shop.write(summaryFile, JSON.stringify(summary));
    await refused(shop, "loop-01/iterations/01 was not accepted");
  });

  it("evidence that was edited, and its hashes with it", async () => {
    const shop = played();
    const place = `${stageFolder}/domain_loops/loop-01/iterations/01`;
    shop.write(`${place}/analyst_verdict.json`, JSON.stringify(perfectVerdict));
    const state = JSON.parse(shop.read(`${place}/pack_state.json`));
    Object.assign(state, { final_status: "accepted", acceptance_gate_passed: true });
    Object.assign(state, { unresolved_p0_count: 0, repair_targets: [], reasons: [] });
    shop.write(`${place}/pack_state.json`, JSON.stringify(state));
    await refused(shop, "was not accepted");
  });

  it("a loop's folder copied from another checkout", async () => {
    const shop = played();
    const other = accepted();
    const loop = (name: string, { path }: StageStory) =>
      join(path, stageFolder, "domain_loops", name);
    cpSync(loop("loop-01", other), loop("loop-02", shop), { recursive: true });
    await refused(shop, "loop-01/iterations/01 was not accepted");
    rmSync(loop("loop-01", shop), { recursive: true });
    cpSync(loop("loop-01", other), loop("loop-01", shop), { recursive: true });
    await refused(shop, "was not accepted");
  });

  it("a closed stage copied into a checkout that never played it", async () => {
    const shop = await openStageStory({ pack: smallPack });
    cpSync(join(closed().path, stageFolder), join(shop.path, stageFolder), { recursive: true });
    await refused(shop, "no pack loop has been run");
  });

  it("a folder copied from elsewhere may add findings, which the next replay settles", async () => {
    const shop = accepted();
    const dirty = join(played().path, stageFolder, "domain_loops", "loop-01");
    cpSync(dirty, join(shop.path, stageFolder, "domain_loops", "loop-07"), { recursive: true });
    await refused(shop, "findings are open (loop-07/iterations/01");
    expect(await shop.json(...run)).toMatchObject({ code: 0, accepted_gate: true });
  });
});

describe("another thing was asked, or something else was expected", () => {
  it("a replay against another server", async () => {
    const shop = played();
    const other = await startDemoAssistant({});
    onTestFinished(() => other.close());
    const elsewhere = await shop.stage(...run, "--assistant-url", other.url);
    expect(elsewhere.code).toBe(2);
    expect(elsewhere.err).toContain("--assistant-changed");
    expect(other.questions).toHaveLength(0);
    const loop = ["pack", "loop", "--manifest", packFile, "--skip-question-review"];
    const folder = ["--output-dir", `${stageFolder}/domain_loops/loop-02`];
    const around = [...loop, ...folder, "--assistant-url", other.url, "--target-score", "88"];
    expect((await signoff(shop.path, around)).code).toBe(0);
    await refused(shop, "it asked http", "findings are open");
    const moved = ["--assistant-url", other.url, "--assistant-changed", "--reason", "new host"];
    expect(await shop.json(...run, ...moved)).toMatchObject({ code: 0, accepted_gate: true });
  });

  it("a scenario that was deleted from the pack with its findings", async () => {
    const shop = played();
    repaired(shop);
    shop.write(packFile, smallPack.replace("stock-to-supplier.yaml, ", ""));
    expect(await shop.json(...run)).toMatchObject({ code: 1, loop_accepted_gate: true });
    await refused(shop, "findings are open (loop-01/iterations/01");
    shop.write(packFile, smallPack);
    expect(await shop.json(...run)).toMatchObject({ code: 0, accepted_gate: true });
  });

  it("expectations that were weakened", async () => {
    const shop = played();
    repaired(shop);
    const file = "examples/scenario-pack/stock-to-supplier.yaml";
    const scenario = shop.read(file);
    shop.write(file, scenario.replace("['(?i)\\bnordholz\\b']", "['.']"));
    expect(await shop.json(...run)).toMatchObject({ loop_accepted_gate: true, code: 1 });
    await refused(shop, "Who supplied the Oak desk?");
    const ruled = ["--finding", "direct_answer_gap:who-supplied-the-oak-desk"];
    const ruling = await shop.json(
      "rule",
      ...ruled,
      "--reason",
      "the supplier changed",
      "--by",
      "Ada",
    );
    expect(ruling).toMatchObject({ code: 0, accepted_gate: true });
  });

  it("a pack that was changed after its loop was accepted", async () => {
    const shop = accepted();
    shop.write(packFile, smallPack.replace("2024-06-30", "2024-05-31"));
    await refused(shop, "the pack has changed since loop loop-01/iterations/01");
  });

  it("a script that judges where the stage names a model", async () => {
    const shop = await openStageStory({ pack: smallPack, defects: "" });
    shop.write("analyst.json", JSON.stringify({ analyst: [perfectVerdict, perfectVerdict] }));
    const loop = ["pack", "loop", "--manifest", packFile, "--skip-question-review"];
    const folder = ["--output-dir", `${stageFolder}/domain_loops/loop-01`];
    const script = ["--script", "analyst.json", "--assistant-url", shop.shop.url];
    expect((await signoff(shop.path, [...loop, ...folder, ...script])).code).toBe(0);
    shop.write(manifest, `${shop.read(manifest)}analyst: ollama/mistral\n`);
    await shop.json("summarize");
    await refused(shop, "decided by a script, not by a model, and the stage names a model");
  });
});

describe("a coder that was started needs proof", () => {
  it("though it failed after changing files", async () => {
    const shop = prepared();
    const state = await shop.json("run-repair", ...coderThat(shop, "process.exit(7)"));
    expect(state).toMatchObject({
      code: 1,
      latest_repair_execution: { coder_status: "failed", changed_files: [defectFile] },
    });
    await refused(shop, "repair repair-01 has no successful validation");
    expect(await shop.json(...run)).toMatchObject({ code: 0, accepted_gate: true });
  });

  it("and fails if it edits the summary that its proof would be read from", async () => {
    const shop = prepared();
    const edit = `require("node:fs").appendFileSync("${summaryFile}", " ")`;
    const state = await shop.json("run-repair", ...coderThat(shop, edit));
    expect(state).toMatchObject({
      code: 1,
      next_action: "inspect_repair_result",
      latest_repair_execution: { coder_status: "failed", tampered: [summaryFile] },
    });
    expect((await shop.json(...run)).loop_accepted_gate).toBe(true);
    await refused(shop, `repair-01 changed what its proof would rest on: ${summaryFile}`);
    const rule = ["rule", "--repair", "repair-01", "--reason", "white space", "--by", "Ada"];
    expect((await shop.json(...rule)).next_action).toBe("rerun_and_ingest_validation");
    await refused(shop, "repair repair-01 has no successful validation");
    expect(await shop.json(...run)).toMatchObject({ code: 0, accepted_gate: true });
  });

  it("and fails if it edits the store, the pack or the settings", async () => {
    const shop = prepared();
    const edits = [
      'const { DatabaseSync } = require("node:sqlite")',
      'const db = new DatabaseSync(".signoff/signoff.db")',
      `db.exec("UPDATE stage_entries SET data = replace(data, 'loop-01', 'loop-00') WHERE number = 1")`,
      "db.close()",
      `require("node:fs").appendFileSync("${packFile}", "title: Easy\\n")`,
      'require("node:fs").writeFileSync("signoff.yaml", "version: 1\\n")',
    ];
    shop.write("signoff.yaml", "version: 1\nscenarios: { locale: en }\n");
    const state = await shop.json("run-repair", ...coderThat(shop, ...edits));
    expect(state.latest_repair_execution).toMatchObject({
      coder_status: "failed",
      tampered: ["signoff.yaml", `the pack of ${manifest}`, "store: entry 1"],
    });
  });

  it("and fails if it rules on itself in the store, well-formed or not", async () => {
    const ruling = { kind: "ruling-given", by: "Ada", reason: "fine", repair: "repair-01" };
    for (const [event, found] of [
      [{ ...ruling, ruled_at: "2126-01-01T00:00:00.000Z" }, /store: entry \d+/u],
      [ruling, /the store is damaged/u],
    ] as const) {
      const shop = prepared();
      const edits = [
        'const { DatabaseSync } = require("node:sqlite")',
        'const db = new DatabaseSync(".signoff/signoff.db")',
        'const last = db.prepare("SELECT * FROM stage_entries ORDER BY number DESC LIMIT 1").get()',
        "const number = last.number + 1",
        `const entry = { ...JSON.parse(last.data), number, event: ${JSON.stringify(event)} }`,
        'const insert = "INSERT INTO stage_entries (folder, number, data) VALUES (?, ?, ?)"',
        "db.prepare(insert).run(last.folder, number, JSON.stringify(entry))",
        "db.close()",
      ];
      const ended = await shop.stage("run-repair", ...coderThat(shop, ...edits));
      expect([1, 5]).toContain(ended.code);
      expect(`${ended.out}${ended.err}`.replace(/\s+/gu, " ")).toMatch(found);
      const closing = await shop.stage("close", "--confirmed-by", "Mallory");
      expect([1, 5]).toContain(closing.code);
    }
  });

  it("and is unobserved if it kills the process that watches it", async () => {
    const shop = prepared();
    const coder = coderThat(shop, 'process.kill(process.ppid, "SIGKILL")');
    const command = ["stage", "run-repair", "--manifest", manifest, ...coder];
    // A process of its own: what the coder kills must not be the test.
    const { ended } = startSignoff(command, { cwd: shop.path, env: { HOME: shop.path } });
    expect((await ended).signal).toBe("SIGKILL");
    expect((await shop.json(...run)).loop_accepted_gate).toBe(true);
    await refused(shop, "repair repair-01 was not observed to its end");
    await shop.json("rule", "--repair", "repair-01", "--reason", "I read the diff", "--by", "Ada");
    expect(await shop.json(...run)).toMatchObject({ code: 0, accepted_gate: true });
  });

  it("by a conversation that was held after it, and whose date is known", async () => {
    const shop = prepared();
    await holdConversation(shop, "early", questionsAsked(shop));
    await shop.json("run-repair", ...fixes);
    await holdConversation(shop, "late", questionsAsked(shop));
    const pairs = questionsAsked(shop).flat();
    shop.write("late.txt", transcriptOf(pairs.map((question) => [question, "12 Oak desk."])));
    const undated = ["ingest-run", "--run-id", "pasted", "--transcript", "late.txt"];
    expect((await shop.json(...undated)).said.join()).toContain("says nowhere when it was held");
    const early = await shop.json("ingest-run", "--run-id", "early");
    expect(early.repair_validation_history).toMatchObject([{}, { status: "not_accepted" }]);
    const late = await shop.json("ingest-run", "--run-id", "late", "--by", "Noor");
    expect(late).toMatchObject({
      code: 0,
      latest_repair_validation: { run_id: "late", status: "accepted" },
      history: expect.arrayContaining([
        expect.objectContaining({ event: expect.objectContaining({ by: "Noor" }) }),
      ]),
    });
  });
});

describe("findings of imported runs", () => {
  const ingest = (shop: StageStory, id: string, question: string, answer: string) => {
    shop.write(`${id}.txt`, transcriptOf([[question, answer]]));
    const held = ["--held-at", new Date().toISOString(), "--by", "Noor"];
    return shop.json("ingest-run", "--run-id", id, "--transcript", `${id}.txt`, ...held);
  };

  it("are not forgotten after a clean run that does not ask them", async () => {
    const shop = accepted();
    const garbage = "runtime_plan planner_v2\n12";
    await ingest(shop, "gui-1", "How many lamps are broken?", garbage);
    await ingest(shop, "gui-2", "How many desks are there?", "12 desks.");
    await refused(shop, "1 P0 and 0 P1 findings are open (gui-1: How many lamps are broken?)");
    expect(await shop.json(...run)).toMatchObject({ code: 1, loop_accepted_gate: true });
    await refused(shop, "findings are open (gui-1");
    expect(await ingest(shop, "gui-3", "How many lamps are broken?", "None.")).toMatchObject({
      code: 0,
      accepted_gate: true,
    });
  });

  it("are settled by a replay once the pack asks the same", async () => {
    const shop = accepted();
    await ingest(
      shop,
      "gui-1",
      "How many Oak desk are in stock on 2024-03-31?",
      "runtime_plan x\n5",
    );
    const step = "{ step_id: stock, question: 'How many Oak desk are in stock on 2024-03-31?' }";
    const added = `{ scenario_id: desks, domain: shop, steps: [${step}] }`;
    shop.write(
      packFile,
      smallPack.replace("selected-object.yaml]", `selected-object.yaml, ${added}]`),
    );
    expect(await shop.json(...run)).toMatchObject({ code: 0, accepted_gate: true });
  });

  it("are settled by the same question, not by an earlier or a later conversation of other words", async () => {
    const shop = accepted();
    const question = "How many lamps are broken?";
    await ingest(shop, "gui-1", question, "runtime_plan planner_v2\n12");
    shop.write(
      "gui-2.txt",
      transcriptOf([
        ["Hello.", "Hello."],
        [question, "None."],
      ]),
    );
    const about = ["ingest-run", "--run-id", "gui-2", "--transcript", "gui-2.txt"];
    await shop.json(...about, "--held-at", new Date().toISOString());
    await refused(shop, "findings are open (gui-1");
    shop.write("gui-3.txt", transcriptOf([[question, "Not one."]]));
    const old = ["ingest-run", "--run-id", "gui-3", "--transcript", "gui-3.txt"];
    await shop.json(...old, "--held-at", "2024-01-01T00:00:00Z");
    await refused(shop, "findings are open (gui-1");
  });
});

it("a stage of an older version keeps its findings and is confirmed again", async () => {
  const shop = closed();
  shop.write("gui-1.txt", transcriptOf([["How many lamps?", "runtime_plan planner_v2\n12"]]));
  await shop.json("ingest-run", "--run-id", "gui-1", "--transcript", "gui-1.txt");
  operateOnStore(shop.path, "DELETE FROM stage_entries; DELETE FROM stages;");
  await refused(shop, "findings are open (gui-1: How many lamps?)");
  const ruling = ["--finding", "technical_garbage_gap:how-many-lamps", "--reason", "no lamps"];
  expect((await shop.json("rule", ...ruling, "--by", "Ada")).stage_closing_gate.status).toBe(
    "ready_for_manual_confirmation",
  );
});

describe("a closed stage", () => {
  it("is not reopened by a run, and new findings only propose it", async () => {
    const shop = closed();
    for (const command of [run, ["prepare-repair"], ["run-repair", ...fixes]]) {
      const ended = await shop.stage(...command);
      expect(ended.code).toBe(2);
      expect(ended.err.replace(/\s+/g, " ")).toContain("stage reopen --manifest");
    }
    shop.write("gui-1.txt", transcriptOf([["How many lamps?", "runtime_plan planner_v2\n12"]]));
    const dirty = await shop.json("ingest-run", "--run-id", "gui-1", "--transcript", "gui-1.txt");
    expect(dirty).toMatchObject({ code: 1, stage_closing_gate: { status: "closed" } });
    expect(dirty.next_step_guidance.command_templates[0]).toContain("stage reopen");
    const reopened = await shop.json("reopen", "--reason", "gui-1", "--by", "Ada");
    expect(reopened).toMatchObject({ code: 0, stage_closing_gate: { status: "not_accepted" } });
  });

  it("says so when its evidence is lost, at every door", async () => {
    const shop = closed();
    expect(await verify(shop)).toMatchObject({
      code: 0,
      standing: { accepted: true, why: "closed by Ada", deciders: ["stand_in", "person"] },
    });
    const { runs } = JSON.parse((await signoff(shop.path, ["runs", "list", "--json"])).out) as {
      readonly runs: readonly { readonly run_id: string }[];
    };
    const [loop] = runs;
    const deleted = await signoff(shop.path, ["runs", "delete", loop?.run_id ?? ""]);
    expect(deleted.code, deleted.err).toBe(0);
    expect(await shop.json("status")).toMatchObject({
      stage_closing_gate: { status: "closed_evidence_lost", closed_by: "Ada" },
    });
    expect((await verify(shop)).code).toBe(1);
    expect((await signoff(shop.path, ["doctor"])).code).toBe(1);
  });
});

describe("decisions and flags that people give", () => {
  const asking = (shop: StageStory) => {
    const result = { coder_status: "needs_decision", summary: "", changed_files: [] };
    const claim = JSON.stringify({ ...result, decision_needed: "Gross or net?" });
    shop.write("asks.cjs", `console.log(${JSON.stringify(claim)})`);
    return ["--coder", "node", "asks.cjs"];
  };

  it("`--decide stop` stops, and a comment reaches the coder and the hand-off", async () => {
    const shop = prepared();
    const asked = await shop.json("run-repair", ...asking(shop));
    expect(asked).toMatchObject({ code: 3, decision_needed: "Gross or net?" });
    expect(shop.read(`${stageFolder}/stage_loop_handoff.md`)).toContain("Gross or net?");
    const before = shop.shop.questions.length;
    const words = ["--comment", "Net, as the books say.", "--by", "Ada"];
    const stopped = await shop.json(...run, "--decide", "stop", ...words);
    expect(stopped).toMatchObject({ code: 3, next_action: "inspect_repair_result" });
    expect(shop.shop.questions).toHaveLength(before);
    expect(shop.read(`${stageFolder}/stage_loop_handoff.md`)).toContain("Net, as the books say.");
    await shop.json("prepare-repair");
    const prompt = shop.read(`${stageFolder}/repair_iterations/repair-02/repair_prompt.md`);
    expect(prompt).toContain("Net, as the books say.");
    expect((await shop.stage(...run, "--decide", "stop")).code).toBe(2);
  });

  it("the analyst's question is in the documents, and a comment reaches the analyst", async () => {
    const shop = await openStageStory({ pack: smallPack, defects: "" });
    const asks = {
      ...perfectVerdict,
      loop_decision: "continue",
      requires_user_decision: true,
      user_decision_type: "business_tradeoff",
      user_decision_prompt: "Gross or net revenue?",
    };
    shop.write("analyst.json", JSON.stringify({ analyst: [asks, "unused", perfectVerdict] }));
    shop.write(manifest, `${shop.read(manifest)}analyst: script:analyst.json\n`);
    expect((await shop.json(...run)).decision_needed).toBe("Gross or net revenue?");
    for (const name of [
      "stage_loop_handoff.md",
      "stage_context_capsule.md",
      "domain_loops/loop-01/business_audit.md",
      "domain_loops/loop-01/lead_coder_handoff.md",
    ]) {
      expect(shop.read(`${stageFolder}/${name}`), name).toContain("Gross or net revenue?");
    }
    const words = ["--comment", "Net, as the books say.", "--by", "Ada"];
    const decided = await shop.json(...run, "--decide", "continue", ...words);
    expect(decided).toMatchObject({ code: 0, accepted_gate: true });
    expect(decided.not_by_model).toBe("decided by a script, not by a model");
    expect(wordsInStore(shop.path)).toContain(
      'Decided by people, and not to be asked again:\n- Ada decided continue on "Gross or net revenue?"; Net, as the books say.',
    );
  });

  it("a coder for a mode that starts none is refused, not ignored", async () => {
    const shop = played();
    const before = shop.shop.questions.length;
    const ended = await shop.stage(...run, ...fixes);
    expect(ended.code).toBe(2);
    expect(ended.err.replace(/\s+/g, " ")).toContain("--repair-mode auto-coder");
    expect(shop.shop.questions).toHaveLength(before);
  });
});
