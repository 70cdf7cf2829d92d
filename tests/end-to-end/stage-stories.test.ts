import { spawn, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { atTerminal, keys } from "../support/at-terminal.ts";
import { filesBelow, signoff } from "../support/scenario-cli.ts";
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
} from "../support/stage-story.ts";

const run = ["run", "--skip-question-review"];
/** The first loop is over, and not accepted. */
const played = preparedStage({ pack: smallPack }, run);
/** A repair of it is prepared, too. */
const prepared = preparedStage({ pack: smallPack }, run, ["prepare-repair"]);

/** The directory of a stage, as the design lists it. */
const listed = {
  always: [
    "domain_loops/",
    "domain_pack_loop.command.txt",
    "question_generation_review.json",
    "question_generation_review.md",
    "stage_context_capsule.json",
    "stage_context_capsule.md",
    "stage_loop_handoff.md",
    "stage_loop_summary.json",
  ],
  repaired: ["repair_iterations/"],
  ingested: ["gui_run_reviews/", "stage_repair_handoff.json", "stage_repair_handoff.md"],
  repair: [
    "repair_checklist.md",
    "repair_coder.command.txt",
    "repair_coder.stderr.txt",
    "repair_coder.stdout.txt",
    "repair_coder_result.json",
    "repair_execution_summary.json",
    "repair_iteration_plan.json",
    "repair_prompt.md",
  ],
  review: [
    "conversation_pairs.json",
    "question_quality_review.json",
    "repair_targets.json",
    "run_review.json",
    "run_review.md",
  ],
  loop: [
    "final_status.md",
    "iterations/",
    "loop_state.json",
    "question_generation_review.json",
    "question_generation_review.md",
    "run_manifest.json",
  ],
  handOff: ["business_audit.md", "lead_coder_handoff.json", "lead_coder_handoff.md"],
};

function namesIn({ path }: StageStory, folder: string): readonly string[] {
  return readdirSync(join(path, stageFolder, folder), { withFileTypes: true })
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .sort();
}

it("a coder that only claims leaves the gate blocked, whatever is typed", async () => {
  const shop = await openStageStory({ git: true });
  expect((await shop.json("run")).code).toBe(3);
  expect(await shop.json("continue")).toMatchObject({ code: 0, step: "prepare-and-dry-run" });
  const claimed = await shop.json("continue", "--execute-repair", ...claims);
  expect(claimed).toMatchObject({
    code: 3,
    step: "execute-repair",
    next_action: "rerun_and_ingest_validation",
    accepted_gate: false,
    stage_closing_gate: { status: "blocked_pending_repair_validation" },
    latest_repair_execution: { coder_status: "patched", changed_files: [] },
  });
  const { code } = claimed.latest_repair_execution ?? {};
  expect(code?.before).toBe(code?.after);
  expect((await shop.json("close", "--confirmed-by", "Ada")).code).toBe(1);
  const replayed = await shop.json("run");
  expect(replayed).toMatchObject({
    code: 3,
    next_action: "lead_coder_repair_required",
    accepted_gate: false,
    stage_closing_gate: { status: "blocked_pending_repair_validation" },
    latest_repair_validation: { status: "not_accepted", iteration_id: "repair-01" },
  });
  expect((await shop.json("close", "--confirmed-by", "Ada")).code).toBe(1);
  expect((await shop.json("status")).stage_closing_gate.status).toBe(
    "blocked_pending_repair_validation",
  );
  expect(namesIn(shop, "")).toEqual([...listed.always, ...listed.repaired].sort());
  expect(namesIn(shop, "repair_iterations")).toEqual(["repair-01/"]);
  expect(namesIn(shop, "repair_iterations/repair-01")).toEqual(listed.repair);
  expect(namesIn(shop, "domain_loops/loop-01")).toEqual([...listed.loop, ...listed.handOff].sort());
});

