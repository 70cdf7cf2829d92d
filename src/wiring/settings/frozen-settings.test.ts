import { describe, expect, it } from "vitest";
import { frozenSettings, withFrozen } from "./frozen-settings.ts";
import { defaultSettings } from "./settings.ts";

describe("the settings frozen with a run", () => {
  it("are those given by flag, and nothing that comes from elsewhere", () => {
    const entries = [
      { name: "providers.ollama.base_url", value: "http://lab:11434", source: "flag" },
      { name: "limits.timeout", value: 60, source: "environment" },
      { name: "limits.retries", value: 1, source: "flag" },
      { name: "models.writer", value: "ollama/mistral:latest", source: "flag" },
    ] as const;
    expect(frozenSettings({ entries })).toEqual({ base_url: "http://lab:11434", attempts: 1 });
  });

  it("count before those of the invocation that resumes it", () => {
    const frozen = { base_url: "http://lab:11434", timeout: 60, total_timeout: 900, attempts: 1 };
    expect(withFrozen(defaultSettings(), frozen)).toMatchObject({
      ollama: { baseUrl: "http://lab:11434" },
      idleSeconds: 60,
      firstIdleSeconds: 60,
      totalSeconds: 900,
    });
    expect(withFrozen(defaultSettings(), {})).toEqual(defaultSettings());
  });
});
