import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { filesBelow } from "../support/scenario-cli.ts";
import { openAssistant, openStory } from "../support/shop-stories.ts";

/** Names of another company's planner: nothing here knows them, and each must be kept. */
const payload = {
  trace_id: "t-1",
  detected_mode: "address_query",
  mcp_discovery_catalog_chain_alignment_status: "aligned",
  mcp_discovery_catalog_chain_top_match: "stock_by_date",
  mcp_discovery_route_candidate_status: "ready",
  mcp_discovery_route_candidate_missing_axes: ["organization"],
  mcp_discovery_route_candidate_executable_now: true,
};

it("a chain in Russian keeps every field of the payload, and its manifest's BOM is gone", async () => {
  const asked: string[] = [];
  const assistant = await openAssistant((question) => {
    asked.push(question);
    return { assistant_reply: "- Дубовый стол\n- Лампа", debug: payload };
  });
  const shop = await openStory();
  const manifest = {
    scenario_id: "stock",
    domain: "склад",
    steps: [
      { step_id: "first", question: "Что есть на складе?" },
      { step_id: "second", question: "Кто поставил {{first.entries[0].item}}?" },
    ],
  };
  shop.write("stock.json", `\uFEFF${JSON.stringify(manifest)}`);
  const target = ["--assistant-url", assistant.url, "--output-dir", "out", "-q"];
  const ended = await shop.run("scenario", "run", "--manifest", "stock.json", ...target);
  expect([0, 1], ended.err).toContain(ended.code);
  expect(asked).toEqual(["Что есть на складе?", "Кто поставил Дубовый стол?"]);
  expect(shop.json("out/steps/second/step_state.json")).toMatchObject({
    question_template: "Кто поставил {{first.entries[0].item}}?",
    question_resolved: "Кто поставил Дубовый стол?",
    debug: payload,
  });
  expect(shop.json("out/steps/second/debug.json")).toEqual(payload);
  const files = [...filesBelow(join(shop.path, "out"))];
  expect(files.length).toBeGreaterThan(16);
  for (const [name, text] of files) {
    expect(text, name).not.toContain("\uFEFF");
    expect(text, name).not.toMatch(/\\u04/);
  }
});

it("checking questions writes two files and asks no model", async () => {
  const shop = await openStory();
  const settings = `version: 1\nscenarios: { assistant: { base_url: "${shop.shop.url}" } }\n`;
  shop.write("signoff.yaml", settings);
  const checked = await shop.run("pack", "check", "--manifest", "pack/pack.yaml");
  expect(checked.code, checked.err).toBe(0);
  expect(readdirSync(join(shop.path, "artifacts/domain_runs/shop_pack")).sort()).toEqual([
    "question_generation_review.json",
    "question_generation_review.md",
  ]);
  expect(shop.shop.questions).toEqual([]);
});

it("what is asked of questions is the project's to say", async () => {
  const shop = await openStory();
  const check = ["pack", "check", "--manifest", "pack/pack.yaml", "--json"];
  expect(JSON.parse((await shop.run(...check)).out)).toMatchObject({ rating: "strong" });
  shop.write("signoff.yaml", "version: 1\nscenarios: { questions: { follow_up_share: 0.9 } }\n");
  expect(JSON.parse((await shop.run(...check)).out)).toMatchObject({
    rating: "usable",
    problems: [{ code: "follow_up_density", message: "60 % follow-ups, wanted 90 %" }],
  });
});

it("a manifest whose root is a list is refused by its path", async () => {
  const shop = await openStory();
  shop.write("packs/list.json", "[]");
  for (const command of [
    ["pack", "run"],
    ["pack", "check"],
    ["scenario", "run"],
    ["case", "run"],
  ]) {
    const refused = await shop.run(...command, "--manifest", "packs/list.json");
    expect(refused.code, refused.err).toBe(2);
    expect(refused.err).toContain("packs/list.json");
  }
});

it("a folder that nothing can be written to is said before anybody is asked", async () => {
  const shop = await openStory();
  shop.write("notes.txt", "");
  const target = ["--assistant-url", shop.shop.url, "--output-dir", "notes.txt/out"];
  for (const command of ["run", "loop"]) {
    const args = ["pack", command, "--manifest", "pack/pack.yaml"];
    const refused = await shop.run(...args, ...target);
    expect(refused.code, refused.err).toBe(2);
    expect(refused.err).toContain("notes.txt is a file");
  }
  expect(shop.shop.questions).toEqual([]);
  expect((await shop.run("runs", "list")).out).not.toContain("notes.txt");
});
