import { describe, expect, it } from "vitest";
import { chooseModels, type ModelUse, modelUse, ollamaModelName } from "./choose-models.ts";
import type { GivenSetting } from "./choose-setting.ts";
import type { ModelRole } from "./project-config.ts";

type Given = { readonly [Role in ModelRole]?: readonly GivenSetting<ModelUse>[] };

function choose(given: Given, isOllamaSet = false) {
  const none = { writer: [], reviewer: [], judge: [], analyst: [], user: [] };
  return chooseModels({ given: { ...none, ...given }, isOllamaSet });
}

function inFile(model: string): readonly GivenSetting<ModelUse>[] {
  const value = { model, isFromProject: true };
  return [{ value, source: "signoff.yaml:3", as: "models" }];
}

describe("chooseModels", () => {
  it("uses the stand-in only while no model is set", () => {
    expect(choose({}).writer).toEqual({
      model: "offline/rules",
      source: "default",
      isFromProject: false,
    });
    expect(choose({}, true).writer.model).toBe("ollama/mistral:latest");
    expect(choose({}, true).judge.model).toBe("ollama/mistral:latest");
  });

  it("lets no stand-in sign for a role whose writer is a real model", () => {
    const { reviewer, judge } = choose({ writer: inFile("openai/gpt") });
    expect(reviewer).toEqual({
      model: "openai/gpt",
      source: "signoff.yaml:3",
      isFromProject: true,
    });
    expect(judge.model).toBe("openai/gpt");
  });

  it("makes Ollama the writer too once it is the model of any role", () => {
    const models = choose({ reviewer: inFile("ollama/qwen:latest") });
    expect(models.writer.model).toBe("ollama/mistral:latest");
    expect(models.reviewer.model).toBe("ollama/qwen:latest");
  });

  it("keeps a stand-in that was asked for", () => {
    expect(choose({ writer: inFile("offline/rules") }, true).writer.model).toBe("offline/rules");
  });
});

describe("modelUse", () => {
  it("takes a bare name for Ollama's latest", () => {
    expect(modelUse("mistral", "flag")).toEqual({
      model: "ollama/mistral:latest",
      isFromProject: false,
    });
    expect(modelUse(" llama3.2:3b ", "environment").model).toBe("ollama/llama3.2:3b");
  });

  it("says that the project had a part in it when its alias was used", () => {
    expect(modelUse("fast", "flag", { fast: "command/claude" })).toEqual({
      model: "command/claude",
      isFromProject: true,
    });
    expect(modelUse("constructor", "flag", {}).model).toBe("ollama/constructor:latest");
  });
});

describe("ollamaModelName", () => {
  it("never names a program, whatever the variable holds", () => {
    expect(ollamaModelName("command/claude")).toBe("ollama/command/claude:latest");
    expect(ollamaModelName("ollama/mistral")).toBe("ollama/mistral:latest");
    expect(ollamaModelName("hf.co/shop/slogans:q4")).toBe("ollama/hf.co/shop/slogans:q4");
  });
});
