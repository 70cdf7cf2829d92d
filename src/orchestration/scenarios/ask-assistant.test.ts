import { describe, expect, it } from "vitest";
import type { ConversationItem, SessionOutcome } from "../../domain/scenarios/turn.ts";
import { instant } from "../../domain/values/instant.ts";
import type { Assistant } from "../../ports/assistant.ts";
import { askAssistant, readEnding } from "./ask-assistant.ts";

const question = "Who supplied it?";
const asked: ConversationItem = { role: "user", text: question };
const answered: ConversationItem = { role: "assistant", text: "Nordholz." };

/** An assistant whose session shows the given states, one per read; the last one stays. */
function assistant(...sessions: readonly (readonly ConversationItem[])[]) {
  let readings = 0;
  const sent: string[] = [];
  const answer = (text: string) => ({
    kind: "answered" as const,
    answer: { text, sessionId: "shop-1", debug: {}, entries: [], semanticMemory: {}, raw: {} },
  });
  const shop: Assistant = {
    ...{ timeoutMs: 3000, sessions: "given", retries: 2, retryDelayMs: 100 },
    async send(message) {
      sent.push(message.question);
      return answer("Fresh.");
    },
    async readSession(sessionId): Promise<SessionOutcome> {
      const items = sessions[Math.min(readings, sessions.length - 1)] ?? [];
      readings += 1;
      return { kind: "found", sessionId, items, raw: { items: items.length } };
    },
    asKept: (text) => text,
    recover: (_session, item) => ({ ...answer(item.text), recovered: true }),
  };
  return { shop, sent };
}

async function resume(shop: Assistant, how: Partial<Parameters<typeof askAssistant>[1]> = {}) {
  const waits: number[] = [];
  const clock = {
    now: () => instant("2026-11-15T12:00:00.000Z"),
    monotonic: () => 0,
    sleep: async (millis: number) => {
      waits.push(millis);
    },
  };
  const recorded = await askAssistant(
    { question, sessionId: "shop-1", analysisContext: {} },
    {
      mayHaveBeenSent: true,
      repeated: 0,
      isNeeded: () => false,
      wasHeard: true,
      ...how,
      signal: new AbortController().signal,
    },
    { assistant: shop, clock, setup: "0", crash: { reach: () => undefined } },
  );
  return { ending: readEnding(recorded), waits };
}

describe("a question that an earlier process may have asked", () => {
  it("is taken from the session if it was answered there", async () => {
    const { shop, sent } = assistant([asked, answered]);
    const { ending } = await resume(shop);
    expect(ending).toMatchObject({
      kind: "taken",
      turn: { outcome: { recovered: true, answer: { text: "Nordholz." } } },
    });
    expect(sent).toEqual([]);
  });

  it("is waited for while it has no answer", async () => {
    const { shop, sent } = assistant([asked], [asked], [asked, answered]);
    const { ending, waits } = await resume(shop);
    expect(ending).toMatchObject({ kind: "taken", turn: { outcome: { recovered: true } } });
    expect(waits).toEqual([1000, 1000]);
    expect(sent).toEqual([]);
  });

  it("ends the attempt if no answer comes within the assistant's time", async () => {
    const { shop, sent } = assistant([asked]);
    const { ending, waits } = await resume(shop);
    expect(ending).toMatchObject({
      kind: "restart",
      because: expect.stringMatching(/never answered/),
    });
    expect(waits).toHaveLength(3);
    expect(sent).toEqual([]);
  });

  it("is sent if the session does not know it", async () => {
    const { shop, sent } = assistant([{ role: "user", text: "Stock?" }, answered]);
    const { ending } = await resume(shop);
    expect(ending).toMatchObject({
      kind: "taken",
      turn: { outcome: { answer: { text: "Fresh." } } },
    });
    expect(sent).toEqual([question]);
  });
});

it("an answer whose session lacks what a check needs is asked for in a new session", async () => {
  const { shop, sent } = assistant([asked, answered]);
  const { ending } = await resume(shop, { isNeeded: (lacks) => lacks.includes("debug") });
  expect(ending).toMatchObject({
    kind: "restart",
    because: expect.stringContaining("without its debug and reply type"),
  });
  expect(sent).toEqual([]);
});

it("a question is known in the session as the project's rules show it", async () => {
  const { shop, sent } = assistant([{ role: "user", text: "[masked]" }, answered]);
  const { ending } = await resume({ ...shop, asKept: () => "[masked]" });
  expect(ending).toMatchObject({ turn: { question, outcome: { recovered: true } } });
  expect(sent).toEqual([]);
});

it("an answer that belongs to the step before is not taken for one of this step", async () => {
  const { shop, sent } = assistant([asked, answered]);
  await resume(shop, { repeated: 1 });
  expect(sent).toEqual([question]);
});

it("a question that cannot have been asked yet is sent without reading the session, even if it was asked before", async () => {
  const { shop, sent } = assistant([asked, answered]);
  const { ending } = await resume(shop, { mayHaveBeenSent: false });
  expect(ending).toMatchObject({
    kind: "taken",
    turn: { outcome: { answer: { text: "Fresh." } } },
  });
  expect(sent).toEqual([question]);
});
