import { expect, it } from "vitest";
import { engineOn, heldBack, open, replyOf } from "../../../tests/support/letter-engine.ts";
import { openMemoryStore } from "../../adapters/persistence/sqlite/open-store.ts";
import { encodeDraftInput } from "../../contract/drafting/draft-input.ts";
import { freezeDraft } from "../../domain/drafting/freeze-draft.ts";
import { instant } from "../../domain/values/instant.ts";
import type { Json } from "../../domain/values/json.ts";
import { RunnerError } from "../../domain/values/workflow-error.ts";
import type { Flow, FlowEvent } from "../../ports/flow.ts";
import type { AskRequest, Reply, Runner } from "../../ports/runner.ts";
import { loadRecipe } from "../../wiring/features/recipes.ts";
import { draftFlow } from "./draft-flow.ts";

const reserved = "SHIP IT! Just run it by legal.";
const place = "turn/1/candidate/1/review/reviewer";

type Said = string | Partial<Reply> | Error;

/** A reviewer that says these things one after the other, and remembers what it was asked. */
function reviewerThatSays(...said: readonly Said[]): Runner & { readonly asked: AskRequest[] } {
  const left = [...said];
  const asked: AskRequest[] = [];
  return {
    asked,
    async attempt(request) {
      if (request.role === "creator") return { kind: "replied", reply: replyOf("Sip clean.") };
      asked.push(request);
      const next = left.shift();
      if (next === undefined) throw new Error("asked too often");
      if (next instanceof Error) throw next;
      const reply = typeof next === "string" ? { text: next } : next;
      return { kind: "replied", reply: { ...replyOf(""), ...reply } };
    },
  };
}

interface Reported {
  readonly model?: string;
  readonly approval?: "phrase" | "structured";
  readonly panel?: readonly string[];
}

async function slogan({ model = "ollama/mistral", approval = "phrase", panel }: Reported = {}) {
  const plan = freezeDraft({
    brief: "water bottles",
    recipe: await loadRecipe("slogan", "."),
    writer: model,
    reviewers: panel?.map((label) => ({ label, model })) ?? [{ model }],
    approval,
    maxTurns: 1,
  });
  if (plan.kind !== "planned") throw new Error("refused");
  const createdAt = instant("2026-11-15T12:00:00.000Z");
  return {
    id: "draft/1",
    kind: "draft",
    input: encodeDraftInput(plan.input),
    settings: {},
    createdAt,
  };
}

function deskOf(runner: Runner) {
  const keys: string[] = [];
  const events: FlowEvent[] = [];
  const watched: Flow = (ctx, input: Json) =>
    draftFlow(
      {
        ...ctx,
        askAll: (asks) => {
          keys.push(...asks.map(({ key }) => key).filter((key) => key.includes("review")));
          return ctx.askAll(asks);
        },
        newId: (name) => ctx.newId(name),
        nonce: (name) => ctx.nonce(name),
        checkpoint: (name) => ctx.checkpoint(name),
        waitForDecision: (at, question) => ctx.waitForDecision(at, question),
        emit: (event) => {
          events.push(event);
          ctx.emit(event);
        },
      },
      input,
    );
  const flows = new Map([["draft", watched]]);
  const engine = engineOn({ store: openMemoryStore().runs, flows, runner });
  const review = () => events.findLast(({ kind }) => kind === "review-received")?.data;
  return { engine, keys, review };
}

async function draft(runner: Runner, reported: Reported = {}) {
  const desk = deskOf(runner);
  const run = await desk.engine.submit(await slogan(reported));
  const ending = await desk.engine.ending(run, open);
  return { ...desk, run, ending };
}

const approved = { kind: "finished", result: { decision: { outcome: "converged" } } };
const notApproved = { kind: "finished", result: { decision: { outcome: "needs_human" } } };

it("an approval with a reservation is asked to sign, and a bare one then approves", async () => {
  const reviewer = reviewerThatSays(reserved, "SHIP IT!");
  const { ending, keys, review } = await draft(reviewer);
  expect(ending).toMatchObject(approved);
  expect(keys).toEqual([place, `${place}/question/1`]);
  expect(reviewer.asked[1]?.user).toContain("Just run it by legal.");
  expect(review()).toMatchObject({
    review: { verdict: "ok", signature: { how: "asked", beside: reserved } },
  });
});

it("a structured approval with a remark is asked to sign as well", async () => {
  const ok = '{"verdict":"ok","summary":"Legal should look at “clean”."}';
  const { ending, keys } = await draft(reviewerThatSays(ok, '{"verdict":"ok"}'), {
    approval: "structured",
  });
  expect(ending).toMatchObject(approved);
  expect(keys).toHaveLength(2);
});

