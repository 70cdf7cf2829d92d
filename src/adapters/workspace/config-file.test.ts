import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { configPath, readSmallFile, saveConfigValue } from "./config-file.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "signoff-config-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const shop = "# the shop\nversion: 1\ndrafting: { max_turns: 5 } # enough\n";

describe("saveConfigValue", () => {
  it("changes the one value, keeps comments and rights, and leaves nothing else behind", async () => {
    writeFileSync(configPath(root), shop);
    chmodSync(configPath(root), 0o600);
    const saved = await saveConfigValue({ root, key: "drafting.max_turns", value: "7" });
    expect(saved).toEqual({ path: configPath(root), value: 7 });
    expect(readFileSync(configPath(root), "utf8")).toBe(shop.replace("5", "7"));
    expect(statSync(configPath(root)).mode & 0o777).toBe(0o600);
    expect(readdirSync(root)).toEqual(["signoff.yaml"]);
  });

  it("leaves the file as it is when the value is wrong", async () => {
    writeFileSync(configPath(root), shop);
    await expect(saveConfigValue({ root, key: "drafting.max_turns", value: "70" })).rejects.toThrow(
      "Nothing was changed: drafting.max_turns must be a whole number from 1 to 10",
    );
    await expect(
      saveConfigValue({ root, key: "drafting.turns", value: "7" }),
    ).rejects.toMatchObject({
      code: "setting-refused",
    });
    expect(readFileSync(configPath(root), "utf8")).toBe(shop);
  });

  it("makes the file when there is none", async () => {
    await saveConfigValue({ root, key: "models.writer", value: "mistral" });
    expect(readFileSync(configPath(root), "utf8")).toBe("version: 1\nmodels:\n  writer: mistral\n");
  });

  it("writes through a link instead of replacing it", async () => {
    mkdirSync(join(root, "real"));
    writeFileSync(join(root, "real", "shop.yaml"), shop);
    symlinkSync(join("real", "shop.yaml"), configPath(root));
    await saveConfigValue({ root, key: "drafting.max_turns", value: "7" });
    expect(lstatSync(configPath(root)).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(root, "real", "shop.yaml"), "utf8")).toContain("max_turns: 7");
  });
});

describe("readSmallFile", () => {
  it("distinguishes a missing file from one that is not a regular file", async () => {
    expect(await readSmallFile(configPath(root))).toBeUndefined();
    mkdirSync(configPath(root));
    await expect(readSmallFile(configPath(root))).rejects.toMatchObject({ code: "not-a-file" });
  });
});
