import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { StageManifest } from "../../domain/stages/stage-manifest.ts";
import type { Stage } from "../../orchestration/stages/stage.ts";
import { readEnvironment } from "../settings/environment.ts";
import { loadProjectSettings } from "../settings/settings.ts";
import { analystOf } from "./open-stage.ts";
import { coderOf, requireTrustedCoder } from "./stages.ts";

const environment = readEnvironment({});

async function settingsOf(yaml: string, trust = true) {
  const root = await mkdtemp(join(tmpdir(), "signoff-coder-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await writeFile(join(root, "signoff.yaml"), `version: 1\n${yaml}`);
  return (await loadProjectSettings({ root, environment, flags: {}, trust })).settings;
}

const stageWith = (manifest: Partial<StageManifest>) => ({ manifest }) as Stage;
const fixer = "commands: { fixer: { argv: [node, fix.mjs], seconds: 60 } }\n";

describe("the coder of a stage", () => {
  it("is the one of the command line, else of the manifest, else of the settings", async () => {
    const settings = await settingsOf(`${fixer}stages: { coder: command/fixer }\n`);
    const argvOf = (manifest: Partial<StageManifest>, given?: readonly string[]) =>
      coderOf(stageWith(manifest), settings, given === undefined ? {} : { given }).argv;
    expect(argvOf({})).toEqual(["node", "fix.mjs"]);
    expect(argvOf({ coder: ["sh", "fix.sh"] })).toEqual(["sh", "fix.sh"]);
    expect(argvOf({ coder: "claude" })[0]).toBe("claude");
    expect(argvOf({ coder: "claude" }, ["command/fixer"])).toEqual(["node", "fix.mjs"]);
    expect(coderOf(stageWith({}), settings, {}).timeoutMs).toBe(60_000);
    expect(() => argvOf({ coder: "fixr" })).toThrow(/no coder "fixr"/);
  });

  it("of a project is started only when its settings are trusted and hold the same words", async () => {
    const start = (
      settings: Awaited<ReturnType<typeof settingsOf>>,
      manifest: Partial<StageManifest>,
    ) => {
      const stage = stageWith(manifest);
      const coder = coderOf(stage, settings, {});
      requireTrustedCoder(coder, {
        ...{ stage, settings, isOwnChoice: false, byFlag: false, environment, trusted: [] },
      });
      return coder.argv[0];
    };
    const trusted = await settingsOf(`${fixer}stages: { coder: command/claude }\n`);
    expect(start(trusted, { coder: ["node", "fix.mjs"] })).toBe("node");
    expect(start(trusted, { coder: "fixer" })).toBe("node");
    expect(start(trusted, { coder: "claude" })).toBe("claude");
    expect(start(trusted, {})).toBe("claude");
    expect(() => start(trusted, { coder: ["sh", "-c", "evil"] })).toThrow(/evil/);
    expect(() => start(trusted, { coder: "codex" })).toThrow(/codex/);
    const cloned = await settingsOf(`${fixer}stages: { coder: command/claude }\n`, false);
    expect(() => start(cloned, {})).toThrow(/not trusted yet/);
    expect(() => start(cloned, { coder: "fixer" })).toThrow(/not trusted yet/);
  });
});

describe("the analyst of a stage", () => {
  it("is the one of its manifest, by its full name, else the one of the settings", async () => {
    const settings = await settingsOf("models: { analyst: gemma2:2b, aliases: { fast: phi4 } }\n");
    expect(analystOf(stageWith({}), settings)).toBe("ollama/gemma2:2b");
    expect(analystOf(stageWith({ analyst: "fast" }), settings)).toBe("ollama/phi4:latest");
  });
});