it("feedback in reply to the question refuses the text, and both replies are the feedback", async () => {
  const { ending, review } = await draft(reviewerThatSays(reserved, "“Clean” is a claim."));
  expect(ending).toMatchObject(notApproved);
  expect(review()).toMatchObject({
    review: {
      verdict: "changes_requested",
      summary: `${reserved}\n\n“Clean” is a claim.`,
      signature: { how: "refused", beside: reserved },
    },
  });
});

it("a second reservation is not an approval, and there is no third question", async () => {
  const { ending, review } = await draft(reviewerThatSays(reserved, "SHIP IT! Legal, though."));
  expect(ending).toMatchObject(notApproved);
  expect(review()).toMatchObject({
    review: { summary: `${reserved}\n\nSHIP IT! Legal, though.` },
  });
});

it("a cut reply to the question is not an approval, and its words are kept", async () => {
  const cut = reviewerThatSays(reserved, { text: "SHIP IT!", finish: "cut" });
  const { ending, review } = await draft(cut);
  expect(ending).toMatchObject(notApproved);
  expect(review()).toMatchObject({ review: { summary: `${reserved}\n\nSHIP IT!` } });
});

it("scripts and stand-ins are not asked", async () => {
  const reviewer = reviewerThatSays(reserved);
  const { ending, keys } = await draft(reviewer, { model: "script:replies.json" });
  expect(ending).toMatchObject(notApproved);
  expect(keys).toEqual([place]);
});

it("a script that takes questions is asked like a model", async () => {
  const first = { text: reserved, takesQuestions: true } as const;
  const { ending } = await draft(reviewerThatSays(first, { ...first, text: "SHIP IT!" }), {
    model: "script:replies.json",
  });
  expect(ending).toMatchObject(approved);
});

it("a review takes two further calls at most: a repair and a question, which forgets the repair", async () => {
  const cut = { text: "SHIP IT! Just", finish: "cut" } as const;
  const reviewer = reviewerThatSays(cut, reserved, { text: "", finish: "cut" });
  const { ending, keys } = await draft(reviewer);
  expect(ending).toMatchObject(notApproved);
  expect(keys).toEqual([place, `${place}/repair/1`, `${place}/question/1`]);
  expect(reviewer.asked[2]?.user).not.toContain("could not be");
});

it("only those of a panel who had a reservation are asked, and one who then fails has not approved", async () => {
  const gone = new RunnerError("Out for lunch.", { code: "unauthorized", retryable: false });
  const reviewer = reviewerThatSays("SHIP IT!", reserved, gone);
  const { ending, keys, review } = await draft(reviewer, { panel: ["brand", "legal"] });
  expect(ending).toMatchObject(notApproved);
  expect(keys.slice(2)).toEqual(["turn/1/candidate/1/review/legal/question/1"]);
  expect(review()).toMatchObject({ review: { reviewer: "legal", summary: reserved } });
});

it("a run whose question failed asks only the question again when resumed", async () => {
  const gone = new RunnerError("Out for lunch.", { code: "unauthorized", retryable: false });
  const reviewer = reviewerThatSays(reserved, gone, "SHIP IT!");
  const { engine, run, ending } = await draft(reviewer);
  expect(ending).toMatchObject({ kind: "failed" });
  await engine.resume(run, {});
  expect(await engine.ending(run, open)).toMatchObject(approved);
  expect(reviewer.asked.map(({ user }) => user.includes("Only a bare approval"))).toEqual([
    false,
    true,
    true,
  ]);
});

it("a process killed between the reply and the question leaves only the question to be asked", async () => {
  const { runs: store } = openMemoryStore();
  const flows = new Map([["draft", draftFlow]]);
  const stuck = heldBack();
  const first = reviewerThatSays(reserved);
  const isQuestion = ({ user }: AskRequest) => user.includes("Only a bare approval");
  const dying: Runner = {
    attempt: (request, signal) =>
      isQuestion(request) ? stuck.attempt(request, signal) : first.attempt(request, signal),
  };
  const killed = engineOn({ store, flows, runner: dying, pid: 11 });
  const run = await killed.submit(await slogan());
  await stuck.begun;
  const heir = reviewerThatSays("SHIP IT!");
  const engine = engineOn({ store, flows, runner: heir, pid: 22, isDead: () => true });
  await engine.resume(run, {});
  expect(await engine.ending(run, open)).toMatchObject(approved);
  expect(heir.asked.map(isQuestion)).toEqual([true]);
  const late = killed.ending(run, open);
  stuck.finish();
  await expect(late).rejects.toMatchObject({ code: "lease-lost" });
});
