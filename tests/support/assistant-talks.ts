import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { chainPack, type Got, openChatty, shopAnswer } from "./chatty-server.ts";
import { signoff } from "./scenario-cli.ts";

/** An assistant at its own wire, and the settings that reach it. */
export interface Talk {
  readonly settings: string;
  readonly answer?: (got: Got, response: ServerResponse) => void;
  readonly onSocket?: (text: string) => readonly string[];
  readonly pack?: string;
  readonly address?: (url: string) => string;
}

/** A project with a pack and its assistant, for one test. */
export async function openTalk({ settings, answer, onSocket, pack = chainPack, address }: Talk) {
  const path = mkdtempSync(join(tmpdir(), "signoff-assistants-"));
  const server = await openChatty(answer ?? ((_, response) => response.end("{}")), {
    ...(onSocket === undefined ? {} : { onSocket }),
  });
  onTestFinished(async () => {
    await server.close();
    rmSync(path, { recursive: true, force: true });
  });
  const url = address?.(server.url) ?? server.url;
  writeFileSync(join(path, "signoff.yaml"), `version: 1\n${settings.replaceAll("URL", url)}`);
  writeFileSync(join(path, "pack.yaml"), pack);
  const run = (...args: readonly string[]) => signoff(path, args);
  return {
    path,
    server,
    run,
    play: (...more: readonly string[]) =>
      run("pack", "run", "--manifest", "pack.yaml", "--skip-question-review", ...more),
    json: (name: string) =>
      JSON.parse(readFileSync(join(path, "artifacts/domain_runs/chain", name), "utf8")),
  };
}

export const assistantAt = (body: string) => `scenarios:\n  assistant:\n    base_url: URL\n${body}`;
export const sendJson = (response: ServerResponse, body: unknown, status = 200) => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
};
export const sendStream = (response: ServerResponse, type: string, parts: readonly string[]) => {
  response.writeHead(200, { "content-type": type });
  for (const part of parts) response.write(part);
  response.end();
};
export const sse = (events: readonly unknown[]) =>
  events.map((e) => `data: ${JSON.stringify(e)}\n\n`);
export const pieces = (text: string) => text.match(/.{1,4}/gsu) ?? [];

interface Chat {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly stream?: boolean;
}
export const chatAnswer = (text: string) => {
  const { messages } = JSON.parse(text) as Chat;
  const before = messages.slice(0, -1).map(({ content }) => content);
  return shopAnswer(messages.at(-1)?.content ?? "", before.join("\n"));
};

/** Sessions by id, as a server keeps them. */
export function memory() {
  const said = new Map<string, string>();
  return (id: string, question: string): string => {
    const answer = shopAnswer(question, said.get(id) ?? "");
    said.set(id, `${said.get(id) ?? ""}\n${question}`);
    return answer;
  };
}
