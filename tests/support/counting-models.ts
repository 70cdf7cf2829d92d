import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

export interface CountingModels {
  /** The address of an Ollama. */
  readonly url: string;
  /** Every question that arrived, in order, answered or not. */
  readonly asked: readonly {
    readonly at: number;
    readonly isReview: boolean;
    readonly text: string;
    /** Questions that were being answered then, this one included. */
    readonly atOnce: number;
  }[];
  /** Answers of the next questions, one status each, before it replies again. */
  readonly refusals: number[];
  /** No question is answered before `release`. */
  hold(): void;
  release(): void;
  close(): Promise<void>;
}

function sloganReply({ isReview }: { readonly isReview: boolean }): string {
  return isReview ? "SHIP IT!" : "Fold It Flat, Light It Up";
}

/** An Ollama that writes a slogan for every brief, approves of everything, and counts what it is asked. */
export async function openCountingModels(
  latencyMillis = 20,
  reply: (question: { readonly isReview: boolean; readonly text: string }) => string = sloganReply,
): Promise<CountingModels> {
  const asked: CountingModels["asked"][number][] = [];
  let atOnce = 0;
  const refusals: number[] = [];
  let held = Promise.withResolvers<void>();
  held.resolve();
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    if (request.url !== "/api/chat") {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ models: [{ name: "shop:latest", model: "shop:latest" }] }));
      return;
    }
    const isReview = text.includes("The text under review");
    atOnce += 1;
    response.once("close", () => {
      atOnce -= 1;
    });
    asked.push({ at: performance.now(), isReview, text, atOnce });
    const refusal = refusals.shift();
    if (refusal !== undefined) {
      response.writeHead(refusal, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: "too many requests" }));
      return;
    }
    await held.promise;
    await pause(latencyMillis);
    const content = reply({ isReview, text });
    const message = { model: "shop:latest", created_at: "2026-01-01T00:00:00Z" };
    const end = { done: true, done_reason: "stop", prompt_eval_count: 20, eval_count: 5 };
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    response.end(
      `${JSON.stringify({ ...message, message: { role: "assistant", content }, ...end })}\n`,
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    refusals,
    hold: () => {
      held = Promise.withResolvers();
    },
    release: () => held.resolve(),
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
