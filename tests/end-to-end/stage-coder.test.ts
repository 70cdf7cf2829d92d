import { describe, expect, it, vi } from "vitest";
import { isGone } from "../support/small-programs.ts";
import {
  claims,
  defectFile,
  fixes,
  openStageStory,
  preparedStage,
  type StageStory,
  smallPack,
  stageFolder,
} from "../support/stage-story.ts";

const run = ["run", "--skip-question-review"];
/** The first loop is over, and a repair of it is prepared. */
const prepared = preparedStage({ pack: smallPack }, run, ["prepare-repair"]);
const manifest = "examples/stage/stage.yaml";

describe("a coder", () => {
  const coder = (shop: StageStory, ...script: readonly string[]) => {
    shop.write("coder.cjs", script.join(";\n"));
    return ["--coder", "node", "coder.cjs"];
  };
  const result = (status: string, more = {}) =>
    `console.log(JSON.stringify(${JSON.stringify({ coder_status: status, summary: "done", changed_files: [], decision_needed: null, ...more })}))`;
  const repair = `${stageFolder}/repair_iterations/repair-01`;

  it.each<[string, readonly string[], string, string, number]>([
    ["changes nothing", [result("no_change")], "no_change", "inspect_repair_result", 1],
    ["says that it failed", [result("failed")], "failed", "inspect_repair_result", 1],
    [
      "ends with an error",
      [result("patched"), "process.exit(7)"],
      "failed",
      "inspect_repair_result",
      1,
    ],
    [
      "says nothing readable",
      ["console.log('All good, trust me.')"],
      "failed",
      "inspect_repair_result",
      1,
    ],
    [
      "needs a decision",
      [result("needs_decision", { decision_needed: "Gross or net?" })],
      "needs_decision",
      "user_decision_required",
      3,
    ],
    [
      "denies what it changed",
      [`require("node:fs").appendFileSync("${defectFile}", "# hello\\n")`, result("no_change")],
      "patched",
      "rerun_and_ingest_validation",
      3,
    ],
  ])("that %s", async (_title, script, status, next, code) => {
    const shop = prepared();
    const state = await shop.json("run-repair", ...coder(shop, ...script));
    expect(state).toMatchObject({ code, next_action: next });
    expect(state.latest_repair_execution).toMatchObject({ coder_status: status });
    expect(JSON.parse(shop.read(`${repair}/repair_coder_result.json`)).coder_status).toBeTruthy();
  });

  it("that fails leaves its words, its code and its command", async () => {
    const shop = prepared();
    const script = ["console.log('half way')", "console.error('no disk')", "process.exit(7)"];
    await shop.json("run-repair", ...coder(shop, ...script));
    expect(shop.read(`${repair}/repair_coder.stdout.txt`)).toBe("half way\n");
    expect(shop.read(`${repair}/repair_coder.stderr.txt`)).toBe("no disk\n");
    const summary = JSON.parse(shop.read(`${repair}/repair_execution_summary.json`));
    expect(summary).toMatchObject({ exit_code: 7, coder_status: "failed", dry_run: false });
    expect(summary.summary).toContain("exit code 7");
    expect(summary.summary).toContain("node coder.cjs");
  });

  it("that does not exist is a failed repair, not a bug", async () => {
    const shop = prepared();
    const state = await shop.json("run-repair", "--coder", "/nowhere/coder");
    expect(state.latest_repair_execution).toMatchObject({ coder_status: "failed" });
  });

  it("that is not done in time is ended with all it started", async () => {
    const shop = prepared();
    // A shell is there at once, also on a busy machine.
    shop.write("slow.sh", "sleep 1000 & echo $! > child.pid; wait\n");
    const slow = ["--coder-seconds", "3", "--coder", "sh", "slow.sh"];
    const state = await shop.json("run-repair", ...slow);
    expect(state.latest_repair_execution).toMatchObject({
      coder_status: "failed",
      timed_out: true,
    });
    const child = Number(shop.read("child.pid"));
    await vi.waitFor(() => expect(isGone(child)).toBe(true), { timeout: 60_000 });
  });

  it("gets the prompt as a file where its command asks for one", async () => {
    const shop = prepared();
    const script = [
      `const text = require("node:fs").readFileSync(process.argv[2], "utf8")`,
      result("no_change"),
      "console.error(text.slice(0, 20))",
    ];
    await shop.json("run-repair", ...coder(shop, ...script), "{prompt_file}");
    expect(shop.read(`${repair}/repair_coder.stderr.txt`)).toContain("# Repair repair-01");
  });

  it("takes words that begin with a dash after --, and the next command repeats them", async () => {
    const shop = prepared();
    shop.write(
      "coder.cjs",
      `console.error(process.argv.slice(2).join("|"));${result("no_change")}`,
    );
    const words = ["--", "node", "coder.cjs", "--fast", "it's me"];
    const dry = await shop.json("continue", ...words);
    expect(dry.command_line).toContain("node coder.cjs --fast 'it'\\''s me' <");
    expect(dry.next_step_guidance.command_templates.at(-1)).toBe(
      `signoff stage continue --manifest ${manifest} --execute-repair -- node coder.cjs --fast 'it'\\''s me'`,
    );
    await shop.json("continue", "--execute-repair", ...words);
    expect(shop.read(`${repair}/repair_coder.stderr.txt`)).toBe("--fast|it's me\n");
  });

  it("sees no secret of ours", async () => {
    const shop = prepared();
    const script = ["console.error(JSON.stringify(process.env))", result("no_change")];
    await shop.stageWith({ SHOP_SECRET: "tok-4711" }, "run-repair", ...coder(shop, ...script));
    const seen = shop.read(`${repair}/repair_coder.stderr.txt`);
    expect(seen).toContain("PATH");
    expect(seen).not.toContain("tok-4711");
  });

  it("runs once per prepared repair, and the next one has an id of its own", async () => {
    const shop = prepared();
    await shop.json("run-repair", ...claims);
    const again = await shop.stage("run-repair", ...claims);
    expect(again.code).toBe(2);
    expect(again.err).toContain("prepare-repair");
    expect((await shop.json("prepare-repair")).said[0]).toContain("repair-02");
  });

  it("is never run by `continue` alone", async () => {
    const shop = prepared();
    expect(await shop.json("continue")).toMatchObject({ step: "dry-run-repair", code: 0 });
    expect(await shop.json("continue")).toMatchObject({ step: "nothing", code: 3 });
    expect(shop.read(defectFile)).toContain("garbage");
  });

  it("of a loop in auto-coder mode must be proven like any other", async () => {
    const shop = await openStageStory({ pack: smallPack });
    const auto = ["--repair-mode", "auto-coder", "--max-iterations", "2"];
    const claimed = await shop.json(...run, ...auto, ...claims);
    expect(claimed).toMatchObject({
      code: 3,
      stage_closing_gate: { status: "blocked_pending_repair_validation" },
    });
    const fixed = await shop.json(...run, "--new", ...auto, ...fixes);
    expect(fixed).toMatchObject({ code: 0, accepted_gate: true });
  });
});
