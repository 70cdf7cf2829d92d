import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startDemoAssistant } from "../../../src/adapters/assistant/demo/demo-assistant.ts";
import { type ModelServer, openModelServer } from "../../support/model-servers.ts";
import { NotesRepository } from "../../support/notes-repository.ts";
import {
  anthropicWire,
  compatibleWire,
  ollamaWire,
  openAiWire,
  secretKey,
  type Wire,
} from "../../support/provider-wires.ts";
import { perfectVerdict as perfectWithWords } from "../../support/shop-stories.ts";
import { inFolder, runSignoff } from "../../support/signoff-process.ts";
import { smallProgram } from "../../support/small-programs.ts";

/** Nothing but the acceptance, so that it is a signature. */
const perfectVerdict = { ...perfectWithWords, summary: "" };

interface Way {
  readonly wire: Wire;
  readonly env: (url: string) => Readonly<Record<string, string>>;
  readonly yaml: (url: string) => string;
}

const ways: readonly Way[] = [
  {
    wire: ollamaWire,
    env: () => ({}),
    yaml: (url) => `providers: { ollama: { base_url: "${url}" } }`,
  },
  {
    wire: openAiWire,
    env: (url) => ({ OPENAI_BASE_URL: url, OPENAI_API_KEY: secretKey }),
    yaml: () => "",
  },
  {
    wire: anthropicWire,
    env: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: secretKey }),
    yaml: () => "",
  },
  {
    wire: compatibleWire,
    env: () => ({ LAB_KEY: secretKey }),
    yaml: (url) =>
      `providers: { compatible: { lab: { base_url: "${url}/v1", api_key_env: LAB_KEY } } }`,
  },
];

/** The example pack against the demo assistant, in a project with these settings. */
async function inShop<T>(
  yaml: string,
  story: (shop: {
    readonly cwd: string;
    readonly questions: readonly unknown[];
    loop(
      env: Readonly<Record<string, string>>,
      ...more: readonly string[]
    ): ReturnType<typeof runSignoff>;
  }) => Promise<T>,
): Promise<T> {
  return inFolder(async (cwd) => {
    const shop = await startDemoAssistant({ defects: [] });
    await cp("examples/scenario-pack", join(cwd, "pack"), { recursive: true });
    await writeFile(join(cwd, "signoff.yaml"), `version: 1\n${yaml}\n`);
    const pack = ["--manifest", "pack/pack.yaml"];
    try {
      return await story({
        cwd,
        questions: shop.questions,
        loop: (env, ...more) =>
          runSignoff(["pack", "loop", ...pack, "--assistant-url", shop.url, "--json", ...more], {
            cwd,
            env,
          }),
      });
    } finally {
      await shop.close();
    }
  });
}

function analystSays(wire: Wire, ...verdicts: readonly object[]): Promise<ModelServer> {
  const writer = verdicts.map((verdict) => JSON.stringify(verdict));
  return openModelServer({ wire, story: { writer, reviewer: [] } });
}

describe.each(ways)("an analyst at $wire.title", ({ wire, env, yaml }) => {
  it("judges a pack, and its word is kept with its name", async () => {
    const server = await analystSays(wire, perfectVerdict);
    const settings = `models: { analyst: ${wire.model} }\n${yaml(server.url)}`;
    await inShop(settings, async ({ loop, questions }) => {
      const ended = await loop(env(server.url), "--trust");
      expect(ended.code, ended.stderr).toBe(0);
      expect(questions.length).toBeGreaterThan(0);
      expect(server.asked).toHaveLength(1);
      expect(server.asked[0]?.seen.text).toContain("quality_score");
      expect(JSON.parse(ended.stdout)).toMatchObject({
        accepted: true,
        analyst: { model: wire.model, stand_in: false },
      });
    });
  });
});

