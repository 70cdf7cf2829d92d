import { expect, it } from "vitest";
import { encodeDraftInput } from "../../contract/drafting/draft-input.ts";
import { freezeDraft } from "../../domain/drafting/freeze-draft.ts";
import { runId } from "../../domain/values/ids.ts";
import { instant } from "../../domain/values/instant.ts";
import type { Ask, AskEnding, FlowContext, FlowEvent } from "../../ports/flow.ts";
import { loadRecipe } from "../../wiring/features/recipes.ts";
import { draftFlow } from "./draft-flow.ts";

const noon = instant("2026-11-15T12:00:00.000Z");
const soon = instant("2026-11-15T12:00:07.000Z");

function replied(text: string, finishedAt = noon): AskEnding {
  const times = { startedAt: noon, finishedAt, replayed: false };
  return { kind: "replied", reply: { text, model: "mistral", finish: "complete", ...times } };
}

/** An engine that remembers nothing: each ask is answered as the story says. */
function contextOf(answer: (ask: Ask) => AskEnding, events: FlowEvent[]): FlowContext {
  const unused = () => {
    throw new Error("this story needs it not");
  };
  return {
    run: runId("00000000-0000-4000-8000-000000000001"),
    job: { id: "draft/1", kind: "draft", input: null, settings: null, createdAt: noon },
    askAll: async (asks) => asks.map(answer),
    emit: (event) => events.push(event),
    newId: (name) => name,
    nonce: (name) => name,
    checkpoint: () => undefined,
    ask: unused,
    step: unused,
    children: unused,
    waitForDecision: unused,
    now: unused,
  };
}

it("times each review by its own reply, also when another member of the panel gave none", async () => {
  const model = "ollama/mistral";
  const plan = freezeDraft({
    brief: "water bottles",
    recipe: await loadRecipe("slogan", "."),
    writer: model,
    reviewers: [
      { label: "legal", model },
      { label: "brand", model },
    ],
    panelRule: "majority",
  });
  if (plan.kind !== "planned") throw new Error("refused");
  const events: FlowEvent[] = [];
  const out = { code: "overloaded", message: "Out for lunch.", retryable: true, facts: {} };
  const answer = ({ key, request }: Ask): AskEnding => {
    if (request.role === "creator") return replied("Sip clean.");
    return key.includes("legal") ? { kind: "failed", error: out } : replied("SHIP IT!", soon);
  };
  await draftFlow(contextOf(answer, events), encodeDraftInput(plan.input));
  const received = events.filter(({ kind }) => kind === "review-received");
  expect(received.map(({ data }) => data)).toMatchObject([
    { review: { reviewer: "brand", verdict: "ok" }, duration_seconds: 7 },
  ]);
});
