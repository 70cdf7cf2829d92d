import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { DemoDefect } from "../../src/adapters/assistant/demo/demo-assistant.ts";
import {
  ARTIFACTS,
  type ArtifactName,
  readArtifact,
} from "../../src/contract/scenarios/artifacts.ts";
import { filesBelow, signoff } from "../support/scenario-cli.ts";
import { openAssistant, openStory, packRun, shopResults } from "../support/shop-stories.ts";
import { wordsInStore } from "../support/store-surgery.ts";

/** Every artifact below a folder that has a declared shape, read strictly. */
function readAll(folder: string): number {
  let read = 0;
  for (const [path, text] of filesBelow(folder)) {
    const name = path.split("/").at(-1) ?? "";
    if (path.endsWith(".json")) JSON.parse(text);
    if (Object.hasOwn(ARTIFACTS, name)) {
      readArtifact(name as ArtifactName, text);
      read += 1;
    }
  }
  return read;
}

describe("the example pack", () => {
  it("is accepted on the healthy assistant and leaves every file of its contract", async () => {
    const shop = await openStory();
    const ended = await shop.run(...packRun(shop, "--report", "r.html", "--report", "r.xml"));
    expect(ended.code, ended.err).toBe(0);
    expect(shop.shop.questions).toHaveLength(20);
    expect(readdirSync(join(shop.path, shopResults)).sort()).toEqual([
      "business_review.json",
      "business_review.md",
      "final_status.md",
      "pack_manifest.json",
      "pack_state.json",
      "pack_summary.md",
      "question_generation_review.json",
      "question_generation_review.md",
      "run_manifest.json",
      "scenarios",
      "truth_review.json",
      "truth_review.md",
    ]);
    const scenario = join(shop.path, shopResults, "scenarios", "stock_to_supplier");
    expect(readdirSync(scenario).sort()).toEqual([
      "final_status.md",
      "scenario_brief.md",
      "scenario_manifest.json",
      "scenario_output.md",
      "scenario_state.json",
      "scenario_summary.md",
      "steps",
    ]);
    for (const step of readdirSync(join(scenario, "steps"))) {
      expect(readdirSync(join(scenario, "steps", step)).sort()).toEqual([
        "assistant_response.json",
        "debug.json",
        "output.md",
        "session.json",
        "step_state.json",
        "turn.json",
      ]);
    }
    expect(readAll(join(shop.path, shopResults))).toBeGreaterThan(40);
    expect(shop.read("r.html")).toContain("Content-Security-Policy");
    expect(shop.read("r.xml")).toContain('<testsuites name="shop_pack" tests="21" failures="0">');
  });

  it("asks each scenario in one session of its own, and later questions take earlier answers", async () => {
    const shop = await openStory();
    await shop.run(...packRun(shop));
    const scenarios = readdirSync(join(shop.path, shopResults, "scenarios"));
    const sessions = scenarios.map((id) => {
      const folder = join(shop.path, shopResults, "scenarios", id, "steps");
      const used = readdirSync(folder).map((step) => {
        const text = readFileSync(join(folder, step, "assistant_response.json"), "utf8");
        return (JSON.parse(text) as { session_id: string }).session_id;
      });
      expect(new Set(used).size).toBe(1);
      return used[0];
    });
    expect(new Set(sessions).size).toBe(4);
    const step = shop.json(
      `${shopResults}/scenarios/stock_to_supplier/steps/step_02_supplier/step_state.json`,
    );
    expect(step.question_template).toContain("{{");
    expect(step.question_resolved).not.toContain("{{");
  });

  it.each<[DemoDefect, string]>([
    ["carryover", "edge_carryover_gap"],
    ["temporal", "temporal_honesty_gap"],
    ["direct-answer", "direct_answer_gap"],
    ["garbage", "technical_garbage_gap"],
  ])("fails on the defect %s with a backlog that names %s", async (defect, problem) => {
    const shop = await openStory([defect]);
    const ended = await shop.run(...packRun(shop));
    expect(ended.code, ended.err).toBe(1);
    const state = shop.json(`${shopResults}/pack_state.json`);
    expect(state).toMatchObject({ final_status: "partial", acceptance_gate_passed: false });
    const targets = state.repair_targets as { problem_type: string; severity: string }[];
    expect(targets.map((target) => target.problem_type)).toContain(problem);
    expect(targets.map(({ severity }) => severity)).toEqual(
      targets.map(({ severity }) => severity).sort(),
    );
    expect(shop.read(`${shopResults}/pack_summary.md`)).toContain(problem);
  });
});

