import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runDraft } from "../../../src/wiring/features/run-draft.ts";
import { type Asked, openModelServer } from "../../support/model-servers.ts";
import { inFolder, runSignoff } from "../../support/signoff-process.ts";

const bottles = "eco-friendly water bottles";

interface Body {
  readonly model: string;
  readonly options: { readonly temperature: number; readonly num_predict: number };
}

function bodyOf({ seen }: Asked): Body {
  return seen.json as Body;
}

interface Given {
  readonly flag?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly dotEnv?: string;
  readonly yaml?: string;
}

/** Drafts against a loopback Ollama with these settings, and gives what reached it. */
async function reached(given: Given) {
  return inFolder(async (cwd) => {
    const server = await openModelServer({
      offers: ["mistral:latest", "a:1", "b:1", "c:1", "d:1"],
    });
    const url = { OLLAMA_BASE_URL: server.url };
    if (given.dotEnv !== undefined) await writeFile(join(cwd, ".env"), given.dotEnv);
    if (given.yaml !== undefined) await writeFile(join(cwd, "signoff.yaml"), given.yaml);
    const args = ["draft", bottles, "--json", ...(given.flag ?? [])];
    const { code, stdout, stderr } = await runSignoff(args, { cwd, env: { ...url, ...given.env } });
    expect(stderr).toBe("");
    const session = JSON.parse(stdout) as {
      readonly model_name: string;
      readonly max_turns: number;
    };
    return { code, session, asked: server.asked.map(bodyOf) };
  });
}

const weaker: readonly [Given, Given, Given, Given] = [
  { yaml: "version: 1\nmodels: { writer: ollama/d:1 }\ndrafting: { max_turns: 4 }\n" },
  {
    dotEnv:
      "OLLAMA_MODEL_NAME=c:1\nOLLAMA_TEMPERATURE=0.3\nOLLAMA_MAX_TOKENS=30\nOLLAMA_MAX_TURNS=3\n",
  },
  {
    env: {
      OLLAMA_MODEL_NAME: "b:1",
      OLLAMA_TEMPERATURE: "0.2",
      OLLAMA_MAX_TOKENS: "20",
      OLLAMA_MAX_TURNS: "2",
    },
  },
  {
    flag: ["--model", "a:1", "--temperature", "0.1", "--max-tokens", "10", "--max-turns", "6"],
  },
];

