import { expect, it } from "vitest";
import { engineOn, open, replyOf } from "../../../tests/support/letter-engine.ts";
import { openMemoryStore } from "../../adapters/persistence/sqlite/open-store.ts";
import { encodeDraftInput } from "../../contract/drafting/draft-input.ts";
import { freezeDraft } from "../../domain/drafting/freeze-draft.ts";
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
    childrenOf: unused,
    waitForDecision: unused,
  };
}

async function panelInput(panelRule: "majority" | "any", maxTurns = 1, recipe = "slogan") {
  const model = "ollama/mistral";
  const plan = freezeDraft({
    brief: "water bottles",
    recipe: await loadRecipe(recipe, "."),
    writer: model,
    reviewers: ["legal", "brand", "tone"].map((label) => ({ label, model })),
    panelRule,
    maxTurns,
  });
  if (plan.kind !== "planned") throw new Error("refused");
  return encodeDraftInput(plan.input);
}

function received(events: readonly FlowEvent[]) {
  return events.filter(({ kind }) => kind === "review-received").map(({ data }) => data);
}

it("times each review by its own reply, also when another member of the panel gave none", async () => {
  const events: FlowEvent[] = [];
  const out = { code: "overloaded", message: "Out for lunch.", retryable: true, facts: {} };
  const answer = ({ key, request }: Ask): AskEnding => {
    if (request.role === "creator") return replied("Sip clean.");
    return key.includes("legal") ? { kind: "failed", error: out } : replied("SHIP IT!", soon);
  };
  await draftFlow(contextOf(answer, events), await panelInput("any"));
  expect(received(events)).toMatchObject([
    { review: { reviewer: "brand", verdict: "ok" }, duration_seconds: 7 },
    { review: { reviewer: "tone", verdict: "ok" }, duration_seconds: 7 },
  ]);
});

it("lets a member whose reply was cut twice object with its words, after twice the room", async () => {
  const events: FlowEvent[] = [];
  const room: string[] = [];
  const cut = "This claims more than we can prove. The word “clean” is";
  const answer = ({ key, request }: Ask): AskEnding => {
    if (request.role === "creator") return replied("Sip clean.");
    const ending = replied(key.includes("legal") ? cut : "SHIP IT!");
    if (ending.kind !== "replied" || !key.includes("legal")) return ending;
    room.push(`${key} ${(request.settings as { max_tokens: number }).max_tokens}`);
    return { kind: "replied", reply: { ...ending.reply, finish: "cut" } };
  };
  await draftFlow(contextOf(answer, events), await panelInput("majority"));
  expect(received(events)[0]).toMatchObject({
    review: { reviewer: "legal", verdict: "changes_requested", summary: cut },
  });
  const place = "turn/1/candidate/1/review/legal";
  expect(room.slice(0, 2)).toEqual([`${place} 1000`, `${place}/repair/1 2000`]);
});

it.each(["feedback", "unclear_review"])(
  "lets no panel pass over an error that its reviewer gave the code %s",
  async (code) => {
    const events: FlowEvent[] = [];
    const issue = { severity: "error", message: "The price is wrong.", code };
    const objection = { verdict: "changes_requested", issues: [issue] };
    const content = "Subject: Delivery\n\nGood morning, your bottles for 9 euros arrive on Friday.";
    const answer = ({ key, request }: Ask): AskEnding => {
      if (request.role === "creator") return replied(JSON.stringify({ content, done: true }));
      return replied(key.includes("legal") ? JSON.stringify(objection) : '{"verdict":"ok"}');
    };
    await draftFlow(contextOf(answer, events), await panelInput("any", 1, "email"));
    expect(events.find(({ kind }) => kind === "loop-decided")).toMatchObject({
      data: { decision: { outcome: "needs_human", reason: "iteration_limit" } },
    });
  },
);

it("computes checks anew for each text: the reviewers of a text hear of no check that it passes", async () => {
  const prompts: string[] = [];
  const long = `Sip clean, ${"sip often, ".repeat(10)}sip well.`;
  const answer = ({ key, request }: Ask): AskEnding => {
    const isFirst = key.startsWith("turn/1/");
    if (request.role === "creator") return replied(isFirst ? long : "Sip clean.");
    prompts.push(request.user);
    return replied(isFirst ? "Shorter, please." : "SHIP IT!");
  };
  await draftFlow(contextOf(answer, []), await panelInput("any", 2));
  expect(prompts.map((prompt) => prompt.includes("characters"))).toEqual([
    ...[true, true, true],
    ...[false, false, false],
  ]);
});

it("gives a cut text twice the room, and asks for it again on resume if that was not enough", async () => {
  let finish: Reply["finish"] = "cut";
  const asked: string[] = [];
  const runner: Runner = {
    async attempt({ role, settings }) {
      if (role === "reviewer") return { kind: "replied", reply: replyOf("SHIP IT!") };
      asked.push(`${finish} ${(settings as { readonly max_tokens: number }).max_tokens}`);
      return { kind: "replied", reply: { ...replyOf("Sip clean."), finish } };
    },
  };
  const flows = new Map([["draft", draftFlow]]);
  const engine = engineOn({ store: openMemoryStore().runs, flows, runner });
  const input = await panelInput("majority");
  const job = { id: "draft/1", kind: "draft", input, settings: {}, createdAt: noon };
  const run = await engine.submit(job);
  const place = "turn/1/candidate/1/create";
  expect(await engine.ending(run, open)).toMatchObject({
    kind: "failed",
    error: { code: "reply-unusable", facts: { unusable: [place, `${place}/repair/1`] } },
  });
  finish = "complete";
  await engine.resume(run, {});
  expect(await engine.ending(run, open)).toMatchObject({
    kind: "finished",
    result: { decision: { outcome: "converged" } },
  });
  expect(asked).toEqual(["cut 100", "cut 200", "complete 100"]);
});

it("emits every review before it says that it decides", async () => {
  const events: FlowEvent[] = [];
  const answer = ({ request }: Ask) =>
    replied(request.role === "creator" ? "Sip clean." : "SHIP IT!");
  await draftFlow(contextOf(answer, events), await panelInput("any"));
  const reported = events.map(({ kind, data }) =>
    kind === "phase-entered" ? (data as { readonly phase: string }).phase : kind,
  );
  expect(reported.slice(reported.indexOf("reviewing"))).toEqual([
    ...["reviewing", "review-received", "review-received", "review-received"],
    ...["deciding", "iteration-recorded", "loop-decided", "completed"],
  ]);
});
