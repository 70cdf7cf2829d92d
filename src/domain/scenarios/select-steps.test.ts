import { expect, it } from "vitest";
import { NO_EXPECTATIONS, type Pack, type Step } from "./manifest.ts";
import { selectSteps } from "./select-steps.ts";

const step = (stepId: string, more: Partial<Step> = {}): Step => ({
  stepId,
  title: stepId,
  question: `What about ${stepId}?`,
  dependsOn: [],
  criticality: "critical",
  expectations: NO_EXPECTATIONS,
  semanticTags: [],
  ...more,
});
const carries = { ...NO_EXPECTATIONS, requiredCarryoverInvariants: ["item"] };
const about = { domain: "shop", description: "", bindings: {}, analysisContext: {} };
const pack: Pack = {
  ...{ packId: "shop", domain: "shop", title: "Shop", bindings: {} },
  scenarios: [
    {
      ...{ ...about, scenarioId: "desk", title: "Desk" },
      steps: [
        step("stock"),
        step("weather", { semanticTags: ["talk"] }),
        step("supplier", { question: "Who supplied {{stock.entries[0].item}}?" }),
        step("price", { dependsOn: ["supplier"], semanticTags: ["money"] }),
        step("date", { expectations: carries }),
        step("total", { expectations: carries, dependsOn: ["weather"] }),
      ],
    },
    { ...about, scenarioId: "chair", title: "Chair", steps: [step("stock")] },
  ],
};
const chosen = (wanted: Parameters<typeof selectSteps>[1]) =>
  selectSteps(pack, wanted).scenarios.map(
    ({ scenarioId, steps }) => `${scenarioId}: ${steps.map(({ stepId }) => stepId).join(" ")}`,
  );

it("a question is asked with what it depends on, through placeholders and declarations", () => {
  expect(chosen({ steps: new Set(["desk/price"]) })).toEqual(["desk: stock supplier price"]);
  expect(chosen({ tags: ["money"] })).toEqual(["desk: stock supplier price"]);
});

it("a carry-over without a declared dependency needs the step before, and what that needs", () => {
  expect(chosen({ steps: new Set(["desk/date"]) })).toEqual(["desk: stock supplier price date"]);
});

it("conditions narrow each other, and a scenario without a wanted question is left out", () => {
  expect(chosen({ scenarios: ["chair"] })).toEqual(["chair: stock"]);
  expect(chosen({ scenarios: ["chair"], tags: ["money"] })).toEqual([]);
});

it("a carry-over with a declared dependency needs no other step", () => {
  expect(chosen({ steps: new Set(["desk/total"]) })).toEqual(["desk: weather total"]);
});