it("a real repair is validated by replay, accepted, saved, confirmed by ingestion and closed", async () => {
  const shop = await openStageStory({ git: true });
  await shop.json("plan");
  await shop.json("run");
  const handOff = shop.read(`${stageFolder}/domain_loops/loop-01/lead_coder_handoff.md`);
  for (const part of ["Question:", "Visible answer:", "Expected:", defectFile, "stage run"]) {
    expect(handOff).toContain(part);
  }
  const capsule = shop.read(`${stageFolder}/stage_context_capsule.md`);
  for (const part of [
    "People of the shop get their answers from the assistant",
    "Every answer begins with the answer itself",
    "questions: strong",
    "latest loop: loop-01/iterations/01, partial, not accepted",
    "next action: lead_coder_repair_required",
    "A patch counts only after a replay",
  ]) {
    expect(capsule).toContain(part);
  }
  await shop.json("prepare-repair");
  const repaired = await shop.json("run-repair", "--trust");
  expect(repaired).toMatchObject({
    code: 3,
    stage_closing_gate: { status: "blocked_pending_repair_validation" },
    latest_repair_execution: {
      coder_status: "patched",
      changed_files: [defectFile],
      code: { kind: "git" },
    },
  });
  const accepted = await shop.json("run");
  expect(accepted).toMatchObject({
    code: 0,
    next_action: "manual_gui_confirmation_or_stage_close",
    loop_accepted_gate: true,
    accepted_gate: true,
    latest_repair_validation: { status: "accepted", by: "replay", remaining_p0: 0 },
  });
  expect(JSON.parse(shop.read(accepted.saved_pack ?? ""))).toMatchObject({ pack_id: "shop_pack" });
  await holdConversation(shop, "gui-7", questionsAsked(shop));
  expect(await shop.json("ingest-gui-run", "--run-id", "gui-7")).toMatchObject({
    code: 0,
    next_action: "manual_gui_confirmation_or_stage_close",
  });
  expect((await shop.json("continue")).code).toBe(3);
  expect(await shop.json("close", "--confirmed-by", "Ada")).toMatchObject({
    code: 0,
    next_action: "stage_closed",
    stage_closing_gate: { status: "closed" },
  });
  expect((await shop.json("continue")).code).toBe(0);
  expect(shop.read(`${stageFolder}/stage_loop_handoff.md`)).toContain("Confirmed by Ada.");
  expect(namesIn(shop, "")).toEqual(
    [...listed.always, ...listed.repaired, ...listed.ingested].sort(),
  );
  expect(namesIn(shop, "repair_iterations/repair-01")).toEqual(listed.repair);
  expect(namesIn(shop, "gui_run_reviews/gui-7")).toEqual(listed.review);
  expect(namesIn(shop, "domain_loops/loop-01")).toEqual(listed.loop);
});

it("status changes no byte of the project, in any state, and says where the stage stands", async () => {
  const shop = await openStageStory({ pack: smallPack });
  const status = async () => {
    const before = filesBelow(shop.path);
    const shown = await shop.stage("status");
    expect(shown.code).toBe(0);
    expect(filesBelow(shop.path)).toEqual(before);
    return shown.out;
  };
  await status();
  await shop.stage("continue");
  expect(await status()).toContain(`${stageFolder}/domain_pack_loop.command.txt`);
  await shop.stage("run");
  await status();
  await shop.stage("continue");
  await status();
  await shop.stage("continue", "--execute-repair", ...fixes);
  await status();
  await holdConversation(shop, "gui-1", questionsAsked(shop));
  await shop.json("ingest-run", "--run-id", "gui-1");
  const shown = await status();
  for (const part of [
    "(shop_answers): not_accepted",
    "next       continue_autonomous_or_fix_blocker",
    "imported   gui-1: 0 P0",
    "coder      repair-01: patched, 1 file changed",
    "validation repair-01 by gui-1: accepted",
    "read       artifacts/domain_runs",
  ]) {
    expect(shown).toContain(part);
  }
});

