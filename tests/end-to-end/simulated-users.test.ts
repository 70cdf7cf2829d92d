import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type Got, openChatty } from "../support/chatty-server.ts";
import { signoff } from "../support/scenario-cli.ts";

const pack = `pack_id: talk
domain: shop
bindings: { day: "2024-06-30" }
scenarios:
  - scenario_id: summer
    domain: stock
    user:
      persona: An office manager in a hurry.
      goal: How many Oak desk were in stock on {{bindings.day}}?
      max_turns: 3
      every_answer: { forbidden_answer_patterns: [Traceback] }
`;

type Say = (talk: string, turn: number) => object;

const hurried: Say = (talk, turn) => {
  if (talk.includes("9 pieces")) return { goal: "reached", quote: "9 pieces of Oak desk" };
  return { say: ["How many Oak desk in summer?", "On 2024-06-30.", "Well?"][turn - 1] };
};

/** An assistant that asks back for a date, and a model that plays the user, each at its own wire. */
async function openTalk({ manifest = pack, say = hurried }: { manifest?: string; say?: Say } = {}) {
  const path = mkdtempSync(join(tmpdir(), "signoff-talk-"));
  const state = { answer: "9 pieces of Oak desk on 2024-06-30.", say, isDown: false };
  const asked: string[] = [];
  const turns: string[] = [];
  const server = await openChatty((got, response) => {
    response.setHeader("content-type", "application/json");
    if (got.path === "/api/chat") {
      const { messages } = JSON.parse(got.text) as { messages: { content: string }[] };
      const prompt = messages.at(-1)?.content ?? "";
      turns.push(prompt);
      const turn = (prompt.match(/"question"/gu)?.length ?? 0) + 1;
      const content = JSON.stringify(state.say(prompt, turn));
      const message = { model: "shop", created_at: "2026-01-01T00:00:00Z" };
      const end = { done: true, done_reason: "stop", prompt_eval_count: 20, eval_count: 5 };
      response.end(
        `${JSON.stringify({ ...message, message: { role: "assistant", content }, ...end })}\n`,
      );
    } else if (got.path === "/v1/chat/completions") {
      const question = questionOf(got);
      if (state.isDown && question.includes("2024")) {
        response.statusCode = 503;
        response.end("{}");
        return;
      }
      asked.push(question);
      const content = question.includes("2024") ? state.answer : "For which day?";
      response.end(JSON.stringify({ choices: [{ message: { content } }] }));
    } else {
      response.end(JSON.stringify({ models: [{ name: "shop:latest", model: "shop:latest" }] }));
    }
  });
  onTestFinished(async () => {
    await server.close();
    rmSync(path, { recursive: true, force: true });
  });
  const assistant = `{ base_url: "${server.url}", preset: openai-chat, retries: 0 }`;
  writeFileSync(join(path, "signoff.yaml"), `version: 1\nscenarios: { assistant: ${assistant} }\n`);
  writeFileSync(join(path, "pack.yaml"), manifest);
  const env = { OLLAMA_BASE_URL: server.url };
  return {
    ...{ state, asked, turns },
    run: (...more: readonly string[]) =>
      signoff(
        path,
        ["pack", "run", "--manifest", "pack.yaml", "--user-model", "ollama/shop", ...more],
        env,
      ),
    verify: () => signoff(path, ["verify"], env),
    read: (name: string) => readFileSync(join(path, "artifacts/domain_runs/talk", name), "utf8"),
    report: () => readFileSync(join(path, "report.xml"), "utf8"),
  };
}

const questionOf = ({ text }: Got): string => JSON.parse(text).messages.at(-1).content;

it("a simulated user talks until its goal is reached, and every turn is recorded", async () => {
  const talk = await openTalk();
  const ended = await talk.run("--report", "report.xml");
  expect(ended).toMatchObject({ code: 0 });
  expect(talk.asked).toEqual(["How many Oak desk in summer?", "On 2024-06-30."]);
  expect(talk.turns).toHaveLength(3);
  expect(talk.turns[0]).toContain("Your goal: How many Oak desk were in stock on 2024-06-30?");
  const page = talk.read("scenarios/summer/scenario_output.md");
  expect(page).toContain("**Simulated user**\n\n> On 2024-06-30.");
  expect(page).toContain("Reached: 9 pieces of Oak desk");
  expect(JSON.parse(talk.read("scenarios/summer/steps/turn_2/turn.json"))).toMatchObject({
    user_message: "On 2024-06-30.",
  });
  expect(talk.report()).toMatch(/turn_1[^>]*>[\s\S]*turn_2[^>]*>[\s\S]*"goal /u);
  expect((await talk.verify()).out).toContain("proven");
});

it("an outage in the middle costs neither a turn nor a call of the user's model", async () => {
  const talk = await openTalk();
  talk.state.isDown = true;
  expect((await talk.run()).code).toBe(5);
  expect(talk.turns).toHaveLength(2);
  talk.state.isDown = false;
  expect((await talk.run()).code).toBe(0);
  expect(talk.asked).toEqual(["How many Oak desk in summer?", "On 2024-06-30."]);
  expect(talk.turns).toHaveLength(3);
});

it("what was not reached fails, and --failed asks the recorded questions before anything new", async () => {
  const talk = await openTalk();
  talk.state.answer = "That is unknown.";
  talk.state.say = (prompt, turn) =>
    turn > 2 ? { goal: "given_up", why: "It does not know." } : hurried(prompt, turn);
  const failed = await talk.run();
  expect(failed).toMatchObject({ code: 1 });
  expect(talk.read("scenarios/summer/final_status.md")).toContain(
    "goal: P0 goal_reached: expected goal: How many Oak desk were in stock on 2024-06-30?; seen: the user gave up: It does not know.",
  );
  talk.state.answer = "9 pieces of Oak desk on 2024-06-30.";
  talk.state.say = hurried;
  talk.asked.length = 0;
  talk.turns.length = 0;
  expect((await talk.run("--failed")).code).toBe(0);
  expect(talk.asked).toEqual(["How many Oak desk in summer?", "On 2024-06-30."]);
  expect(talk.turns).toHaveLength(1);
});

it("a user that quotes what no answer says is asked once more, and then the goal is not reached", async () => {
  const talk = await openTalk({ say: () => ({ goal: "reached", quote: "12 pieces" }) });
  expect((await talk.run()).code).toBe(1);
  expect(talk.turns).toHaveLength(2);
  expect(talk.turns[1]).toContain("no answer contains the quote");
  expect(talk.read("scenarios/summer/final_status.md")).toContain(
    "no answer contains what the user quotes: 12 pieces",
  );
  expect(talk.asked).toEqual([]);
});

it("a goal with patterns is reached where an answer matches, whatever the user says", async () => {
  const manifest = pack.replace(
    "max_turns: 3",
    "max_turns: 2\n      goal_answer_patterns_any: ['^9 pieces']",
  );
  const talk = await openTalk({ manifest });
  expect((await talk.run("--max-questions", "1")).err).toContain("2 questions");
  expect((await talk.run()).code).toBe(0);
  expect(talk.turns).toHaveLength(2);
  talk.state.answer = "About nine pieces.";
  expect((await talk.run("--replay-users")).code).toBe(1);
  expect(talk.asked).toHaveLength(4);
  expect(talk.turns).toHaveLength(2);
  expect(talk.read("scenarios/summer/final_status.md")).toContain(
    "no answer matches /^9 pieces/ within 2 turns",
  );
});
