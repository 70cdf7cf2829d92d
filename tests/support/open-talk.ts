import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Got, openChatty } from "./chatty-server.ts";
import { signoff } from "./scenario-cli.ts";

export const talkPack = `pack_id: talk
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

export type Say = (talk: string, turn: number) => object;

export const hurried: Say = (talk, turn) => {
  if (talk.includes("9 pieces")) return { goal: "reached", quote: "9 pieces of Oak desk" };
  return { say: ["How many Oak desk in summer?", "On 2024-06-30.", "Well?"][turn - 1] };
};

/** An assistant that asks back for a date, and a model that plays the user, each at its own wire. */
export async function openTalk({
  manifest = talkPack,
  say = hurried,
}: {
  manifest?: string;
  say?: Say;
} = {}) {
  const path = mkdtempSync(join(tmpdir(), "signoff-talk-"));
  const state = { answer: "9 pieces of Oak desk on 2024-06-30.", say, isDown: false };
  const asked: string[] = [];
  const turns: string[] = [];
  const formats: unknown[] = [];
  const server = await openChatty((got, response) => {
    response.setHeader("content-type", "application/json");
    if (got.path === "/api/chat") {
      const { messages, format } = JSON.parse(got.text) as Question;
      formats.push(format);
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
  const pack = (command: string, ...more: readonly string[]) => [
    ...["pack", command, "--manifest", "pack.yaml", "--user-model", "ollama/shop", ...more],
  ];
  return {
    ...{ state, asked, turns, formats, path, env, pack },
    signoff: (...args: readonly string[]) => signoff(path, args, env),
    run: (...more: readonly string[]) => signoff(path, pack("run", ...more), env),
    verify: () => signoff(path, ["verify"], env),
    write: (name: string, text: string) => writeFileSync(join(path, name), text),
    read: (name: string) => readFileSync(join(path, "artifacts/domain_runs/talk", name), "utf8"),
    report: () => readFileSync(join(path, "report.xml"), "utf8"),
  };
}

interface Question {
  readonly messages: readonly { readonly content: string }[];
  readonly format?: unknown;
}

const questionOf = ({ text }: Got): string => JSON.parse(text).messages.at(-1).content;