describe("an assistant that misbehaves", () => {
  it.each<DemoDefect>([
    "slow",
    "close",
    "error-500",
    "html",
    "huge",
    "invalid-utf8",
    "wrong-session",
    "forget-session",
    "no-answer",
  ])("by %s gives each step a status and a finding, and the pack goes on", async (defect) => {
    const shop = await openStory([defect]);
    const seconds = defect === "slow" ? 0.3 : 60;
    shop.write(
      "signoff.yaml",
      `version: 1\nscenarios: { assistant: { timeout_seconds: ${seconds}, max_bytes: 1000000 } }\n`,
    );
    const ended = await shop.run(...packRun(shop));
    expect(ended.code, ended.err).toBe(1);
    expect(shop.json(`${shopResults}/pack_state.json`).final_status).toBe("blocked");
    readAll(join(shop.path, shopResults));
    const steps = [...filesBelow(join(shop.path, shopResults))].filter(([name]) =>
      name.endsWith("step_state.json"),
    );
    expect(steps).toHaveLength(20);
    const failed = steps.filter(([, text]) => text.includes('"execution": "failed"'));
    expect(failed.length).toBeGreaterThan(0);
    for (const [, text] of failed) expect(text).toContain('"invariant": "transport"');
  });
});

it("keeps keys from headers, bodies and echoes out of every artifact and out of the store", async () => {
  const key = "sk-shop-plumquartz-very-secret";
  // Long enough to be packed in the store, where no search through its bytes would find it.
  const long = `${key} of a long list `.repeat(500);
  const echo = await openAssistant((_question, request) => ({
    assistant_reply: `5 pieces. Your key is ${request.headers.authorization}. And body-key-zephyrwolf.`,
    debug: { headers: request.headers, apiKey: key, note: `Bearer ${key}`, rows: long },
  }));
  const shop = await openStory();
  shop.write(
    "signoff.yaml",
    `version: 1
scenarios:
  assistant:
    headers_env: { authorization: SHOP_KEY }
    message: { body: { user_message: "{{question}}", llm: { apiKey: body-key-zephyrwolf } } }
`,
  );
  const args = ["case", "run", "How many desks?", "--assistant-url", echo.url, "-q"];
  const untrusted = await signoff(shop.path, args, { SHOP_KEY: `Bearer ${key}` });
  expect(untrusted.code).toBe(2);
  const digest = /SIGNOFF_TRUST=([0-9a-f]+)/.exec(untrusted.err)?.[1] ?? "";
  const env = { SHOP_KEY: `Bearer ${key}`, SIGNOFF_TRUST: digest };
  const ended = await signoff(shop.path, [...args, "--new"], env);
  expect(ended.code, ended.err).toBe(0);
  const files = [...filesBelow(shop.path)].filter(([name]) => name !== "signoff.yaml");
  const shown = [...files.map(([, text]) => text), ended.out, ended.err].join("\n");
  for (const words of [shown, wordsInStore(shop.path)]) {
    expect(words).toContain("Your key is [redacted]. And [redacted].");
    expect(words).toContain("[redacted] of a long list");
    expect(words).not.toMatch(/plumquartz|zephyrwolf/);
  }
});

it("a pattern that would never end elsewhere ends at once", async () => {
  const echo = await openAssistant(() => ({ assistant_reply: `${"a".repeat(50_000)}!` }));
  const shop = await openStory();
  shop.write(
    "case.yaml",
    `case_id: endless\ndomain: d\nquestion: Is it?\nrequired_answer_patterns_all: ["^(a+)+$"]\n`,
  );
  const ended = await shop.run(
    "case",
    "run",
    "--manifest",
    "case.yaml",
    "--assistant-url",
    echo.url,
  );
  expect(ended.code).toBe(1);
});

it("keeps Cyrillic readable in every artifact", async () => {
  const echo = await openAssistant(() => ({ assistant_reply: "На складе 5 столов." }));
  const shop = await openStory();
  await shop.run(
    "case",
    "run",
    "Сколько столов?",
    "--assistant-url",
    echo.url,
    "--case-id",
    "desks",
  );
  const files = filesBelow(join(shop.path, "artifacts/domain_runs/desks"));
  expect(files.get("baseline_turn.json")).toContain("На складе 5 столов.");
  expect([...files.values()].join("")).not.toContain("\\u04");
});

