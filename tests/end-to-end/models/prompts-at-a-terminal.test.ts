import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { atTerminal, keys } from "../../support/at-terminal.ts";
import { openModelServer } from "../../support/model-servers.ts";
import { inFolder, runSignoff } from "../../support/signoff-process.ts";
import { sparePort } from "../../support/spare-port.ts";

describe("signoff init at a terminal", () => {
  const question = "Which model should write and review?";

  it("offers the models of an Ollama that answers, and writes the chosen one", async () => {
    const ollama = await openModelServer();
    await inFolder(async (cwd) => {
      const env = { OLLAMA_BASE_URL: ollama.url };
      const sitting = await atTerminal(["init"], { cwd, env }, [
        { seen: question, press: [keys.down, keys.enter] },
      ]);
      expect(sitting.code, sitting.screen).toBe(0);
      expect(sitting.screen).toContain("offline/rules");
      expect(readFileSync(join(cwd, "signoff.yaml"), "utf8")).toMatch(
        /^ {2}writer: ollama\/gemma2:2b$/mu,
      );
    });
  });

  it("that is left with Ctrl-C writes nothing", async () => {
    const ollama = await openModelServer();
    await inFolder(async (cwd) => {
      const env = { OLLAMA_BASE_URL: ollama.url };
      const sitting = await atTerminal(["init"], { cwd, env }, [
        { seen: question, press: [keys.interrupt] },
      ]);
      expect(sitting.code, sitting.screen).toBe(130);
      expect(existsSync(join(cwd, "signoff.yaml"))).toBe(false);
    });
  });

  it("asks nothing where no Ollama answers, and nothing without a terminal", async () => {
    await inFolder(async (cwd) => {
      const env = { OLLAMA_BASE_URL: `http://127.0.0.1:${await sparePort()}` };
      const sitting = await atTerminal(["init"], { cwd, env }, []);
      expect(sitting.code, sitting.screen).toBe(0);
      expect(sitting.screen).not.toContain(question);
    });
    const ollama = await openModelServer();
    await inFolder(async (cwd) => {
      const ended = await runSignoff(["init"], { cwd, env: { OLLAMA_BASE_URL: ollama.url } });
      expect(ended.code).toBe(0);
      expect(ended.stdout.replace(/\s+/gu, " ")).toContain("It names no model yet.");
      const advice = /signoff (config set models.writer \S+)/u.exec(ended.stderr)?.[1] ?? "";
      expect(await runSignoff(advice.split(" "), { cwd })).toMatchObject({ code: 0 });
      expect(readFileSync(join(cwd, "signoff.yaml"), "utf8")).toMatch(
        /^ {2}writer: ollama\/mistral:latest$/mu,
      );
    });
  });
});

describe("signoff trust at a terminal", () => {
  const yaml = "version: 1\ncommands: { lawyer: { argv: [lawyer, --strict] } }\n";

  async function asked(press: string) {
    return inFolder(async (cwd) => {
      await writeFile(join(cwd, "signoff.yaml"), yaml);
      const env = { XDG_CONFIG_HOME: join(cwd, "config-of-ada") };
      const sitting = await atTerminal(["trust"], { cwd, env }, [
        { seen: "Trust this?", press: [press] },
      ]);
      const again = await runSignoff(["trust", "--json"], { cwd, env });
      return { ...sitting, trusted: JSON.parse(again.stdout).trusted as boolean };
    });
  }

  it("shows what the settings would run and remembers a yes", async () => {
    const { code, screen, trusted } = await asked("y");
    expect(code, screen).toBe(0);
    expect(screen).toContain('commands.lawyer runs: ["lawyer","--strict"]');
    expect(trusted).toBe(true);
  });

  it.each([
    ["the enter key, because no is the answer that is offered", keys.enter],
    ["an n", "n"],
    ["Ctrl-C", keys.interrupt],
  ])("takes %s for a no", async (_, press) => {
    const { code, screen, trusted } = await asked(press);
    expect(code, screen).toBe(3);
    expect(screen).toContain("Not trusted.");
    expect(trusted).toBe(false);
  });
});
