import { describe, expect, it } from "vitest";
import { isSameModel, isStandInPartition, modelPartition } from "./model-partition.ts";

const rules = { aliases: { "opus-4-6": "claude-opus-4-6" } };

it.each([
  ["GPT-5.4", undefined, "gpt-5-4"],
  ["GPT-5.4", "xhigh", "gpt-5-4-xhigh"],
  ["gpt-5.4", "sideways", "gpt-5-4"],
  ["opus-4-6", undefined, "claude-opus-4-6"],
  ["claude-opus-4-6", undefined, "claude-opus-4-6"],
  ["ollama/llama3:latest", undefined, "ollama-llama3"],
  ["ollama/llama3:8b", undefined, "ollama-llama3-8b"],
  ["offline/rules", undefined, "offline/rules"],
])("the partition of %s with effort %s is %s", (model, effort, partition) => {
  expect(modelPartition(model, rules, effort)).toBe(partition);
});

it("no model can pass for a stand-in, nor a stand-in for a model", () => {
  expect(isStandInPartition(modelPartition("offline/rules", rules))).toBe(true);
  expect(isStandInPartition(modelPartition("offline-rules", rules))).toBe(false);
  expect(isStandInPartition(modelPartition("ollama/offline/rules", rules))).toBe(false);
});

describe("the model that answered is the one asked", () => {
  it.each([
    ["gpt-5", "gpt-5-2026-01-15", true],
    ["gpt-5", "GPT-5-20260115", true],
    ["openai/gpt-5", "gpt-5-2026-01-15", true],
    ["ollama/llama3", "llama3:latest", true],
    ["opus-4-6", "claude-opus-4-6", true],
    ["gpt-5", "gpt-5-mini", false],
    ["gpt-5", "gpt-50", false],
    ["claude-opus-4-6", "claude-sonnet-4-6", false],
    ["offline/rules", "rules", false],
  ])("%s, answered by %s: %s", (asked, reported, same) => {
    expect(isSameModel(asked, reported, rules)).toBe(same);
  });
});
