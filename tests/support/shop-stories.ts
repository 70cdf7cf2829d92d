import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  type DemoAssistant,
  type DemoDefect,
  startDemoAssistant,
} from "../../src/adapters/assistant/demo/demo-assistant.ts";
import { type Ended, openShopFolder, signoff } from "./scenario-cli.ts";

/** A folder with the example pack, and an assistant to ask. Everything is gone when the test is over. */
export interface Story {
  readonly path: string;
  readonly shop: DemoAssistant;
  run(...args: readonly string[]): Promise<Ended>;
  read(name: string): string;
  json(name: string): Record<string, unknown>;
  write(name: string, text: string): void;
}

export async function openStory(defects: readonly DemoDefect[] = []): Promise<Story> {
  const folder = openShopFolder();
  const shop = await startDemoAssistant({ defects });
  onTestFinished(async () => {
    await shop.close();
    folder.close();
  });
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
  };
}

/** An assistant whose answers come from the test, and which is gone when the test is over. */
export async function openAssistant(
  answer: (question: string, request: IncomingMessage) => object,
): Promise<{ readonly url: string }> {
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
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
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

/** The command for the example pack, with its address. */
export const packRun = ({ shop }: Story, ...more: readonly string[]) => [
  ...["pack", "run", "--manifest", "pack/pack.yaml", "--assistant-url", shop.url, "-q", ...more],
];

/** Where the example pack's results are. */
export const shopResults = "artifacts/domain_runs/shop_pack";
