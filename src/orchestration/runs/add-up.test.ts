import { describe, expect, it } from "vitest";
import { spentOf } from "./add-up.ts";

const calls = {
  ...{ attempts: 2, replied: 2, failed: 0, lost: 0, seconds: 3 },
  ...{ inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, microUsd: 0 },
};
const silent = { ...calls, model: "command/lawyer", unpriced: 2, uncounted: 2 };
const priced = { ...calls, model: "openai/gpt-5", unpriced: 0, uncounted: 0 };
const paid = { ...priced, microUsd: 40, inputTokens: 10, outputTokens: 5 };

describe("what calls took", () => {
  it("is unknown if nothing is known, never 0", () => {
    expect(spentOf([silent])).toEqual({ unpriced: 2, uncounted: 2, seconds: 3 });
  });

  it("is a lower bound if some of it is known", () => {
    const spent = { microUsd: 40, unpriced: 2, tokens: 15, uncounted: 2, seconds: 6 };
    expect(spentOf([paid, silent])).toEqual(spent);
  });

  it("is no money for a local model, also where a call failed or was not counted", () => {
    const local = { ...silent, model: "ollama/mistral", failed: 1, unpriced: 3 };
    expect(spentOf([local])).toEqual({ microUsd: 0, unpriced: 0, uncounted: 2, seconds: 3 });
  });

  it("is nothing if nothing was asked", () => {
    const spent = { microUsd: 0, unpriced: 0, tokens: 0, uncounted: 0, seconds: 0 };
    expect(spentOf([])).toEqual(spent);
  });
});
