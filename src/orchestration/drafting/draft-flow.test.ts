import { expect, it } from "vitest";
import { engineOn, open, replyOf } from "../../../tests/support/letter-engine.ts";
import { openMemoryStore } from "../../adapters/persistence/sqlite/open-store.ts";
import { encodeDraftInput } from "../../contract/drafting/draft-input.ts";
import { planDraft } from "../../domain/drafting/draft-request.ts";
import { runId } from "../../domain/values/ids.ts";
import { instant } from "../../domain/values/instant.ts";
import type { Ask, AskEnding, FlowContext, FlowEvent } from "../../ports/flow.ts";
import type { Reply, Runner } from "../../ports/runner.ts";
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
  const events: FlowEvent[] = [];
  const out = { code: "overloaded", message: "Out for lunch.", retryable: true, facts: {} };
  const answer = ({ key, request }: Ask): AskEnding => {
    if (request.role === "creator") return replied("Sip clean.");
    return key.includes("legal") ? { kind: "failed", error: out } : replied("SHIP IT!", soon);
  };
  await draftFlow(contextOf(answer, events), await panelOf("majority"));
  const received = events.filter(({ kind }) => kind === "review-received");
  expect(received.map(({ data }) => data)).toMatchObject([
    { review: { reviewer: "brand", verdict: "ok" }, duration_seconds: 7 },
  ]);
});

async function panelOf(rule: "all" | "majority") {
  const model = "ollama/mistral";
  const plan = planDraft({
    brief: "water bottles",
    recipe: await loadRecipe("slogan", "."),
    writer: model,
    reviewers: [
      { label: "legal", model },
      { label: "brand", model },
    ],
    panelRule: rule,
  });
  if (plan.kind !== "planned") throw new Error("refused");
  return encodeDraftInput(plan.input);
}

it("gives a cut panel twice the room, and asks it again on resume if that was not enough", async () => {
  let finish: Reply["finish"] = "cut";
  const asked: string[] = [];
  const runner: Runner = {
    async attempt({ role, settings }) {
      if (role === "creator") return { kind: "replied", reply: replyOf("Sip clean.") };
      asked.push(`${finish} ${(settings as { readonly max_tokens: number }).max_tokens}`);
      return { kind: "replied", reply: { ...replyOf("SHIP IT!"), finish } };
    },
  };
  const flows = new Map([["draft", draftFlow]]);
  const engine = engineOn({ store: openMemoryStore().runs, flows, runner });
  const input = await panelOf("all");
  const run = await engine.submit({
    id: "draft/1",
    kind: "draft",
    input,
    settings: {},
    createdAt: noon,
  });
  const place = "turn/1/candidate/1/review";
  expect(await engine.ending(run, open)).toMatchObject({
    kind: "failed",
    error: {
      code: "reply-unusable",
      facts: {
        unusable: [
          ...[`${place}/legal`, `${place}/legal/repair/1`],
          ...[`${place}/brand`, `${place}/brand/repair/1`],
        ],
      },
    },
  });
  finish = "complete";
  await engine.resume(run, {});
  expect(await engine.ending(run, open)).toMatchObject({
    kind: "finished",
    result: { decision: { outcome: "converged" } },
  });
  const first = ["cut 100", "cut 100", "cut 200", "cut 200"];
  expect(asked).toEqual([...first, "complete 100", "complete 100"]);
});
