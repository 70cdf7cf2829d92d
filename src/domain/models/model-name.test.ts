import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../values/workflow-error.ts";
import { formatModelName, needsProjectFolder, parseModelName } from "./model-name.ts";

describe("parseModelName", () => {
  it.each([
    ["mistral", { provider: "ollama", model: "mistral:latest" }],
    ["llama3.2:1b", { provider: "ollama", model: "llama3.2:1b" }],
    ["ollama/mistral", { provider: "ollama", model: "mistral:latest" }],
    ["ollama/hf.co/shop/bottle", { provider: "ollama", model: "hf.co/shop/bottle:latest" }],
    ["ollama/localhost:5000/bottle:7b", { provider: "ollama", model: "localhost:5000/bottle:7b" }],
    ["ollama/localhost:5000/bottle", { provider: "ollama", model: "localhost:5000/bottle:latest" }],
    ["openai/gpt-4o", { provider: "openai", model: "gpt-4o" }],
    ["anthropic/claude-sonnet-4-5", { provider: "anthropic", model: "claude-sonnet-4-5" }],
    ["compatible/lab/meta/llama", { provider: "compatible", server: "lab", model: "meta/llama" }],
    ["command/claude", { provider: "command", name: "claude" }],
    ["live-agent/editor", { provider: "live-agent", name: "editor" }],
    ["script:shop/replies.json", { provider: "script", file: "shop/replies.json" }],
    ["offline/rules", { provider: "offline", rules: "rules" }],
    ["  openai/gpt-4o\n", { provider: "openai", model: "gpt-4o" }],
  ])("reads %s", (text, expected) => {
    expect(parseModelName(text)).toEqual(expected);
  });

  it.each([
    "",
    "  ",
    "openai/",
    "/mistral",
    "compatible/lab",
    "compatible//x",
    "script:",
    "hf.co/a/b",
  ])("refuses %j and says how names are written", (text) => {
    const attempt = () => parseModelName(text);
    expect(attempt).toThrow(ConfigurationError);
    expect(attempt).toThrow(/is not a model name/u);
  });

  it("reads what it writes, for every name it accepts", () => {
    const part = fc.stringMatching(/^[a-z0-9][a-z0-9.:-]{0,12}$/u);
    const written = fc.oneof(
      part,
      fc
        .tuple(
          fc.constantFrom(
            "ollama/",
            "openai/",
            "compatible/lab/",
            "command/",
            "script:",
            "offline/",
          ),
          part,
        )
        .map(([provider, rest]) => provider + rest),
    );
    fc.assert(
      fc.property(written, (text) => {
        const name = parseModelName(text);
        expect(parseModelName(formatModelName(name))).toEqual(name);
      }),
    );
  });
});

it.each([
  ["command/claude", true],
  ["live-agent/claude", true],
  ["script:a.json", true],
  ["offline/rules", false],
  ["openai/gpt-5", false],
])("%s works in the project's folder: %s", (model, expected) => {
  expect(needsProjectFolder(parseModelName(model))).toBe(expected);
});
