import { describe, expect, it } from "vitest";
import { chainedSteps } from "./chained-steps.ts";
import { type Expectations, NO_EXPECTATIONS, type Scenario, type Step } from "./manifest.ts";
import { chainNeeds, needs, unobservedIn } from "./payload-needs.ts";
import type { AssistantAnswer } from "./turn.ts";

const step = (stepId: string, more: Partial<Step> = {}): Step => ({
  ...{ stepId, title: stepId, question: "How many?", dependsOn: [], criticality: "critical" },
  ...{ expectations: NO_EXPECTATIONS, semanticTags: [] },
  ...more,
});
const expecting = (more: Partial<Expectations>): Expectations => ({ ...NO_EXPECTATIONS, ...more });
const scenario = (steps: readonly Step[], user?: Step): Scenario => ({
  ...{ scenarioId: "stock", domain: "shop", title: "", description: "" },
  ...{ bindings: {}, analysisContext: {}, steps },
  ...(user && {
    user: { persona: "", goal: "", maxTurns: 3, goalAnswerPatternsAny: [], turn: user },
  }),
});

describe("what is not known of an answer that was found again", () => {
  const answer: AssistantAnswer = {
    ...{ text: "12", debug: {}, entries: [], semanticMemory: null, raw: null },
  };
  const unobserved = (more: Partial<AssistantAnswer>, recovered = true) =>
    unobservedIn({
      ...{ kind: "answered", answer: { ...answer, ...more }, latencyMs: 1 },
      ...(recovered && { recovered: true }),
    });

  it("is what the session does not show", () => {
    expect(unobserved({})).toEqual(["debug", "reply_type"]);
    expect(unobserved({ debug: null })).toEqual(["debug", "reply_type"]);
    expect(unobserved({ debug: { intent: "stock" }, replyType: "table" })).toEqual([]);
    expect(unobserved({ debug: "stock" })).toEqual(["reply_type"]);
  });

  it("is nothing where the answer was received", () => {
    expect(unobserved({}, false)).toEqual([]);
  });
});

describe("an expectation needs what was not observed", () => {
  it.each<Partial<Expectations>>([
    { expectedCapability: "stock" },
    { expectedRecipe: "stock" },
    { expectedResultMode: "exact" },
    { expectedIntents: ["stock"] },
    { forbiddenCapabilities: ["sales"] },
    { forbiddenRecipes: ["sales"] },
    { expectedDebugFields: [{ path: "a", op: "exists", value: null }] },
    { requiredFilters: { item: ["bread"] } },
    { requiredStateObjects: ["order"] },
    { requiredCarryoverInvariants: ["item"] },
    { expectedToolCalls: [{ name: "count" }] },
    { forbiddenTools: ["delete"] },
  ])("if it reads the payload: %j", (more) => {
    expect(needs(expecting(more), ["debug"])).toBe(true);
    expect(needs(expecting(more), ["reply_type"])).toBe(false);
  });

  it("if it names the types of replies, or else not at all", () => {
    const typed = expecting({ allowedReplyTypes: ["table"] });
    expect([needs(typed, ["reply_type"]), needs(typed, ["debug"])]).toEqual([true, false]);
    expect(needs(NO_EXPECTATIONS, ["debug", "reply_type"])).toBe(false);
  });
});

describe("a step cannot be judged after a crash", () => {
  const first = step("first");

  it("if it needs what is not known, or a later one takes it from its answer", () => {
    const reads = step("first", { expectations: expecting({ expectedRecipe: "stock" }) });
    expect(chainNeeds(scenario([reads]), "first", ["debug"])).toBe(true);
    for (const later of [
      { question: "And {{first.item}}?" },
      { question: "And {{semantic_memory.item}}?" },
      { expectations: expecting({ requiredCarryoverInvariants: ["item"] }) },
    ]) {
      const chain = scenario([first, step("second", later)]);
      expect(chainNeeds(chain, "first", ["debug"])).toBe(true);
      expect(chainNeeds(chain, "first", ["reply_type"])).toBe(false);
      expect(chainNeeds(chain, "second", ["debug"])).toBe("expectations" in later);
    }
  });

  it("but can if nothing of the chain does", () => {
    const chain = scenario([step("zero", { question: "{{first.item}}" }), first, step("second")]);
    expect(chainNeeds(chain, "first", ["debug"])).toBe(false);
    expect(chainNeeds(chain, "unknown", ["debug"])).toBe(false);
  });

  it("if the simulated user's turns need it", () => {
    const turn = step("user", { expectations: expecting({ expectedRecipe: "stock" }) });
    expect(chainNeeds(scenario([first], turn), "user-3", ["debug"])).toBe(true);
    expect(chainNeeds(scenario([first], turn), "first", ["debug"])).toBe(false);
  });
});

it("questions that need a conversation are named by scenario and step", () => {
  const pack = [
    scenario([
      step("alone", { question: "How many {{bindings.item}}?" }),
      step("after", { dependsOn: ["alone"] }),
      step("carried", { expectations: expecting({ requiredCarryoverInvariants: ["item"] }) }),
      step("quoted", { question: "And {{alone.item}}?" }),
    ]),
    { ...scenario([], step("turn")), scenarioId: "talk" },
  ];
  expect(chainedSteps({ scenarios: pack })).toEqual([
    "stock/after",
    "stock/carried",
    "stock/quoted",
    "talk/user",
  ]);
});
