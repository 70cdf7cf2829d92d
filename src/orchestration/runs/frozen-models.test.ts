import { describe, expect, it } from "vitest";
import { encodeReviewJob } from "../../contract/gates/review-job.ts";
import { encodeSweepJob } from "../../contract/gates/sweep-job.ts";
import { type RunInput, writeRunInput } from "../../contract/scenarios/run-inputs.ts";
import { decidersOf } from "../../domain/evidence/decider-of.ts";
import { frozenModels } from "./frozen-models.ts";

const target = {
  ...{ folder: "out", assistantUrl: "http://127.0.0.1:1", pack: {}, specHash: "1" },
  ...{ repeat: 1, fileHints: {} },
};
const loop: RunInput<"pack-loop"> = {
  ...{ ...target, analystModel: "script:analyst.json", standIn: false, targetScore: 90 },
  ...{ maxIterations: 3, repairMode: "lead-handoff", validationCommand: "", previous: [] },
};
const call = { plan: "", shape: "bundle", partition: "", notes: [], gates: [] } as const;
const sweep = {
  ...{ brief: "", request: "", since: 0, window: 1, aliases: {}, noteTable: [], gateTable: [] },
  spentBefore: { microUsd: 0, tokens: 0, seconds: 0 },
};
const review = { shape: "bundle", live: false, aliases: {}, notes: [], gates: [] } as const;
const draft = {
  creator: { model: "ollama/mistral" },
  reviewers: [{ model: "script:replies.json" }, { model: "ollama/mistral" }],
};

describe("who decides a run, by its frozen input", () => {
  it.each([
    ["the analyst of a loop", writeRunInput("pack-loop", loop), ["scripted"]],
    [
      "a panel of analysts, in place of the one",
      writeRunInput("pack-loop", {
        ...loop,
        analysts: {
          rule: "all",
          members: [
            { name: "strict", model: "openai/gpt-5" },
            { name: "kind", model: "offline/rules" },
          ],
        },
      }),
      ["model", "stand_in"],
    ],
    [
      "no model of a run without an analyst",
      writeRunInput("pack", { ...target, awaitsAnalyst: false }),
      [],
    ],
    [
      "the judges of a sweep of notes",
      encodeSweepJob({
        ...sweep,
        calls: ["offline/rules", "script:judge.json"].map((model) => ({ ...call, model })),
      }),
      ["stand_in", "scripted"],
    ],
    [
      "the judge of one call",
      encodeReviewJob({ ...review, model: "script:judge.json" }),
      ["scripted"],
    ],
    ["writer and reviewers of a draft", draft, ["model", "scripted"]],
    ["those of a text of an episode", { workspace: "show", draft }, ["model", "scripted"]],
    ["those of several texts", { jobs: [{ input: { draft } }] }, ["model", "scripted"]],
    ["no model where there is no input", null, []],
  ])("%s", (_, input, deciders) => {
    expect(decidersOf(frozenModels(input))).toEqual(deciders);
  });
});
