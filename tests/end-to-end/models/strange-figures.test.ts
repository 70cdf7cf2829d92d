import { describe, expect, it } from "vitest";
import { openModelServer } from "../../support/model-servers.ts";
import {
  anthropicWire,
  ollamaWire,
  openAiWire,
  secretKey,
  type Wire,
} from "../../support/provider-wires.ts";
import { inFolder, runSignoff } from "../../support/signoff-process.ts";

const bottles = "eco-friendly water bottles";
const environmentOf: { readonly [title: string]: (url: string) => Record<string, string> } = {
  Ollama: (url) => ({ OLLAMA_BASE_URL: url }),
  OpenAI: (url) => ({ OPENAI_BASE_URL: url, OPENAI_API_KEY: secretKey }),
  Anthropic: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: secretKey }),
};

const figures: readonly (readonly [wire: Wire, figure: unknown])[] = [
  [ollamaWire, 4e18],
  [ollamaWire, "20"],
  [openAiWire, 1.5],
  [openAiWire, { count: 20 }],
  [anthropicWire, -20],
  [anthropicWire, [20]],
];

async function draftWith(wire: Wire, figure: unknown, ...more: readonly string[]) {
  return inFolder(async (cwd) => {
    const reported = { input: figure as number, output: figure as number, cached: 0 };
    const server = await openModelServer({ wire, reported });
    const env = environmentOf[wire.title]?.(server.url) ?? {};
    const run = (...args: string[]) => runSignoff(args, { cwd, env });
    const drafted = await run("draft", bottles, "--model", wire.model, ...more);
    const after = [];
    for (const args of [["runs", "list"], ["runs", "stats"], ["doctor"], ["inbox"]]) {
      after.push((await run(...args)).code);
    }
    return { drafted, after, asked: server.asked.length };
  });
}

describe("a provider that reports impossible figures", () => {
  it.each(figures.map(([wire, figure]) => [wire.title, figure, wire] as const))(
    "%s, %j tokens: each reply is kept and asked for once",
    async (_, figure, wire) => {
      const { drafted, after, asked } = await draftWith(wire, figure);
      expect(drafted).toMatchObject({ code: 0, signal: null });
      expect(asked).toBe(4);
      expect(after).toEqual([0, 0, 0, 0]);
    },
  );

  it("is charged what was reserved, so a budget still ends the run", async () => {
    const { drafted, after } = await draftWith(ollamaWire, -20, "--budget", "3000tokens");
    expect(drafted.code).toBe(4);
    expect(drafted.stdout.replace(/\s+/gu, " ")).toContain("budget");
    expect(after.slice(0, 3)).toEqual([0, 0, 0]);
  });
});
