import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadDotEnv, parseDotEnv } from "./dot-env.ts";

describe("parseDotEnv", () => {
  it("sets settings of Ollama and Signoff and says which others it ignores, without their values", () => {
    const { variables, notices } = parseDotEnv(
      "\ufeffOLLAMA_MODEL_NAME=mistral # small\nexport SIGNOFF_STUDIO_PORT='4401'\nOPENAI_API_KEY=sk-shop-4711\nPATH=/evil\n",
    );
    expect(variables).toEqual({ OLLAMA_MODEL_NAME: "mistral", SIGNOFF_STUDIO_PORT: "4401" });
    expect(notices).toEqual([
      ".env may set only OLLAMA_… and SIGNOFF_… settings; ignored: OPENAI_API_KEY, PATH.",
    ]);
  });

  it("never decides about trust, the user's name or where a trusted header goes", () => {
    const names = [
      "SIGNOFF_TRUST",
      "SIGNOFF_USER",
      "SIGNOFF_SCENARIOS_ASSISTANT_BASE_URL",
      "SIGNOFF_CRASH_LOG",
      "SIGNOFF_STOP_AT",
      "SIGNOFF_FIXED_TIME",
    ];
    const { variables, notices } = parseDotEnv(names.map((name) => `${name}=x`).join("\n"));
    expect(variables).toEqual({});
    for (const name of names) expect(notices[0]).toContain(name);
  });
});

describe("loadDotEnv", () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "signoff-env-"));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it("says nothing when there is no file, or a folder of that name", async () => {
    expect(await loadDotEnv(root)).toEqual({ variables: {}, notices: [] });
    mkdirSync(join(root, ".env"));
    expect(await loadDotEnv(root)).toEqual({ variables: {}, notices: [] });
  });

  it("does not read a file of any size", async () => {
    writeFileSync(join(root, ".env"), "#".repeat(1_048_577));
    await expect(loadDotEnv(root)).rejects.toMatchObject({ code: "file-too-large" });
  });
});