it("shows steps that come out differently as flaky, and the worst of them counts", async () => {
  let asked = 0;
  const moody = await openAssistant(() => {
    asked += 1;
    return { assistant_reply: asked % 2 === 1 ? "5 pieces." : "Hm." };
  });
  const shop = await openStory();
  shop.write(
    "moody.yaml",
    `scenario_id: moody\ndomain: d\nsteps:\n  - { step_id: one, question: How many?, required_direct_answer_patterns_any: ["^5"] }\n`,
  );
  const args = ["pack", "run", "--spec", "moody.yaml", "--assistant-url", moody.url];
  const ended = await shop.run(...args, "--repeat", "2", "--skip-question-review", "--json");
  expect(ended.code, ended.err).toBe(1);
  const report = JSON.parse(ended.out) as { scenarios: { steps: object[] }[] };
  expect(report.scenarios[0]?.steps[0]).toMatchObject({ status: "partial", flaky: true });
  const state = shop.json("artifacts/domain_runs/moody/pack_state.json");
  expect(state.scenarios).toMatchObject([{ flaky_steps: ["one"] }]);
  const review = shop.json("artifacts/domain_runs/moody/truth_review.json");
  expect(review.steps).toMatchObject([{ step_id: "one", passed: false }]);
  expect([...filesBelow(join(shop.path, "artifacts")).keys()].join()).toContain("repeats/2/");
  asked = 0;
  const once = await shop.run(...args, "--output-dir", "once", "--skip-question-review", "-q");
  expect(once.code).toBe(0);
  const compared = await shop.run("pack", "compare", "once", "artifacts/domain_runs/moody");
  expect([compared.code, compared.out]).toEqual([1, expect.stringContaining("moody/one")]);
});

describe("wrong on purpose", () => {
  it("an unfinished run does not go on with another pack, and --new keeps it aside", async () => {
    const shop = await openStory();
    const killed = await signoff(shop.path, packRun(shop), { SIGNOFF_STOP_AT: "step-judged:3" });
    expect(killed.code).toBe(null);
    shop.write("pack/pack.yaml", shop.read("pack/pack.yaml").replace("The shop's books", "Books"));
    const other = await shop.run(...packRun(shop));
    expect(other.code).toBe(2);
    expect(other.err).toContain("--new");
    expect((await shop.run(...packRun(shop, "--new"))).code).toBe(0);
    expect(readdirSync(join(shop.path, `${shopResults}.runs`))).toHaveLength(1);
  });

  it("a folder of something else is not touched", async () => {
    const shop = await openStory();
    const before = filesBelow(join(shop.path, "pack"));
    expect((await shop.run(...packRun(shop, "--output-dir", "pack"))).code).toBe(2);
    expect(filesBelow(join(shop.path, "pack"))).toEqual(before);
    expect(shop.shop.questions).toEqual([]);
  });

  it("a report in an unknown format, and a case that no folder can be named after", async () => {
    const shop = await openStory();
    const report = await shop.run(...packRun(shop, "--report", "report.pdf"));
    expect([report.code, report.err.includes("report.pdf")]).toEqual([2, true]);
    const question = ["case", "run", "What is in stock?", "--assistant-url", shop.shop.url];
    for (const id of ["con", "desk.", "a/b"]) {
      expect((await shop.run(...question, "--case-id", id)).code).toBe(2);
    }
    expect(shop.shop.questions).toEqual([]);
  });

  it("weak questions are not asked", async () => {
    const shop = await openStory();
    shop.write(
      "weak.yaml",
      "scenario_id: w\ndomain: d\nsteps: [{ step_id: a, question: 'What of {{b.c}}?' }]\n",
    );
    const check = await shop.run("pack", "check", "--manifest", "weak.yaml");
    expect(check.code).toBe(1);
    expect(check.out).toContain("names no earlier step");
    expect(check.out).toContain("not proof");
    const args = ["pack", "run", "--manifest", "weak.yaml", "--assistant-url", shop.shop.url];
    expect((await shop.run(...args)).code).toBe(1);
    expect(shop.shop.questions).toEqual([]);
  });
});
