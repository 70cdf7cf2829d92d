import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { offerOllama } from "../../../src/cli/draft/offer-ollama.ts";
import type { CliContext } from "../../../src/cli/shell/cli-context.ts";
import { plainPalette } from "../../../src/cli/shell/palette.ts";
import type { Recipe } from "../../../src/domain/drafting/recipe.ts";
import { defined } from "../../../src/domain/values/defined.ts";
import { runDraft } from "../../../src/wiring/features/run-draft.ts";
import { createRunnerFor } from "../../../src/wiring/models/runners.ts";
import { systemClock } from "../../../src/wiring/project/system-clock.ts";
import { readEnvironment } from "../../../src/wiring/settings/environment.ts";
import { loadProjectSettings } from "../../../src/wiring/settings/settings.ts";
import { type Asked, openModelServer } from "../../support/model-servers.ts";
import { inFolder, runSignoff } from "../../support/signoff-process.ts";

const bottles = "eco-friendly water bottles";

/** What a command has around it, in this process. */
function terminal(cwd: string, isTerminal: boolean) {
  const written: string[] = [];
  const sink = { isTerminal, columns: () => 200, write: (text: string) => written.push(text) };
  const cli: CliContext = {
    screen: { out: sink, err: sink },
    environment: readEnvironment({ HOME: cwd }),
    cwd,
    debug: () => false,
    globals: () => ({}),
    layoutOf: () => ({ width: 200, palette: plainPalette }),
    end: () => undefined,
    onInterrupt: () => () => undefined,
  };
  return { cli, text: () => written.join("") };
}

describe("a reachable Ollama", () => {
  async function offered(isTerminal: boolean, env: NodeJS.ProcessEnv = {}) {
    return inFolder(async (root) => {
      const server = await openModelServer();
      const { cli, text } = terminal(root, isTerminal);
      const environment = readEnvironment(env);
      const {
        settings: found,
        redactor,
        guard,
      } = await loadProjectSettings({
        root,
        environment,
        flags: {},
      });
      const settings = { ...found, ollama: { baseUrl: server.url } };
      const access = { settings, redactor, environment, guard: guard.allow };
      const runnerFor = createRunnerFor({ root, clock: systemClock, access });
      await offerOllama(cli, { settings, writer: settings.models.writer.model, runnerFor });
      return { text: text(), asked: server.seen.map(({ path }) => path) };
    });
  }

  it("is offered after a draft by stand-ins, at a terminal", async () => {
    const { text, asked } = await offered(true);
    expect(text).toContain("--model ollama/mistral:latest");
    expect(asked).toEqual(["/api/tags"]);
  });

  it("is not asked without a terminal, or where a model was chosen", async () => {
    expect(await offered(false)).toEqual({ text: "", asked: [] });
    expect(await offered(true, { SIGNOFF_MODEL: "offline/rules" })).toEqual({
      text: "",
      asked: [],
    });
  });
});

describe("an approval of a prompt that was cut in silence", () => {
  /** The reviewed text alone takes more than half of the smallest context. */
  const long = "Bottles that last. ".repeat(480);
  const recipe: Recipe = {
    ...{ id: "page", title: "Page", format: "plain" as const, creatorReply: "plain" as const },
    ...{ approval: "phrase" as const, phrase: "SHIP IT", maxTurns: 1, maxCharacters: 100_000 },
    ...{ checks: [], stopRules: [], stopOnNeedsHuman: false },
    creator: { temperature: 0.7, maxTokens: 4_000 },
    reviewer: { temperature: 0.3, maxTokens: 100 },
    ...{ writerBrief: "Write the page.", reviewerBrief: "Judge the page." },
  };

  async function drafted(
    reviewer: (prompt: string) => { text: string; counted: number },
    contextTokens?: number,
  ) {
    return inFolder(async (directory) => {
      const { ollamaWire } = await import("../../support/provider-wires.ts");
      const server = await openModelServer({
        story: { writer: [long], reviewer: ["unused"] },
        ...defined({ contextTokens }),
        instead: ({ seen, isReview }, response) => {
          if (!isReview) return false;
          const { text, counted } = reviewer(seen.text);
          ollamaWire.send(response, { parts: [text], input: counted });
          return true;
        },
      });
      const models = { writer: "mistral" };
      const ask = { brief: bottles, recipe, directory, baseUrl: server.url, attempts: 1, models };
      return { session: await runDraft(ask), reviews: server.asked.filter((one) => one.isReview) };
    });
  }

  const roomsOf = (reviews: readonly Asked[]) =>
    reviews.map(({ seen }) => (seen.json as { options: { num_ctx: number } }).options.num_ctx);

  it("is void: asked once more with more room, and an error where the model has none", async () => {
    const { session, reviews } = await drafted(() => ({ text: "SHIP IT!", counted: 100 }), 6_000);
    expect(session.completionReason).toBe("error");
    expect(session.decision).toBeUndefined();
    expect(roomsOf(reviews)).toEqual([4_096, 6_000]);
  });

  it("stands at the second asking when the room is more than twice the prompt", async () => {
    const { session, reviews } = await drafted(() => ({ text: "SHIP IT!", counted: 100 }));
    expect(session.completionReason).toBe("approved");
    expect(roomsOf(reviews)).toEqual([4_096, 8_192]);
  });

  it("stands when the server counted the whole prompt", async () => {
    const { session } = await drafted(() => ({ text: "SHIP IT!", counted: 4_000 }));
    expect(session.completionReason).toBe("approved");
  });

  it("stands when the reply repeats both markers, which only the whole prompt holds", async () => {
    const { session, reviews } = await drafted((prompt) => {
      const markers = [...prompt.matchAll(/(?:First|Second) marker: ([0-9a-f]{20})/gu)];
      return { text: `SHIP IT!\n${markers.map((found) => found[1]).join(" ")}`, counted: 100 };
    });
    expect(session.completionReason).toBe("approved");
    expect(reviews).toHaveLength(1);
  });

  it("is not asked for where feedback is given: only an approval can be void", async () => {
    const { session, reviews } = await drafted(() => ({ text: "Too long.", counted: 100 }));
    expect(session.completionReason).toBe("max_turns");
    expect(reviews).toHaveLength(1);
  });
});

describe("models --prices", () => {
  it("shows each price with its day and source, the project's own first, and names old ones", async () => {
    await inFolder(async (cwd) => {
      const own =
        "{ model: openai/house, from: 2026-01-01, input: 1, output: 2, source: our contract }";
      await writeFile(join(cwd, "signoff.yaml"), `version: 1\nprices: [ ${own} ]\n`);
      const env = { SIGNOFF_FIXED_TIME: "2027-06-01T00:00:00.000Z" };
      const { stdout, code } = await runSignoff(["models", "--prices"], { cwd, env });
      expect(code).toBe(0);
      expect(stdout.split("\n")[1]).toMatch(/^openai\/house/u);
      expect(stdout).toContain("Source: our contract");
      expect(stdout).toMatch(/claude-sonnet-5-5 .*\(old\)/u);
    });
  });
});
