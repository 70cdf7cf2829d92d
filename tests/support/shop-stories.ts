import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import {
  type DemoAssistant,
  type DemoDefect,
  startDemoAssistant,
} from "../../src/adapters/assistant/demo/demo-assistant.ts";
import { type Ended, openShopFolder, signoff } from "./scenario-cli.ts";

/** A folder with the example pack, and an assistant to ask. Everything is gone after `close`. */
export interface Story {
  readonly path: string;
  readonly shop: DemoAssistant;
  run(...args: readonly string[]): Promise<Ended>;
  read(name: string): string;
  json(name: string): Record<string, unknown>;
  write(name: string, text: string): void;
  close(): Promise<void>;
}

export async function openStory(defects: readonly DemoDefect[] = []): Promise<Story> {
  const folder = openShopFolder();
  const shop = await startDemoAssistant({ defects });
  const { path } = folder;
  const read = (name: string) => readFileSync(join(path, name), "utf8");
  return {
    path,
    shop,
    run: (...args) => signoff(path, args),
    read,
    json: (name) => JSON.parse(read(name)) as Record<string, unknown>,
    write(name, text) {
      mkdirSync(join(path, name, ".."), { recursive: true });
      writeFileSync(join(path, name), text);
    },
    async close() {
      await shop.close();
      folder.close();
    },
  };
}

/** An assistant whose answers come from the test. */
export async function openAssistant(
  answer: (question: string, request: IncomingMessage) => object,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = "";
    for await (const part of request) text += String(part);
    if (request.method !== "POST") {
      response.writeHead(404).end("{}");
      return;
    }
    const { user_message: question } = JSON.parse(text) as { user_message: string };
    response.end(JSON.stringify({ session_id: "s-1", ...answer(question, request) }));
  };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A verdict that accepts everything, as the analyst's wire format has it. */
export const perfectVerdict = {
  summary: "Everything is fine. The engine must accept this run.",
  quality_score: 100,
  direct_answer_ok: true,
  business_usefulness_ok: true,
  focus_object_continuity_ok: true,
  bundle_reuse_ok: true,
  followup_action_resolution_ok: true,
  temporal_honesty_ok: true,
  field_truth_ok: true,
  answer_layering_ok: true,
  loop_decision: "accepted",
  requires_user_decision: false,
  unresolved_p0_count: 0,
  priority_targets: [],
};
