import { describe, expect, it } from "vitest";
import { signoff } from "../support/scenario-cli.ts";
import { perfectVerdict } from "../support/shop-stories.ts";
import { manifest, packFile, refused, run, verify } from "../support/stage-cheats.ts";
import {
  fixes,
  openStageStory,
  preparedStage,
  type StageStory,
  smallPack,
  stageFolder,
  transcriptOf,
} from "../support/stage-story.ts";
import { operateOnStore, wordsInStore } from "../support/store-surgery.ts";

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
