import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startDemoAssistant } from "../../src/adapters/assistant/demo/demo-assistant.ts";
import { signoff } from "../support/scenario-cli.ts";
import { perfectVerdict } from "../support/shop-stories.ts";
import { startSignoff } from "../support/signoff-process.ts";
import {
  coderThat,
  manifest,
  packFile,
  refused,
  repaired,
  run,
  summaryFile,
} from "../support/stage-cheats.ts";
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

/** A stage whose one answer is right but for the marker in it. */
function markedStage() {
  const question = "How many Oak desk were in stock on 2024-06-30?";
  const step = { step_id: "q", question, required_answer_patterns_any: ["9 pieces"] };
  const scenarios = [{ scenario_id: "s", domain: "stock", steps: [step] }];
  return openStageStory({ pack: JSON.stringify({ pack_id: "p", domain: "stock", scenarios }) });
}

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

  it("lists of markers that were emptied in the settings", async () => {
    const shop = await markedStage();
    const mark = (...markers: readonly string[]) =>
      shop.write("signoff.yaml", `{ version: 1, scenarios: { garbage_markers: [${markers}] } }`);
    await shop.json(...run);
    mark("nothing-of-the-kind");
    await refused(shop, "was not accepted");
    await shop.json(...run);
    await refused(shop, "findings are open");
    repaired(shop);
    await shop.json(...run);
    await refused(shop, "findings are open");
    shop.write("signoff.yaml", "version: 1");
    expect(await shop.json(...run)).toMatchObject({ code: 0, accepted_gate: true });
  });

  it.each([
    ["a mask that hides a marker", { mask: [{ pattern: "runtime_.*\\n", replace: "" }] }],
    [
      "an answer that is read elsewhere",
      { assistant: { message: { answer: { text: "'9 pieces'" } } } },
    ],
  ])("%s", async (_title, scenarios) => {
    const shop = await markedStage();
    await shop.json(...run);
    shop.write("signoff.yaml", JSON.stringify({ version: 1, scenarios }));
    const { code, err } = await shop.stage(...run);
    expect([code, err.replace(/\s+/gu, " ")]).toEqual([
      2,
      expect.stringMatching(/in another way than before.*--assistant-changed/u),
    ]);
    const loop = ["pack", "loop", "--manifest", packFile, "--skip-question-review"];
    const folder = ["--output-dir", `${stageFolder}/domain_loops/loop-02`];
    const around = [...loop, ...folder, "--assistant-url", shop.shop.url, "--target-score", "88"];
    expect((await signoff(shop.path, around)).code).toBe(0);
    await refused(shop, "in another way than before", "findings are open");
    const vouched = ["--assistant-changed", "--reason", "the API has moved", "--by", "Ada"];
    expect(await shop.json(...run, ...vouched)).toMatchObject({ code: 0, accepted_gate: true });
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

  it.each([
    ["moves", 'renameSync(".signoff", "elsewhere")'],
    ["deletes", 'rmSync(".signoff", { recursive: true })'],
  ])("and fails if it %s the store", async (_title, act) => {
    const shop = prepared();
    const state = await shop.json("run-repair", ...coderThat(shop, `require("node:fs").${act}`));
    expect(state.latest_repair_execution).toMatchObject({
      coder_status: "failed",
      tampered: ["the file of the store"],
    });
    await shop.json(...run);
    await refused(shop, "repair-01 changed what its proof would rest on: the file of the store");
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
    expect((await shop.json(...undated)).said.join()).toContain("no time in the past");
    shop.write("one.txt", transcriptOf([[pairs[0] ?? "", "12 Oak desk."]]));
    const one = ["ingest-run", "--run-id", "one", "--transcript", "one.txt"];
    expect((await shop.json(...one)).said.join()).toContain("Ingested one: 1 answer,");
    const again = await shop.json(...undated, "--held-at", new Date().toISOString());
    expect(again).toMatchObject({ code: 2, error: { code: "run-already-ingested" } });
    await holdConversation(shop, "forged", questionsAsked(shop));
    for (const file of ["forged-1.json", "forged-2.json"]) {
      const path = `assistant_sessions/${file}`;
      shop.write(path, shop.read(path).replace(/"20\d\d-(?=\d\d-\d\dT)/gu, '"2099-'));
    }
    const forged = await shop.json("ingest-run", "--run-id", "forged");
    expect(forged.latest_repair_validation).toMatchObject({ status: "undated" });
    const early = await shop.json("ingest-run", "--run-id", "early");
    expect(early.repair_validation_history).toMatchObject([{}, {}, {}, { status: "not_accepted" }]);
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
