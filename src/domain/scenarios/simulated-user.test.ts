import { expect, it } from "vitest";
import type { ScenarioRecord } from "./run-record.ts";
import { isQuoted, saidIn } from "./simulated-user.ts";

const talk = [
  { question: "How many?", answer: "There are twelve desks." },
  { question: "Sure?", answer: "Yes!" },
];

it.each([
  ["twelve desks", true],
  ["TWELVE  desks", true],
  ["Yes", true],
  ["twelve", false],
  ["thirteen desks", false],
  ["", false],
  ["?!", false],
])("an answer contains the quote %j: %s", (quote, isThere) => {
  expect(isQuoted(quote, talk)).toBe(isThere);
});

it("lists what users said, and leaves out who said nothing", () => {
  const step = (dialogue: "turn" | undefined, questionTemplate: string) => ({
    dialogue,
    questionTemplate,
  });
  const scenarios = [
    {
      scenarioId: "a",
      steps: [step("turn", "One?"), step(undefined, "No."), step("turn", "Two?")],
    },
    { scenarioId: "b", steps: [step(undefined, "No.")] },
  ] as unknown as readonly ScenarioRecord[];
  expect(saidIn(scenarios)).toEqual({ a: ["One?", "Two?"] });
});
