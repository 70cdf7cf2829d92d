import { expect, it } from "vitest";
import type { AssistantOutcome } from "../../domain/scenarios/turn.ts";
import type { Assistant } from "../../ports/assistant.ts";
import { AdaptiveLimit } from "../engines/adaptive-limit.ts";
import { boundedAssistants } from "./bounded-assistant.ts";

const unanswered: AssistantOutcome = {
  kind: "failed",
  failure: { kind: "timed_out", message: "the shop is empty", accepted: true },
};

/** A shop that answers only when released. */
function slowShop() {
  const waiting: (() => void)[] = [];
  const assistant: Assistant = {
    ...{ timeoutMs: 1000, sessions: "given", retries: 0, retryDelayMs: 0 },
    send: () => new Promise((resolve) => waiting.push(() => resolve(unanswered))),
    readSession: async () => ({ kind: "unsupported" }),
    asKept: (text) => text,
    recover: () => unanswered,
  };
  return { assistant, waiting };
}

const message = { question: "How many Oak desk?", analysisContext: {} };
const { signal } = new AbortController();

it("sends no third question before one of two is answered, whichever scenario asks", async () => {
  const shop = slowShop();
  const bounded = boundedAssistants(new AdaptiveLimit(2));
  const asked = [1, 2, 3].map(() => bounded(shop.assistant).send(message, signal));
  await new Promise(setImmediate);
  expect(shop.waiting).toHaveLength(2);
  shop.waiting[0]?.();
  await asked[0];
  await new Promise(setImmediate);
  expect(shop.waiting).toHaveLength(3);
});

it("leaves the line when the run is stopped, and frees the place of a request that threw", async () => {
  const bounded = boundedAssistants(new AdaptiveLimit(1));
  const broken = bounded({
    ...slowShop().assistant,
    send: () => Promise.reject(new Error("the run was cancelled")),
  });
  await expect(broken.send(message, signal)).rejects.toThrow("cancelled");
  const shop = slowShop();
  const first = bounded(shop.assistant).send(message, signal);
  const stop = new AbortController();
  const second = bounded(shop.assistant).send(message, stop.signal);
  stop.abort(new Error("interrupted"));
  await expect(second).rejects.toThrow("interrupted");
  shop.waiting[0]?.();
  expect(await first).toBe(unanswered);
  expect(shop.waiting).toHaveLength(1);
});
