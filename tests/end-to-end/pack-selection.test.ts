import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openChatty } from "../support/chatty-server.ts";
import { signoff } from "../support/scenario-cli.ts";

const pack = `pack_id: choice
domain: shop
scenarios:
  - scenario_id: desk
    domain: shop
    steps:
      - { step_id: stock, question: "How many desks?", required_answer_patterns_all: ["5"] }
      - { step_id: weather, question: "Is it raining?", semantic_tags: [talk] }
      - step_id: supplier
        question: "Who supplied them?"
        depends_on: [stock]
        required_answer_patterns_all: [Nordholz]
        max_seconds: 60
        expected_tool_calls: [{ name: find_supplier, arguments: { item: desk } }]
  - scenario_id: chair
    domain: shop
    steps: [{ step_id: stock, question: "How many chairs?" }]
`;

async function project() {
  const path = mkdtempSync(join(tmpdir(), "signoff-choice-"));
  let supplier = "Nobody knows.";
  let tool = "find_nothing";
  let asked: string[] = [];
  const server = await openChatty(({ text }, response) => {
    const { messages } = JSON.parse(text) as { messages: { content: string }[] };
    const question = messages.at(-1)?.content ?? "";
    asked.push(question);
    const isSupplier = question.startsWith("Who");
    const call = { function: { name: tool, arguments: '{"item":"desk"}' } };
    const message = {
      content: isSupplier ? supplier : "5 pieces.",
      ...(isSupplier ? { tool_calls: [call] } : {}),
    };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ choices: [{ message }] }));
  });
  onTestFinished(async () => {
    await server.close();
    rmSync(path, { recursive: true, force: true });
  });
  const yaml = `version: 1\nscenarios: { assistant: { base_url: "${server.url}", preset: openai-chat } }\n`;
  writeFileSync(join(path, "signoff.yaml"), yaml);
  writeFileSync(join(path, "pack.yaml"), pack);
  return {
    async play(...more: readonly string[]) {
      asked = [];
      const args = ["pack", "run", "--manifest", "pack.yaml", "--skip-question-review"];
      const ended = await signoff(path, [...args, ...more]);
      return { ...ended, asked: asked.toSorted() };
    },
    save: () =>
      signoff(path, [
        ...["pack", "save", "--manifest", "pack.yaml"],
        ...["--validated-run-dir", "artifacts/domain_runs/choice"],
      ]),
    repair() {
      supplier = "Nordholz.";
      tool = "find_supplier";
    },
    breakAgain() {
      supplier = "Nobody knows.";
    },
    read: (name: string) => readFileSync(join(path, name), "utf8"),
  };
}

it("--failed asks what failed last time with what it depends on, until nothing failed", async () => {
  const shop = await project();
  expect((await shop.play("--failed")).err).toContain("has not been run here yet");
  const all = await shop.play("--report", "junit.xml");
  expect(all).toMatchObject({ code: 1 });
  expect(all.asked).toHaveLength(4);
  expect(shop.read("junit.xml")).toMatch(/name="supplier supplier" time="\d/u);
  expect(shop.read("junit.xml")).toContain("P1 tool_call");
  shop.repair();
  const again = await shop.play("--failed", "--concurrency", "1");
  expect(again.asked).toEqual(["How many desks?", "Who supplied them?"]);
  expect(again.code, again.err).toBe(0);
  expect(again.out).toContain("Asked 2 of 4 questions; this proves nothing about the others.");
  expect((await shop.play("--failed")).err).toContain("Nothing of this failed last time");
  expect((await shop.save()).code).toBe(1);
  shop.breakAgain();
  expect((await shop.play("--scenario", "chair")).asked).toEqual(["How many chairs?"]);
  expect((await shop.play("--failed")).err).toContain("Nothing of this failed last time");
});

it("--scenario and --tag choose questions, and a name that is not there is refused", async () => {
  const shop = await project();
  expect((await shop.play("--tag", "talk", "-q")).asked).toEqual(["Is it raining?"]);
  expect((await shop.play("--scenario", "chairs")).err).toContain(
    "The pack has no scenario chairs",
  );
});

it("repeats are counted, with the interval that so few of them allow", async () => {
  const shop = await project();
  const ended = await shop.play("--repeat", "3", "--scenario", "desk", "-q");
  expect(ended.asked).toHaveLength(9);
  expect(ended.out).toContain("supplier passed 0 of 3 (0–56 %)");
});
