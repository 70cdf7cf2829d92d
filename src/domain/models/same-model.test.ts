import { describe, expect, it } from "vitest";
import { findOffered, sameModel } from "./same-model.ts";

describe("sameModel", () => {
  it.each([
    ["openai/gpt-4o", "openai/gpt-4o"],
    ["openai/gpt-4o", "openai/gpt-4o-2024-08-06"],
    ["openai/gpt-4", "openai/gpt-4-0613"],
    ["anthropic/claude-sonnet-4-5", "anthropic/claude-sonnet-4-5-20250929"],
    ["anthropic/claude-3-5-sonnet-latest", "anthropic/claude-3-5-sonnet-20241022"],
    ["compatible/lab/gemini-2.0-flash", "compatible/lab/gemini-2.0-flash-001"],
    ["compatible/lab/titan", "compatible/lab/titan-v1.2"],
    ["ollama/mistral:latest", "ollama/mistral"],
    ["ollama/mistral:latest", "ollama/mistral:7b"],
    ["command/claude", "command/claude:claude-sonnet-4-5-20250929"],
  ])("takes %s and %s for the same", (requested, reported) => {
    expect(sameModel(requested, reported)).toBe(true);
  });

  it.each([
    ["openai/gpt-4o", "openai/gpt-4o-mini"],
    ["openai/gpt-4o-mini", "openai/gpt-4o"],
    ["openai/gpt-5", "openai/gpt-5.1"],
    ["anthropic/claude-opus-4", "anthropic/claude-opus-4-1"],
    ["ollama/llama3:8b", "ollama/llama3:70b"],
    ["openai/gpt-4o", "compatible/openai/gpt-4o"],
    ["openai/gpt-4", "openai/gpt-4-32k"],
  ])("tells %s from %s", (requested, reported) => {
    expect(sameModel(requested, reported)).toBe(false);
  });

  it("follows an alias, in either direction", () => {
    const aliases = { "openai/house-model": "openai/gpt-4o" };
    expect(sameModel("openai/house-model", "openai/gpt-4o-2024-08-06", aliases)).toBe(true);
    expect(sameModel("openai/gpt-4o", "openai/house-model", aliases)).toBe(true);
    expect(sameModel("openai/house-model", "openai/gpt-4o-mini", aliases)).toBe(false);
  });
});

describe("findOffered", () => {
  const offered = ["ollama/mistral:latest", "ollama/llama3.2:1b", "ollama/phi3"];

  it("finds a model under its full name, also where the server leaves the tag out", () => {
    expect(findOffered("ollama/mistral:latest", offered)).toBe("ollama/mistral:latest");
    expect(findOffered("ollama/phi3:latest", offered)).toBe("ollama/phi3");
  });

  it("does not take another tag for the model", () => {
    expect(findOffered("ollama/llama3.2:3b", offered)).toBeUndefined();
  });

  it("follows an alias", () => {
    expect(findOffered("ollama/house", offered, { "ollama/house": "ollama/llama3.2:1b" })).toBe(
      "ollama/llama3.2:1b",
    );
  });
});
