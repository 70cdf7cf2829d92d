import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openModelServer } from "../../support/model-servers.ts";
import {
  anthropicWire,
  compatibleWire,
  ollamaWire,
  openAiWire,
  secretKey,
  type Wire,
} from "../../support/provider-wires.ts";
import { inFolder, runSignoff } from "../../support/signoff-process.ts";
import { sparePort } from "../../support/spare-port.ts";

const bottles = "eco-friendly water bottles";

interface Way {
  readonly wire: Wire;
  readonly env: (url: string) => Readonly<Record<string, string>>;
  readonly yaml?: (url: string) => string;
}

const ways: readonly Way[] = [
  { wire: ollamaWire, env: (url) => ({ OLLAMA_BASE_URL: url }) },
  { wire: openAiWire, env: (url) => ({ OPENAI_BASE_URL: url, OPENAI_API_KEY: secretKey }) },
  {
    wire: anthropicWire,
    env: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: secretKey }),
  },
  {
    wire: compatibleWire,
    env: () => ({ LAB_KEY: secretKey }),
    yaml: (url) =>
      `version: 1\nproviders: { compatible: { lab: { base_url: "${url}/v1", api_key_env: LAB_KEY } } }\n`,
  },
];

async function drafted(way: Way, more: readonly string[] = [], yaml = "") {
  return inFolder(async (cwd) => {
    const server = await openModelServer({ wire: way.wire });
    const file = `${way.yaml?.(server.url) ?? "version: 1\n"}${yaml}`;
    await writeFile(join(cwd, "signoff.yaml"), file);
    const args = ["draft", bottles, "--model", way.wire.model, "--trust", "--json", ...more];
    const ended = await runSignoff(args, { cwd, env: way.env(server.url) });
    return { ...ended, server };
  });
}

describe.each(ways)("a draft with $wire.title", (way) => {
  it("comes to an approval, with the tokens that were used", async () => {
    const { code, stdout, server } = await drafted(way);
    expect(code).toBe(0);
    expect(server.asked).toHaveLength(4);
    expect(JSON.parse(stdout)).toMatchObject({
      completion_reason: "approved",
      final_slogan: "Hydrate Green, Save Our Seas",
      model_name: way.wire.model,
      stand_in: false,
      usage: { calls: 4, input_tokens: 80, output_tokens: 20 },
    });
  });

  it("costs what the project says, else the shipped price, nothing at home, or an unknown sum", async () => {
    const isLocal = way.wire === ollamaWire;
    const unknown = JSON.parse((await drafted(way)).stdout) as { usage: { micro_usd: unknown } };
    const shipped = way.wire === anthropicWire ? 4 * (20 * 3 + 5 * 15) : null;
    expect(unknown.usage.micro_usd).toBe(isLocal ? 0 : shipped);
    const price = `{ model: ${way.wire.model}, from: 2020-01-01, input: 1000000, output: 2000000, source: test }`;
    const known = await drafted(way, ["--budget", "1usd"], `prices: [ ${price} ]\n`);
    expect(known.code).toBe(0);
    const expected = isLocal ? 0 : 4 * (20 + 2 * 5);
    expect(JSON.parse(known.stdout)).toMatchObject({ usage: { micro_usd: expected } });
  });
});

describe("a budget in dollars", () => {
  it("is refused where the price is unknown, by flag or by setting, before anything is asked", async () => {
    const [, openAi] = ways;
    if (openAi === undefined) throw new Error("no OpenAI");
    for (const [more, yaml] of [
      [["--budget", "1usd"], ""],
      [[], "limits: { budget: { usd: 1 } }\n"],
    ] as const) {
      const { code, stdout, stderr, server } = await drafted(openAi, more, yaml);
      expect(code).toBe(2);
      expect(JSON.parse(stdout)).toMatchObject({ error: { code: expect.any(String) } });
      expect(stderr.replace(/\s+/gu, " ")).toContain("Add it under prices in signoff.yaml");
      expect(server.seen).toEqual([]);
    }
  });
});

describe("models", () => {
  it("lists what each provider offers, marks the default, and says who cannot be reached", async () => {
    await inFolder(async (cwd) => {
      const ollama = await openModelServer({ offers: ["mistral:latest", "gemma2:2b"] });
      const openAi = await openModelServer({ wire: openAiWire, offers: ["gpt-4o"] });
      const gone = `http://127.0.0.1:${await sparePort()}`;
      const env = {
        ...{ OLLAMA_BASE_URL: ollama.url, OPENAI_BASE_URL: openAi.url, OPENAI_API_KEY: secretKey },
        ...{ ANTHROPIC_BASE_URL: gone, ANTHROPIC_API_KEY: secretKey },
        PATH: cwd,
      };
      await writeFile(join(cwd, "codex"), "", { mode: 0o755 });
      // Not a program: it must not be started.
      await writeFile(join(cwd, "claude"), "");
      const reported = await runSignoff(["models", "--json"], { cwd, env });
      expect(reported).toMatchObject({ code: 0, stderr: "" });
      const { default_model, providers } = JSON.parse(reported.stdout) as {
        default_model: string;
        providers: readonly { provider: string; models: readonly string[]; reachable: boolean }[];
      };
      const of = (name: string) => providers.find(({ provider }) => provider === name);
      expect(default_model).toBe("ollama/mistral:latest");
      expect(of("ollama")?.models).toEqual(["ollama/gemma2:2b", "ollama/mistral:latest"]);
      expect(of("openai")?.models).toEqual(["openai/gpt-4o"]);
      expect(of("anthropic")).toMatchObject({ reachable: false, models: [] });
      expect(of("offline")?.models).toEqual(["offline/rules"]);
      expect(of("command")?.models).toEqual(["command/codex"]);
      expect(of("command/claude")).toMatchObject({ reachable: false, models: [] });
      const plain = await runSignoff(["models"], { cwd, env });
      expect(plain.stdout).toContain("The program claude was not found.");
      expect(plain.stdout).toContain("ollama/mistral:latest (default)");
      expect(plain.stdout).toContain("cannot be reached");
    });
  });

  it("names no default where none is set", async () => {
    await inFolder(async (cwd) => {
      const { stdout } = await runSignoff(["models"], { cwd });
      expect(stdout).toContain("offline/rules\n");
      expect(stdout).toMatch(/^default +none is set; give --model/mu);
    });
  });
});
