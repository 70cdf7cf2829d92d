import { describe, expect, it } from "vitest";
import { isReasoningModel, replyTokens } from "./reasoning-allowance.ts";

describe("isReasoningModel", () => {
  it.each([
    "deepseek-r1:8b",
    "qwq:32b",
    "qwen3:4b",
    "gpt-oss:20b",
    "o3",
    "o4-mini",
    "o1-2024-12-17",
    "gpt-5-mini",
    "lab/kimi-k2-thinking",
    "deepseek-reasoner",
    "phi4-mini-reasoning:latest",
  ])("knows that %s thinks first", (model) => {
    expect(isReasoningModel(model)).toBe(true);
  });

  it.each(["mistral:latest", "gpt-4o", "llama3.2:1b", "qwen2.5:7b", "claude-sonnet-4-5", "phi4"])(
    "knows that %s does not",
    (model) => {
      expect(isReasoningModel(model)).toBe(false);
    },
  );
});

describe("replyTokens", () => {
  it("leaves the visible text its limit and adds room to think", () => {
    expect(replyTokens(100, false)).toBe(100);
    expect(replyTokens(100, true)).toBeGreaterThan(4_000);
  });
});