describe("an analyst", () => {
  it("of the command line goes before the one of the settings", async () => {
    const server = await analystSays(ollamaWire, { ...perfectVerdict, quality_score: 12 });
    await inShop("models: { analyst: offline/rules }", async ({ loop }) => {
      const ended = await loop({ OLLAMA_BASE_URL: server.url }, "--analyst", "mistral");
      expect(ended.code, ended.stderr).toBe(3);
      expect(server.asked).toHaveLength(1);
    });
  });

  it("that its server does not have is named before the first question is asked", async () => {
    const server = await analystSays(ollamaWire, perfectVerdict);
    await inShop("models: { analyst: llama9 }", async ({ loop, questions }) => {
      const ended = await loop({ OLLAMA_BASE_URL: server.url });
      expect(ended.code).toBe(2);
      expect(ended.stderr).toContain("ollama/llama9:latest");
      expect(ended.stderr).toContain("mistral:latest");
      expect(questions).toHaveLength(0);
    });
  });

  it("that is a program of the project judges once the project is trusted, and never before", async () => {
    const verdict = JSON.stringify(perfectVerdict);
    const program = await smallProgram(`cat > /dev/null\necho '${verdict}'`);
    const yaml = `models: { analyst: command/lawyer }\ncommands: { lawyer: { argv: ["${program}"] } }`;
    await inShop(yaml, async ({ cwd, loop, questions }) => {
      const env = { PATH: "/usr/bin:/bin", XDG_CONFIG_HOME: join(cwd, "config-of-ada") };
      const before = await loop(env);
      expect(before.code).toBe(2);
      expect(before.stderr).toContain("signoff trust");
      expect(questions).toHaveLength(0);
      expect((await runSignoff(["trust", "--yes"], { cwd, env })).code).toBe(0);
      const after = await loop(env);
      expect(after.code, after.stderr).toBe(0);
    });
  });
});

describe("headers from the environment", () => {
  const settings = (url: string) =>
    `version: 1\nscenarios: { assistant: { base_url: "${url}", headers_env: { x-shop-key: SHOP_KEY } } }\n`;

  it("leave for the assistant of a cloned project after `signoff trust`, and for that address alone", async () => {
    await inFolder(async (cwd) => {
      const assistant = await openModelServer({
        wire: { ...ollamaWire, askPath: "/api/assistant/message" },
        instead: (_, response) => {
          response.end(JSON.stringify({ session_id: "s-1", assistant_reply: "5 pieces." }));
          return true;
        },
      });
      const env = { SHOP_KEY: secretKey, XDG_CONFIG_HOME: join(cwd, "config-of-ada") };
      const ask = (...more: readonly string[]) =>
        runSignoff(["case", "run", "How many desks?", "-q", "--new", ...more], { cwd, env });
      const sent = () => assistant.asked.map(({ seen }) => seen.headers["x-shop-key"]);
      await writeFile(join(cwd, "signoff.yaml"), settings(assistant.url));

      const untrusted = await ask();
      expect(untrusted.code).toBe(2);
      expect(untrusted.stderr).toContain("SHOP_KEY");
      expect(assistant.seen).toHaveLength(0);

      expect((await runSignoff(["trust", "--yes"], { cwd, env })).code).toBe(0);
      expect((await ask()).code).toBe(0);
      expect(sent()).toEqual([secretKey]);

      const elsewhere = await openModelServer();
      await writeFile(join(cwd, "signoff.yaml"), settings(elsewhere.url));
      expect((await ask()).code).toBe(2);
      expect(elsewhere.seen).toHaveLength(0);

      expect((await ask("--assistant-url", assistant.url, "--trust")).code).toBe(0);
      expect(sent()).toEqual([secretKey, secretKey]);
    });
  });
});

describe("a judge", () => {
  it("that Ollama serves reviews the notes, and the lock bears its name", async () => {
    const kb = new NotesRepository();
    try {
      kb.note("salt", "Salt is on the left.");
      kb.gate("prose/plain", "Is it plain?");
      kb.commit();
      const server = await openModelServer({
        instead: ({ seen }, response) => {
          const nonce = /=== GATE REVIEW START (\S+): /.exec(String(seen.text))?.[1] ?? "";
          const reply = [
            `=== GATE REVIEW START ${nonce}: prose/plain ===`,
            "### Summary\nIt is plain.\n### Findings\nNone.\n## Result: PASS",
            `=== GATE REVIEW END ${nonce}: prose/plain ===`,
          ];
          ollamaWire.send(response, { parts: [reply.join("\n")] });
          return true;
        },
      });
      kb.write(
        "signoff.yaml",
        `version: 1\nmodels: { judge: mistral }\nproviders: { ollama: { base_url: "${server.url}" } }\n`,
      );
      const notes = (...args: readonly string[]) =>
        runSignoff(["notes", ...args], { cwd: kb.root, env: { PATH: "/usr/bin:/bin" } });
      const reviewed = await notes("review");
      expect(reviewed.code, reviewed.stderr).toBe(0);
      expect(server.asked).toHaveLength(1);
      expect(kb.read("signoff.lock")).toMatch(
        /^notes\/salt\.md\tprose\/plain\tollama-mistral\t.*\tpass\t/mu,
      );
      expect((await notes("status")).code).toBe(0);
      expect((await notes("check")).code).toBe(0);
    } finally {
      kb.remove();
    }
  });
});
