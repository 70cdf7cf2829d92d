import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { openChatty } from "../support/chatty-server.ts";
import { signoff } from "../support/scenario-cli.ts";

const program = fileURLToPath(new URL("../../dist/bin/signoff.js", import.meta.url));

/** Ten chains of thirty steps: 300 streamed answers. */
const scenarios = Array.from({ length: 10 }, (_, at) => ({
  ...{ scenario_id: `desk_${at}`, domain: "shop" },
  steps: Array.from({ length: 30 }, (_, step) => ({
    step_id: `q${step}`,
    question: `Desk ${at}, question ${step}?`,
    ...(step > 0 && step % 10 === 9 ? { depends_on: [`q${step - 1}`] } : {}),
    required_answer_patterns_all: ["in stock"],
  })),
}));

it("a pack of 300 streamed steps: a kill repeats only what is in flight, --failed asks only what it must", async () => {
  const path = mkdtempSync(join(tmpdir(), "signoff-long-pack-"));
  const asked: string[] = [];
  let onQuestion: () => void = () => undefined;
  let broken = "Desk 3, question 19?";
  const server = await openChatty(({ text }, response) => {
    const question = JSON.parse(text).messages.at(-1).content as string;
    asked.push(question);
    onQuestion();
    const answer = question === broken ? ["Who ", "knows?"] : ["5 pieces ", "in stock."];
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const content of answer) {
      response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
    }
    response.end('data: {"choices":[{"finish_reason":"stop"}]}\n\n');
  });
  onTestFinished(async () => {
    await server.close();
    rmSync(path, { recursive: true, force: true });
  });
  const assistant = { base_url: server.url, preset: "openai-chat" };
  const settings = { version: 1, scenarios: { assistant } };
  writeFileSync(join(path, "signoff.yaml"), JSON.stringify(settings));
  const pack = { pack_id: "long", domain: "shop", scenarios };
  writeFileSync(join(path, "pack.yaml"), JSON.stringify(pack));
  const args = ["pack", "run", "--manifest", "pack.yaml", "--skip-question-review", "-q"];
  const child = spawn(process.execPath, [program, ...args], {
    ...{ cwd: path, env: { HOME: path }, stdio: "ignore" },
  });
  await new Promise<void>((resolve) => {
    onQuestion = () => {
      if (asked.length === 100) resolve();
    };
  });
  child.kill("SIGKILL");
  await once(child, "close");
  onQuestion = () => undefined;
  const before = asked.splice(0);
  const resumed = await signoff(path, args);
  expect(resumed.code, resumed.err).toBe(1);
  expect(new Set([...before, ...asked]).size).toBe(300);
  expect(new Set(asked).size).toBe(asked.length);
  const lastOfEachDesk = new Set(
    new Map(before.map((each) => [each.split(",")[0], each])).values(),
  );
  const repeated = asked.filter((each) => before.includes(each));
  expect(repeated.filter((each) => !lastOfEachDesk.has(each))).toEqual([]);
  broken = "";
  asked.length = 0;
  expect((await signoff(path, [...args, "--failed"])).code).toBe(0);
  expect(asked).toEqual(["Desk 3, question 18?", "Desk 3, question 19?"]);
});
