import { describe, expect, it } from "vitest";
import { instant } from "../../domain/values/instant.ts";
import { renderAge, renderCost, renderCount, renderDuration, renderUsage } from "./amounts.ts";

describe("amounts", () => {
  it.each([
    [undefined, ["ollama/mistral"], "cost unknown"],
    [0, ["ollama/mistral", "offline/rules", "script:replies.json"], "$0 (local)"],
    [0, ["ollama/mistral", "openai/gpt-5"], "$0"],
    [0, [], "$0"],
    [12, ["openai/gpt-5"], "under $0.0001"],
    [1840, ["openai/gpt-5"], "$0.0018"],
    [2_345_678, ["openai/gpt-5"], "$2.35"],
  ])("%s micro-dollars with %j are %s", (microUsd, models, words) => {
    expect(renderCost(microUsd, models)).toBe(words);
  });

  it.each([
    [1, "1 call"],
    [999, "999 calls"],
    [1_000, "1,000 calls"],
    [1_234_567, "1,234,567 calls"],
  ])("%s calls are %s", (count, words) => {
    expect(renderCount(count, "call")).toBe(words);
  });

  it.each([
    [0.04, "0 s"],
    [2.14, "2.1 s"],
    [42.4, "42 s"],
    [59.7, "1 min 0 s"],
    [125, "2 min 5 s"],
    [7_380, "2 h 3 min"],
  ])("%s seconds are %s", (seconds, words) => {
    expect(renderDuration(seconds)).toBe(words);
  });

  it.each([
    ["2026-11-15T09:59:30.000Z", "just now"],
    ["2026-11-15T10:00:30.000Z", "just now"],
    ["2026-11-15T09:55:00.000Z", "5 min ago"],
    ["2026-11-15T07:00:00.000Z", "3 h ago"],
    ["2026-11-14T10:00:00.000Z", "1 day ago"],
    ["2026-06-14T10:00:00.000Z", "2026-06-14"],
  ])("%s is %s", (then, words) => {
    expect(renderAge(instant(then), instant("2026-11-15T10:00:00.000Z"))).toBe(words);
  });

  it("tells fresh calls, calls from the record and the provider's cache apart", () => {
    const usage = {
      calls: 6,
      replayed: 2,
      inputTokens: 1236,
      outputTokens: 114,
      cachedInputTokens: 1000,
    };
    expect(renderUsage(usage, [])).toEqual([
      "6 calls (4 fresh, 2 from the record)",
      "1,236 tokens in (1,000 from its cache), 114 out",
      "cost unknown",
    ]);
  });
});
