import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { forgedLines, type Lair, openLair, secret, textsBelow } from "./bait.ts";
import { forgeLines } from "./forge-lines.ts";
import { leaveFolder } from "./leave-folder.ts";
import { sendSecrets } from "./send-secrets.ts";
import { startPrograms } from "./start-programs.ts";

const attacks = [...startPrograms, ...sendSecrets, ...leaveFolder, ...forgeLines];

let lair: Lair;
beforeAll(async () => {
  lair = await openLair();
});
afterAll(() => lair.close());

describe("a planted project", () => {
  it.each(attacks)("cannot use $by for: $tries", async ({ act }) => {
    const bait = lair.open();
    const ended = await act(bait);
    const printed = ended.map(({ stdout, stderr }) => `${stdout}\n${stderr}`).join("\n");
    const lock = join(bait.project, "signoff.lock");
    const kept = [
      textsBelow(join(bait.project, "artifacts")),
      existsSync(lock) ? readFileSync(lock, "utf8") : "",
    ];
    expect(bait.damage()).toEqual([]);
    expect(printed).not.toMatch(/bug in signoff|unknown (?:option|command)/u);
    expect(`${printed}${kept.join("\n")}`).not.toContain(secret);
    expect(forgedLines([printed, ...kept].join("\n"))).toEqual([]);
  });

  it("is more than sixty attacks", () => {
    expect(attacks.length).toBeGreaterThanOrEqual(60);
  });
});

describe("the same project, once its owner says so,", () => {
  it("starts the program, sends the key and writes outside, so the traps work", async () => {
    const bait = lair.open();
    await bait.run("draft", "water bottles", "--model", "command/claude");
    expect(bait.damage()).toEqual(["a program was started"]);
    const other = lair.open();
    const server = `providers: { compatible: { lab: { base_url: "${other.thief}/v1", api_key_env: LAB_KEY } } }`;
    other.write(
      "signoff.yaml",
      `version: 1\n${server}\nmodels: { writer: compatible/lab/x, reviewer: compatible/lab/x }\nlimits: { retries: 1 }\n`,
    );
    await other.run("--trust", "draft", "water bottles");
    expect(other.damage()).toEqual(["the secret was sent"]);
    const third = lair.open();
    await third.run("--log-file", "../outside/log", "draft", "water bottles");
    expect(third.damage()).toEqual(["a file outside: log"]);
  });
});
