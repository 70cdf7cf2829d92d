import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import {
  type ChattyServer,
  chainPack,
  type Got,
  openChatty,
  shopAnswer,
} from "../support/chatty-server.ts";
import { signoff } from "../support/scenario-cli.ts";
import { sparePort } from "../support/spare-port.ts";

const settings = `version: 1
scenarios: { assistant: { base_url: URL, preset: openai-chat, retries: 1 } }
`;

const questionOf = ({ text }: Got): string => JSON.parse(text).messages.at(-1).content;

function answer(got: Got, response: ServerResponse): void {
  const { messages } = JSON.parse(got.text) as { messages: { content: string }[] };
  const before = messages.slice(0, -1).map(({ content }) => content);
  const content = shopAnswer(questionOf(got), before.join("\n"));
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ choices: [{ message: { content } }] }));
}

async function project() {
  const path = mkdtempSync(join(tmpdir(), "signoff-outage-"));
  const port = await sparePort();
  const open: ChattyServer[] = [];
  onTestFinished(async () => {
    for (const server of open) await server.close();
    rmSync(path, { recursive: true, force: true });
  });
  writeFileSync(join(path, "signoff.yaml"), settings.replace("URL", `http://127.0.0.1:${port}`));
  writeFileSync(join(path, "pack.yaml"), chainPack);
  return {
    path,
    async serve(how: (got: Got, response: ServerResponse) => void = answer) {
      const server = await openChatty(how, { port });
      open.push(server);
      return server;
    },
    run: (command: string, ...more: readonly string[]) =>
      signoff(path, [
        "pack",
        command,
        "--manifest",
        "pack.yaml",
        "--skip-question-review",
        ...more,
      ]),
    read: (name: string) => readFileSync(join(path, "artifacts/domain_runs/chain", name), "utf8"),
  };
}

it("an assistant that dies in mid-pack ends the run with 5, and the rerun asks only what is missing", async () => {
  const shop = await project();
  const first = await shop.serve((got, response) => {
    if (questionOf(got).startsWith("How many")) return answer(got, response);
    response.destroy();
    void first.close();
  });
  const down = await shop.run("run");
  expect(down.code).toBe(5);
  expect(down.err.replace(/\s+/gu, " ")).toContain(
    "The assistant cannot be reached: connect ECONNREFUSED",
  );
  expect(down.err.replace(/\s+/gu, " ")).toContain("the same command then goes on where it was");
  const second = await shop.serve();
  const up = await shop.run("run", "-q");
  expect(up.code, up.err).toBe(0);
  expect(second.got.map(questionOf)).toEqual(["Who supplied them?"]);
});

it("an unreachable assistant costs a loop no iteration", async () => {
  const shop = await project();
  expect((await shop.run("loop", "--max-iterations", "1")).code).toBe(5);
  await shop.serve();
  const up = await shop.run("loop", "--max-iterations", "1", "-q");
  expect(up.code, up.err).toBe(0);
  expect(JSON.parse(shop.read("loop_state.json")).iterations).toMatchObject([{ iteration: 1 }]);
});

it("a wrong address is corrected without --new while no answer is recorded", async () => {
  const shop = await project();
  const wrong = `http://127.0.0.1:${await sparePort()}`;
  expect((await shop.run("run", "--assistant-url", wrong)).code).toBe(5);
  expect((await shop.run("run", "--assistant-url", wrong, "--repeat", "3")).code).toBe(5);
  await shop.serve();
  const up = await shop.run("run", "-q");
  expect(up.code, up.err).toBe(0);
});

it("a busy assistant and a server error are asked again, a wrong request is not", async () => {
  const shop = await project();
  const statuses = [429, 0, 500, 0];
  const server = await shop.serve((got, response) => {
    const status = statuses.shift();
    if (!status) return answer(got, response);
    response.writeHead(status, { "retry-after": "0" }).end("busy");
  });
  const ended = await shop.run("run", "-q");
  expect(ended.code, ended.err).toBe(0);
  expect(server.got).toHaveLength(4);
  statuses.push(400);
  expect((await shop.run("run", "-q")).code).toBe(1);
  expect(server.got.slice(4)).toHaveLength(1);
});

it("an assistant that asks to come back tomorrow is busy, not out of reach", async () => {
  const shop = await project();
  const server = await shop.serve((_, response) =>
    response.writeHead(429, { "retry-after": "86400" }).end("come back tomorrow"),
  );
  const ended = await shop.run("run", "-q");
  expect(ended.code).toBe(5);
  expect(ended.err.replace(/\s+/gu, " ")).toContain(
    "The assistant is busy: the assistant answered with status 429 and asks to wait 86400 s: come back tomorrow. Repeat the same command later; it goes on where it was.",
  );
  expect(server.got.length).toBeGreaterThan(0);
});
