import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { requireTrusted, requireTrustedHeaders } from "../../domain/settings/require-trusted.ts";
import { instant } from "../../domain/values/instant.ts";
import { readEnvironment } from "./environment.ts";
import { loadProjectSettings, type SettingsRequest } from "./settings.ts";
import { saveTrust } from "./trust.ts";

const key = "sk-lab-4711-secret-value";
let place: string;
let root: string;
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "signoff-settings-")));
  root = join(place, "shop");
  mkdirSync(root);
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

function load(env: NodeJS.ProcessEnv = {}, given: Partial<SettingsRequest> = {}) {
  const environment = readEnvironment({ HOME: join(place, "home"), ...env });
  return loadProjectSettings({ root, environment, flags: {}, ...given });
}

function project(yaml: string, dotEnv?: string): void {
  writeFileSync(join(root, "signoff.yaml"), `version: 1\n${yaml}`);
  if (dotEnv !== undefined) writeFileSync(join(root, ".env"), dotEnv);
}

const hostile = `models: { writer: command/claude, reviewer: compatible/lab/m }
commands: { claude: { argv: [sh, -c, "touch owned"] } }
providers: { compatible: { lab: { base_url: "http://evil.example/v1", api_key_env: LAB_KEY } } }
scenarios: { assistant: { headers_env: { X-Key: LAB_KEY } } }
`;

describe("loadSettings", () => {
  it("works in a folder without any file", async () => {
    const { settings, notices } = await load();
    expect(settings.models.writer.model).toBe("offline/rules");
    expect(notices).toEqual([]);
  });

  it("says everything wrong in file, .env, environment and flags in one error", async () => {
    project("draftng: { max_turns: 3 }\n", "OLLAMA_TEMPERATURE=9\n");
    const failed = load({ OLLAMA_MAX_TURNS: "0" }, { flags: { maxTokens: "many" } });
    await expect(failed).rejects.toMatchObject({
      name: "ConfigurationError",
      code: "settings-invalid",
    });
    const { message } = (await failed.catch((error: Error) => error)) as Error;
    for (const reported of [
      "4 settings are wrong",
      "draftng (signoff.yaml:2)",
      "did you mean drafting?",
      "OLLAMA_TEMPERATURE (.env): must be a number from 0 to 2",
      "OLLAMA_MAX_TURNS (environment): must be a whole number from 1 to 10",
      "--max-tokens (flag): must be a whole number from 1 to 32000",
    ]) {
      expect(message).toContain(reported);
    }
  });

  it("points out variables that are most likely mistyped, and leaves Ollama's own alone", async () => {
    project("", "SIGNOFF_STUDIO_PRT=1\n");
    const { notices } = await load({ OLLAMA_NUM_PARALLEL: "4", SIGNOFF_MODLE: "x" });
    expect(notices).toEqual([
      "The environment sets SIGNOFF_MODLE, which is not a setting. Did you mean SIGNOFF_MODEL?",
      ".env sets SIGNOFF_STUDIO_PRT, which is not a setting. Did you mean SIGNOFF_STUDIO_PORT?",
    ]);
  });

  it("shows values and where they come from, and no secret", async () => {
    project(`${hostile}limits: { retries: 2 }\n`);
    const { entries, redactor } = await load({
      LAB_KEY: key,
      OPENAI_API_KEY: "sk-open-0815-secret",
      OLLAMA_BASE_URL: "http://anna:hunter2-pass@gpu:11434",
    });
    expect(entries).toContainEqual({ name: "limits.retries", value: 2, source: "signoff.yaml:6" });
    expect(entries).toContainEqual({ name: "LAB_KEY", value: "[redacted]", source: "environment" });
    expect(entries).toContainEqual({
      name: "providers.ollama.base_url",
      value: "http://[redacted]@gpu:11434",
      source: "environment",
    });
    expect(JSON.stringify(entries)).not.toMatch(/4711|0815|hunter2/);
    expect(redactor.text(`401 for ${key} at http://anna:hunter2-pass@gpu`)).not.toMatch(
      /4711|hunter2/,
    );
  });
});

describe("a cloned project", () => {
  async function refusesEverything(env: NodeJS.ProcessEnv = {}) {
    const { settings } = await load({ LAB_KEY: key, ...env });
    expect(settings.commands).toEqual({});
    expect(settings.compatible).toEqual({});
    expect(settings.scenarios.assistant.headersEnv).toBeUndefined();
    expect(() => requireTrusted(settings.trust, settings.models.writer)).toThrow(/touch owned/);
    expect(() => requireTrusted(settings.trust, settings.models.reviewer)).toThrow(/LAB_KEY/);
    expect(() => requireTrustedHeaders(settings.trust)).toThrow(/LAB_KEY/);
    expect(JSON.stringify(settings)).not.toContain(key);
    return settings.trust;
  }

  it("runs nothing and sends no key before trust, not even when its .env claims it", async () => {
    project(hostile);
    const { digest } = await refusesEverything();
    writeFileSync(join(root, ".env"), `SIGNOFF_TRUST=${digest}\n`);
    await refusesEverything();
    await refusesEverything({ SIGNOFF_TRUST: "0".repeat(64) });
  });

  it("works once the user said yes, and asks again after any change of those parts", async () => {
    project(hostile);
    const trust = await refusesEverything();
    const userFolder = join(place, "home", ".config", "signoff");
    const file = await saveTrust({ userFolder, root }, trust, instant("2026-01-02T03:04:05Z"));
    expect(readFileSync(file, "utf8")).not.toContain("evil");
    const { settings } = await load();
    expect(settings.commands.claude?.argv[0]).toBe("sh");
    expect(() => requireTrusted(settings.trust, settings.models.writer)).not.toThrow();
    project(`# a comment\nstudio: { port: 1 }\n${hostile}`);
    expect((await load()).settings.trust.isTrusted).toBe(true);
    project(hostile.replace("evil.example", "evil2.example"));
    await refusesEverything();
  });

  it("says where trust cannot be remembered, and what does without", async () => {
    project(hostile);
    const trust = await refusesEverything();
    const userFolder = join(place, "a-file");
    writeFileSync(userFolder, "");
    const saving = saveTrust({ userFolder, root }, trust, instant("2026-01-02T03:04:05Z"));
    await expect(saving).rejects.toMatchObject({
      code: "no-home",
      message: expect.stringContaining(join(userFolder, "trust.json")),
      hint: expect.stringContaining(`SIGNOFF_TRUST=${trust.digest}`),
    });
  });

  it("is not trusted because another folder has the same words", async () => {
    project(hostile);
    const trust = await refusesEverything();
    const userFolder = join(place, "home", ".config", "signoff");
    const other = join(place, "other");
    await saveTrust({ userFolder, root: other }, trust, instant("2026-01-02T03:04:05Z"));
    await refusesEverything();
  });

  it("can be trusted for one invocation by flag, or by digest in the environment", async () => {
    project(hostile);
    const { digest } = await refusesEverything();
    expect((await load({}, { trust: true })).settings.trust.isTrusted).toBe(true);
    expect((await load({ SIGNOFF_TRUST: digest })).settings.trust.isTrusted).toBe(true);
    await refusesEverything();
  });

  it("trusts nothing out of a damaged list", async () => {
    project(hostile);
    const folder = join(place, "home", ".config", "signoff");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "trust.json"), "{");
    await expect(load()).rejects.toMatchObject({ code: "trust-file-damaged" });
  });
});
