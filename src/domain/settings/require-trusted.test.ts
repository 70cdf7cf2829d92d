import { describe, expect, it } from "vitest";
import type { ProjectConfig } from "./project-config.ts";
import { requireTrusted, requireTrustedHeaders, type Trust } from "./require-trusted.ts";
import { trustText, untrustedParts } from "./trust-parts.ts";

const shop: ProjectConfig = {
  version: 1,
  models: { writer: "command/claude", aliases: { fast: "command/quick" } },
  providers: {
    compatible: {
      lab: { baseUrl: "http://lab:8000/v1", apiKeyEnv: "LAB_KEY" },
      desk: { baseUrl: "http://localhost:1234/v1" },
    },
  },
  commands: { claude: { argv: ["./claude.sh"] } },
  scenarios: {
    assistant: { headersEnv: { "X-Shop": "SHOP_TOKEN" } },
    analysts: { legal: { model: "openai/gpt-5" }, money: { criteria: "Amounts." } },
  },
};

function trustIn(config: ProjectConfig, isTrusted: boolean): Trust {
  return { parts: untrustedParts(config), digest: "d1", isTrusted };
}

const user = (model: string) => ({ model, isFromProject: false });
const project = (model: string) => ({ model, isFromProject: true });

describe("untrustedParts", () => {
  it("lists programs, addresses with keys, headers and settings that choose a program", () => {
    expect(untrustedParts(shop).map(({ kind, setting }) => `${kind} ${setting}`)).toEqual([
      "command commands.claude",
      "key providers.compatible.lab",
      "header scenarios.assistant.headers_env.X-Shop",
      "chosen-model models.writer",
      "chosen-model models.aliases.fast",
      "chosen-model scenarios.analysts.legal",
    ]);
    expect(untrustedParts({ version: 1, models: { writer: "ollama/mistral" } })).toEqual([]);
  });

  it("lists the coder of stages", () => {
    const coded: ProjectConfig = { version: 1, stages: { coder: "command/codex" } };
    expect(untrustedParts(coded)).toMatchObject([
      { kind: "chosen-model", setting: "stages.coder", model: "command/codex" },
    ]);
    expect(untrustedParts({ version: 1, stages: {} })).toEqual([]);
  });

  it("has the same text for the same parts in any order, and another for any other part", () => {
    const parts = untrustedParts(shop);
    expect(trustText(parts.toReversed())).toBe(trustText(parts));
    const changes: readonly ProjectConfig[] = [
      { ...shop, commands: { claude: { argv: ["./claude.sh", "--write"] } } },
      {
        ...shop,
        providers: { compatible: { lab: { baseUrl: "http://evil/v1", apiKeyEnv: "LAB_KEY" } } },
      },
      {
        ...shop,
        providers: { compatible: { lab: { baseUrl: "http://lab:8000/v1", apiKeyEnv: "AWS_KEY" } } },
      },
      {
        ...shop,
        scenarios: {
          assistant: { baseUrl: "http://evil", headersEnv: { "X-Shop": "SHOP_TOKEN" } },
        },
      },
      { ...shop, models: { writer: "command/other" } },
    ];
    const texts = changes.map((config) => trustText(untrustedParts(config)));
    expect(new Set([...texts, trustText(parts)]).size).toBe(changes.length + 1);
  });

  it("asks nothing anew for a change that runs nothing and sends nothing", () => {
    const longer = {
      ...shop,
      drafting: { maxTurns: 9 },
      models: { ...shop.models, judge: "ollama/x" },
    };
    expect(trustText(untrustedParts(longer))).toBe(trustText(untrustedParts(shop)));
  });
});

describe("requireTrusted", () => {
  it("lets a project spend on the user's account only when trusted, and the user always", () => {
    const config: ProjectConfig = { version: 1, models: { writer: "openai/gpt-x" } };
    expect(() => requireTrusted(trustIn(config, false), project("openai/gpt-x"))).toThrow(
      "models.writer spends on your account",
    );
    requireTrusted(trustIn(config, false), user("openai/gpt-x"));
    requireTrusted(trustIn(config, true), project("openai/gpt-x"));
  });

  it("refuses programs and keyed servers of an untrusted project, whoever chose the model", () => {
    const trust = trustIn(shop, false);
    for (const use of [
      user("command/claude"),
      project("command/claude"),
      user("compatible/lab/m"),
    ]) {
      expect(() => requireTrusted(trust, use)).toThrow(/not trusted yet/);
      expect(() => requireTrusted({ ...trust, isTrusted: true }, use)).not.toThrow();
    }
    expect(() => requireTrustedHeaders(trust)).toThrow(/SHOP_TOKEN/);
  });

  it("lets the user run a program of her own choice that the project only names", () => {
    const naming: ProjectConfig = { version: 1, models: { writer: "command/codex" } };
    expect(() => requireTrusted(trustIn(naming, false), user("command/codex"))).not.toThrow();
    expect(() => requireTrusted(trustIn(naming, false), project("command/codex"))).toThrow(/codex/);
  });

  it("lets models through that run nothing and need no key", () => {
    const trust = trustIn(shop, false);
    for (const model of ["offline/rules", "ollama/mistral:latest", "compatible/desk/m"]) {
      expect(() => requireTrusted(trust, project(model))).not.toThrow();
    }
  });

  it("refuses a program that a recipe names and the trusted settings do not", () => {
    const trust = trustIn(shop, true);
    expect(() => requireTrusted(trust, project("command/wipe"))).toThrow(/command\/wipe/);
    expect(() => requireTrusted(trust, project("command/claude"))).not.toThrow();
  });
});
