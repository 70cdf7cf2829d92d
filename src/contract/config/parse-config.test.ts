import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defined } from "../../domain/values/defined.ts";
import { parsedOrThrow } from "../documents/file-problem.ts";
import { parseConfig } from "./parse-config.ts";

const everything = `version: 1
models: { writer: offline/rules, reviewer: offline/rules, judge: offline/rules, analyst: offline/rules, aliases: { gpt-old: openai/gpt } }
providers:
  ollama: { base_url: http://localhost:11434 }
  compatible: { lab: { base_url: http://lab:8000/v1, api_key_env: LAB_KEY } }
commands: { claude: { argv: [claude, -p, --output-format, json], reads: claude-json, seconds: 900 } }
prices: [ { model: openai/x, from: 2026-01-01, input: 1250000, output: 10000000, source: "price page, 2026-01-02" } ]
limits: { concurrency: { default: 4, ollama: 1 }, retries: 3, budget: { usd: 5 } }
drafting: { max_turns: 5, recipes: signoff/recipes }
episodes: { language: auto, max_iterations: 3 }
notes: { roots: [notes], exclude: [], gates: signoff/gates, models: [judge], lock: signoff.lock, allow_offline: false }
scenarios: { output_dir: artifacts/domain_runs, assistant: { base_url: http://127.0.0.1:8787, message: { path: /ask, body: { userText: '{{question}}' }, answer: { reply_type: kind } }, session: { available: false }, timeout_seconds: 60, headers_env: { X-Shop: SHOP_TOKEN } }, mask: [ { pattern: '\\d{16}', replace: card } ], locale: en, library: packs }
stages: { repair_mode: lead-handoff, target_score: 88, coder: command/codex, file_hints: { wrong_date: [src/dates/**] } }
studio: { port: 4400 }
`;

function errorsOf(text: string) {
  const parsed = parseConfig(text, "signoff.yaml");
  return parsed.kind === "problems" ? parsed.problems : [];
}

describe("parseConfig", () => {
  it("reads every setting of the file and keeps the names that are the user's own", () => {
    const parsed = parsedOrThrow(parseConfig(everything, "signoff.yaml"), { code: "test" });
    expect(parsed.config.providers?.compatible).toEqual({
      lab: { baseUrl: "http://lab:8000/v1", apiKeyEnv: "LAB_KEY" },
    });
    expect(parsed.config.scenarios?.assistant?.message).toEqual({
      path: "/ask",
      body: { userText: "{{question}}" },
      answer: { replyType: "kind" },
    });
    expect(parsed.config.stages?.fileHints).toEqual({ wrong_date: ["src/dates/**"] });
    expect(parsed.config.prices?.[0]?.from).toBe("2026-01-01");
    expect(parsed.lineOf(["drafting", "max_turns"])).toBe(9);
  });

  it("says everything that is wrong at once, with line, field and what was probably meant", () => {
    const text = [
      "version: 1",
      "draftng:",
      "  max_turns: 5",
      "limits:",
      "  retrys: 2",
      "  budget: { usd: lots }",
      "providers:",
      "  compatible:",
      "    lab:",
      "      base_url: lab:8000",
      "      api_key: sk-shop-4711-secret",
      "      api_key_env: sk-shop-4711-secret",
      "episodes: { max_iterations: 0 }",
    ].join("\n");
    expect(errorsOf(text).toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))).toEqual([
      at(2, "draftng", "is not a known key", "did you mean drafting?"),
      at(5, "limits.retrys", "is not a known key", "did you mean retries?"),
      at(6, "limits.budget.usd", "must be a number from 0 to 1000000"),
      at(10, "providers.compatible.lab.base_url", expect.stringContaining("http://")),
      at(11, "providers.compatible.lab.api_key", "is not a known key", "did you mean api_key_env?"),
      at(12, "providers.compatible.lab.api_key_env", expect.stringContaining("name of an env")),
      at(13, "episodes.max_iterations", "must be a whole number from 1 to 100"),
    ]);
    expect(JSON.stringify(errorsOf(text))).not.toContain("4711");
  });

  it("names the version it needs, also in an empty file and for a newer one", () => {
    expect(errorsOf("")).toEqual([at(1, "version", expect.stringContaining("must be 1"))]);
    expect(errorsOf("version: 2")[0]?.message).toContain("must be 1");
  });

  it("takes a section that holds only comments for an absent one", () => {
    expect(parseConfig("version: 1\nnotes:\n  # later\n", "signoff.yaml").kind).toBe("parsed");
  });

  it("points at the line of broken YAML, doubled keys and aliases that multiply", () => {
    expect(errorsOf("version: 1\nnotes: [")[0]).toMatchObject({ line: 2, path: "" });
    expect(errorsOf("version: 1\nversion: 1")[0]?.line).toBe(2);
    const tenfold = Array.from(
      { length: 9 },
      (_, n) => `  a${n + 1}: &a${n + 1} [${`*a${n},`.repeat(9)}]`,
    );
    const bomb = `version: 1\nnotes:\n  a0: &a0 [x]\n${tenfold.join("\n")}\n`;
    expect(errorsOf(bomb)[0]?.message).toContain("alias");
  });

  it("keeps every path inside the project", () => {
    for (const path of ["/etc", "..", "a/../../b", "../x"]) {
      expect(errorsOf(`version: 1\ndrafting: { recipes: ${path} }`)).toHaveLength(1);
    }
    expect(errorsOf("version: 1\ndrafting: { recipes: my/..recipes }")).toEqual([]);
  });

  it("refuses names that would reach into the language itself", () => {
    expect(errorsOf("version: 1\n__proto__: { port: 1 }").length).toBeGreaterThan(0);
    expect(errorsOf("version: 1\nconstructor: 1")).toHaveLength(1);
    expect(({} as { port?: number }).port).toBeUndefined();
  });

  it("never throws, whatever the text is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(["parsed", "problems"]).toContain(parseConfig(text, "signoff.yaml").kind);
        expect(["parsed", "problems"]).toContain(parseConfig(`version: 1\n${text}`, "s").kind);
      }),
    );
  });
});

function at(line: number, path: string, message: unknown, hint?: string) {
  return expect.objectContaining({
    ...{ file: "signoff.yaml", line, path, message },
    ...defined({ hint }),
  });
}

describe("the page about settings", () => {
  it("shows only what can be written", () => {
    const page = readFileSync("docs/settings.md", "utf8");
    const blocks = [...page.matchAll(/```yaml\n([\s\S]*?)```/gu)].map(([, yaml = ""]) => yaml);
    expect(blocks).toHaveLength(2);
    for (const yaml of blocks) {
      expect(errorsOf(yaml.startsWith("version:") ? yaml : `version: 1\n${yaml}`)).toEqual([]);
    }
  });
});