it("every template can be pasted into a shell as it stands", async () => {
  const shop = await openStageStory({ pack: smallPack });
  const program = fileURLToPath(new URL("../../dist/bin/signoff.js", import.meta.url));
  // The assistant answers from this process, so it must not be blocked.
  const paste = (line: string) =>
    new Promise<number | null>((resolve) => {
      const script = `signoff() { "${process.execPath}" "${program}" "$@"; }; ${line}`;
      const env = { HOME: shop.path, PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
      const child = spawn("sh", ["-c", script], { cwd: shop.path, env, stdio: "ignore" });
      child.once("close", resolve);
    });
  let state = await shop.json("plan");
  state = await shop.json("status");
  expect(state.next_step_guidance.command_templates).toHaveLength(1);
  expect(await paste(state.next_step_guidance.command_templates[0] ?? "")).toBe(5);
  await shop.json("run");
  state = await shop.json("status");
  expect(state.next_step_guidance.read[0]).toBe(
    `${stageFolder}/domain_loops/loop-01/lead_coder_handoff.md`,
  );
  expect(shop.read(state.next_step_guidance.read[0] ?? "")).toContain("# Repair hand-off");
  expect(await paste(state.next_step_guidance.command_templates[0] ?? "")).toBe(0);
  state = await shop.json("status");
  expect(state.next_action).toBe("execute_prepared_repair");
  const [dryRun = "", trust = "", execute = ""] = state.next_step_guidance.command_templates;
  expect(await paste(dryRun)).toBe(0);
  expect(await paste(`${trust} --yes`)).toBe(0);
  expect(await paste(execute)).toBe(3);
  state = await shop.json("status");
  expect(await paste(state.next_step_guidance.command_templates[0] ?? "")).toBe(0);
  state = await shop.json("status");
  const [close = ""] = state.next_step_guidance.command_templates;
  expect(await paste(close), "it needs a name, and there is no terminal to ask at").toBe(2);
  const asked = await atTerminal(close.split(" ").slice(1), { cwd: shop.path }, [
    { seen: "Who has checked it", press: [keys.enter] },
  ]);
  expect(asked.code, asked.screen).toBe(0);
  expect((await shop.json("status")).stage_closing_gate.status).toBe("closed");
});

it("a program that the manifest names is not started before it is trusted", async () => {
  const shop = prepared();
  const before = shop.read(defectFile);
  const refused = await shop.stage("run-repair");
  expect(refused.code).toBe(2);
  expect(refused.err).toContain("SIGNOFF_TRUST=");
  expect(shop.read(defectFile)).toBe(before);
  const digest = /SIGNOFF_TRUST=([0-9a-f]{64})/.exec(refused.err.replace(/\s+/g, ""))?.[1] ?? "";
  expect((await shop.stageWith({ SIGNOFF_TRUST: digest }, "run-repair")).code).toBe(3);
});

it("a yes to the manifest's coder is kept, for these words in this project alone", async () => {
  const shop = played();
  const trust = (...more: readonly string[]) =>
    signoff(shop.path, ["trust", "--manifest", "examples/stage/stage.yaml", ...more]);
  await shop.json("continue");
  const asked = await trust();
  expect(asked.code).toBe(3);
  expect(asked.out).toContain('["node","examples/stage/coders/fixes.mjs"]');
  expect((await shop.stage("continue", "--execute-repair")).code).toBe(2);
  expect((await trust("--yes")).code).toBe(0);
  expect((await trust()).out).toContain("You trust this coder");
  const manifest = shop.read("examples/stage/stage.yaml");
  shop.write("examples/stage/stage.yaml", manifest.replace("fixes.mjs", "claims.mjs"));
  expect((await shop.stage("continue", "--execute-repair")).code).toBe(2);
  shop.write("examples/stage/stage.yaml", manifest);
  const repaired = await shop.json("continue", "--execute-repair");
  expect(repaired).toMatchObject({ code: 3, step: "execute-repair" });
});

it("the dry run starts nothing and changes nothing outside the stage", async () => {
  const shop = prepared();
  const outside = () =>
    [...filesBelow(shop.path)].filter(
      ([name]) => !name.startsWith(stageFolder) && !name.startsWith(".signoff"),
    );
  const before = outside();
  const dry = await shop.json("run-repair", "--dry-run");
  expect(dry.code).toBe(0);
  expect(dry.command_line).toBe(
    `node examples/stage/coders/fixes.mjs < ${stageFolder}/repair_iterations/repair-01/repair_prompt.md`,
  );
  expect(dry.latest_repair_execution?.dry_run).toBe(true);
  expect(outside()).toEqual(before);
  // What it prints is what a shell can run.
  const shell = spawnSync("sh", ["-c", dry.command_line ?? ""], {
    cwd: shop.path,
    encoding: "utf8",
  });
  expect(JSON.parse(shell.stdout)).toMatchObject({ coder_status: "patched" });
});
