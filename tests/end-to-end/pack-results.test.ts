import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesBelow } from "../support/scenario-cli.ts";
import { openStory, packRun, shopResults } from "../support/shop-stories.ts";

describe("saving", () => {
  const save = (...more: readonly string[]) => [
    "pack",
    "save",
    "--spec",
    "pack/pack.yaml",
    ...more,
  ];

  it("believes an accepted run of this spec, and nothing else", async () => {
    const shop = await openStory();
    await shop.run(...packRun(shop));
    const asked = shop.shop.questions.length;
    expect((await shop.run(...save())).code).toBe(1);
    expect((await shop.run(...save("--validated-run-dir", shopResults))).code).toBe(0);
    expect(shop.shop.questions).toHaveLength(asked);
    const stateFile = join(shop.path, shopResults, "pack_state.json");
    const state = readFileSync(stateFile, "utf8");
    writeFileSync(stateFile, state.replace('"title": "The shop', '"title": "A shop'));
    const edited = await shop.run(...save("--validated-run-dir", shopResults));
    expect(edited.code).toBe(1);
    expect(edited.out).toContain("pack_state.json was changed after the run");
    writeFileSync(stateFile, state);
    for (const name of [
      "truth_review.md",
      "pack_manifest.json",
      "scenarios/changing_dates/scenario_state.json",
      "scenarios/changing_dates/scenario_output.md",
      "scenarios/changing_dates/steps/step_01_winter/turn.json",
    ]) {
      const before = shop.read(`${shopResults}/${name}`);
      shop.write(`${shopResults}/${name}`, `${before} `);
      const changed = await shop.run(...save("--validated-run-dir", shopResults));
      expect([changed.code, changed.out.replace(/\s+/g, " ")]).toEqual([
        1,
        expect.stringContaining(`${name} was changed after the run`),
      ]);
      shop.write(`${shopResults}/${name}`, before);
    }
    const review = shop.read(`${shopResults}/business_review.json`);
    shop.write(`${shopResults}/business_review.json`, "{");
    expect((await shop.run(...save("--validated-run-dir", shopResults))).code).toBe(1);
    shop.write(`${shopResults}/business_review.json`, review);
    shop.write("pack/pack.yaml", shop.read("pack/pack.yaml").replace("2024-03-31", "2024-03-30"));
    const other = await shop.run(...save("--validated-run-dir", shopResults));
    expect(other.out).toContain("the run is of another spec");
  });

  it("refuses a run that was not accepted, and marks what is saved all the same", async () => {
    const shop = await openStory(["temporal"]);
    await shop.run(...packRun(shop));
    const refused = await shop.run(...save("--validated-run-dir", shopResults));
    expect(refused.code).toBe(1);
    expect(refused.out).toContain("final status is partial");
    const bare = await shop.run(...save("--allow-unvalidated"));
    expect(bare.code).toBe(1);
    const marked = await shop.run(
      ...save("--allow-unvalidated", "--unvalidated-reason", "a draft"),
    );
    expect(marked.code).toBe(0);
    const library = filesBelow(join(shop.path, "artifacts/pack_library"));
    const note = [...library].find(([name]) => name.endsWith("saved.json"))?.[1] ?? "";
    expect(JSON.parse(note)).toMatchObject({ mark: "unvalidated", semantic_proof: false });
  });
});

it("compares two runs: the first step that differs, what follows from it, what got better", async () => {
  const shop = await openStory(["temporal"]);
  await shop.run(...packRun(shop, "--output-dir", "before"));
  shop.shop.setDefects([]);
  await shop.run(...packRun(shop, "--output-dir", "after"));
  const ended = await shop.run("pack", "compare", "before", "after");
  expect(ended.code).toBe(0);
  expect(ended.out).toContain("changing_dates/step_01_winter is the first to differ");
  expect(ended.out).toMatch(/better\s+changing_dates\/step_01_winter: partial → accepted/);
  expect((await shop.run("pack", "compare", "after", "before")).code).toBe(1);
  const json = await shop.run("pack", "compare", "before", "after", "--json");
  expect(JSON.parse(json.out)).toMatchObject({
    divergences: expect.arrayContaining([
      expect.objectContaining({ scenario_id: "changing_dates", first_step: "step_01_winter" }),
    ]),
    worse: [],
  });
});

describe("a run made elsewhere", () => {
  it.each([
    ["Nothing found, sorry. runtime_ok", "p0", 1],
    ["5 pieces are in stock.", "clean", 0],
  ])("answering %j is %s", async (answer, status, code) => {
    const shop = await openStory();
    const conversation = [
      { role: "user", text: "How many Oak desk are in stock?" },
      { role: "assistant", text: answer },
    ];
    shop.write(
      "assistant_sessions/gui-7-1.json",
      JSON.stringify({ session_id: "a", conversation }),
    );
    shop.write("reports/gui-7.md", "# Run gui-7\n");
    const ended = await shop.run("run", "review", "gui-7", "--print-summary");
    expect(ended.code, ended.err).toBe(code);
    expect(
      shop.json("artifacts/domain_runs/gui_run_reviews/gui-7/run_review.json").overall_status,
    ).toBe(status);
    expect(
      readdirSync(join(shop.path, "artifacts/domain_runs/gui_run_reviews/gui-7")).sort(),
    ).toEqual([
      "conversation_pairs.json",
      "question_quality_review.json",
      "repair_targets.json",
      "run_review.json",
      "run_review.md",
    ]);
  });
});

it.each(["../../../review", "", "a/b"])("a pasted run cannot be called %j", async (id) => {
  const shop = await openStory();
  shop.write("chat.txt", "User: How many?\nAssistant: 5\n");
  expect((await shop.run("run", "review", id, "--transcript", "chat.txt")).code).toBe(2);
  expect(readdirSync(shop.path).filter((name) => !name.startsWith("."))).toEqual([
    "chat.txt",
    "pack",
  ]);
});