describe("a setting reaches the model", () => {
  it("by default: mistral, 0.7 and 0.3, 100 and 1000 tokens, 5 turns", async () => {
    const { code, session, asked } = await reached({});
    expect(code).toBe(0);
    expect(session).toMatchObject({ model_name: "ollama/mistral:latest", max_turns: 5 });
    expect(asked).toHaveLength(4);
    for (const body of asked) expect(body.model).toBe("mistral:latest");
    expect(asked.map(({ options }) => options.temperature)).toEqual([0.7, 0.3, 0.7, 0.3]);
    expect(asked.map(({ options }) => options.num_predict)).toEqual([100, 1000, 100, 1000]);
  });

  it.each([
    [1, { model: "d:1", temperature: 0.7, tokens: 100, turns: 4 }],
    [2, { model: "c:1", temperature: 0.3, tokens: 30, turns: 3 }],
    [3, { model: "b:1", temperature: 0.2, tokens: 20, turns: 2 }],
    [4, { model: "a:1", temperature: 0.1, tokens: 10, turns: 6 }],
  ] as const)("of %i places the strongest wins: %j", async (places, expected) => {
    const given: Given = Object.assign({}, ...weaker.slice(0, places));
    const { session, asked } = await reached(given);
    expect(session.model_name).toBe(`ollama/${expected.model}`);
    expect(session.max_turns).toBe(expected.turns);
    expect(asked[0]?.model).toBe(expected.model);
    expect(asked[0]?.options.temperature).toBe(expected.temperature);
    expect(asked[0]?.options.num_predict).toBe(expected.tokens);
    const isSet = places > 1;
    expect(asked[1]?.options.num_predict).toBe(isSet ? expected.tokens : 1000);
  });

  it("also as the address, with /v1 or without, from each place", async () => {
    await inFolder(async (cwd) => {
      const [file, dotEnv, env, flag] = await Promise.all(
        [1, 2, 3, 4].map(() => openModelServer()),
      );
      if (!file || !dotEnv || !env || !flag) throw new Error("no servers");
      const draft = async (
        more: readonly string[],
        variables: Readonly<Record<string, string>>,
      ) => {
        const args = ["draft", bottles, "--quiet", "--new", ...more];
        expect(await runSignoff(args, { cwd, env: variables })).toMatchObject({ code: 0 });
      };
      await writeFile(
        join(cwd, "signoff.yaml"),
        `version: 1\nproviders: { ollama: { base_url: ${file.url} } }\n`,
      );
      await draft([], {});
      expect(file.asked).toHaveLength(4);
      await writeFile(join(cwd, ".env"), `OLLAMA_BASE_URL=${dotEnv.url}/\n`);
      await draft([], {});
      expect(dotEnv.asked).toHaveLength(4);
      await draft([], { OLLAMA_BASE_URL: `${env.url}/v1` });
      expect(env.asked).toHaveLength(4);
      await draft(["--base-url", flag.url], { OLLAMA_BASE_URL: env.url });
      expect(flag.asked).toHaveLength(4);
      expect([file, dotEnv, env].map(({ asked }) => asked.length)).toEqual([4, 4, 4]);
    });
  });

  it.each([
    ["OLLAMA_REQUEST_TIMEOUT", { OLLAMA_REQUEST_TIMEOUT: "1" }, []],
    ["its alias", { OLLAMA_TIMEOUT: "1" }, []],
    ["the flag", { OLLAMA_REQUEST_TIMEOUT: "600" }, ["--timeout", "1"]],
  ])("as a time-out: %s ends a call that hangs", async (_, env, flag) => {
    await inFolder(async (cwd) => {
      const { url } = await openModelServer({ instead: () => true });
      const args = ["draft", bottles, "--retries", "1", "--json", ...flag];
      const ended = await runSignoff(args, { cwd, env: { OLLAMA_BASE_URL: url, ...env } });
      expect(ended.code).toBe(5);
      expect(ended.stderr).toMatch(/sent nothing for\s+1\s+s\./u);
      expect(JSON.parse(ended.stdout)).toMatchObject({ completion_reason: "error" });
    });
  });

  it("for each role its own, and a reviewer's model of its own", async () => {
    const { asked } = await reached({ flag: ["--model", "a:1", "--reviewer-model", "b:1"] });
    expect(asked.map(({ model }) => model)).toEqual(["a:1", "b:1", "a:1", "b:1"]);
  });

  it("and never another run: two at once in one process and one project", async () => {
    await inFolder(async (directory) => {
      const servers = await Promise.all(
        [1, 2].map(() => openModelServer({ offers: ["a:1", "b:1"] })),
      );
      const drafts = servers.map(({ url: baseUrl }, at) =>
        runDraft({
          ...{ brief: bottles, directory, baseUrl, temperature: at, maxTurns: at + 2, fresh: true },
          models: { writer: at === 0 ? "a:1" : "b:1" },
        }),
      );
      const sessions = await Promise.all(drafts);
      expect(sessions.map(({ maxTurns }) => maxTurns)).toEqual([2, 3]);
      for (const [at, { asked }] of servers.entries()) {
        expect(asked).toHaveLength(4);
        for (const { model, options } of asked.map(bodyOf)) {
          expect(model).toBe(at === 0 ? "a:1" : "b:1");
          expect(options.temperature).toBe(at);
        }
      }
    });
  });

  it("and is refused before anything is asked when it is wrong, all of it at once", async () => {
    await inFolder(async (cwd) => {
      const server = await openModelServer();
      const wrong = [
        "--temperature",
        "2.1",
        "--max-turns",
        "0",
        "--candidates",
        "x",
        "--seed",
        "-1",
      ];
      const env = { OLLAMA_BASE_URL: server.url, OLLAMA_MAX_TOKENS: "32001" };
      const ended = await runSignoff(["draft", " ", ...wrong], { cwd, env });
      expect(ended).toMatchObject({ code: 2, stdout: "" });
      const said = ended.stderr.replace(/\s+/gu, " ");
      for (const name of ["--temperature", "--max-turns", "OLLAMA_MAX_TOKENS", "brief", "seed"]) {
        expect(said).toContain(name);
      }
      expect(said).toContain('candidates is "x"');
      expect(server.seen).toEqual([]);
    });
  });
});
