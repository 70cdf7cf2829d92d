import { expect, it } from "vitest";
import { analystFacts } from "./analyst-facts.ts";
import type { AnalystAnswer } from "./judge-run.ts";

const answer = (model: string, loopDecision: string) =>
  ({
    model,
    reading: { kind: "read", verdict: { loopDecision }, signature: { how: "bare" } },
  }) as unknown as AnalystAnswer;

it("an acceptance is signed where one analyst, a model, accepted", () => {
  const signature = (...answers: readonly AnalystAnswer[]) =>
    analystFacts(answers, undefined).signature;
  expect(signature(answer("ollama/mistral", "accepted"))).toEqual({ how: "bare" });
  expect(signature(answer("ollama/mistral", "continue"))).toBeUndefined();
  expect(signature(answer("offline/rules", "accepted"))).toBeUndefined();
  const two = [answer("ollama/mistral", "accepted"), answer("ollama/gemma2", "continue")];
  expect(signature(...two)).toBeUndefined();
});
