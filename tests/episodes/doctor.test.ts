import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { newFolder, signoff, treeOf } from "./episode-process.ts";

const original = join(import.meta.dirname, "../../src/contract/episodes/fixtures/bread-042");
let home: string;
let cwd: string;
beforeEach(() => {
  home = newFolder();
  cwd = join(home, "bread");
  cpSync(original, cwd, { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it("a broken state.json is named, made again from the other files, and kept beside them", async () => {
  writeFileSync(join(cwd, "state.json"), "{ half");
  const status = await signoff(["episode", "status"], { cwd });
  expect(status.code).toBe(1);
  expect(status.stdout).toContain("signoff doctor");
  const reported = await signoff(["doctor"], { cwd });
  expect(reported.code).toBe(1);
  expect(reported.stdout).toContain("--repair");
  const mended = await signoff(["doctor", "--repair"], { cwd });
  expect(mended.code).toBe(0);
  const tree = treeOf(cwd);
  expect(Object.entries(tree).find(([path]) => path.startsWith("state.json.broken"))?.[1]).toBe(
    "{ half",
  );
  const { assets } = JSON.parse(tree["state.json"]!);
  expect(assets.map((one: { asset_id: string }) => one.asset_id)).toEqual([
    "description",
    "slug",
    "press_release",
  ]);
  expect((await signoff(["episode", "status"], { cwd })).code).toBe(0);
});

it("a wrong value in state.json costs nothing but itself", async () => {
  const file = join(cwd, "state.json");
  const state = JSON.parse(readFileSync(file, "utf8"));
  const sound = {
    ...state,
    auphonic_production_uuid: "prod-7",
    created_at: "2026-01-02T03:04:05Z",
  };
  const [first, ...others] = sound.assets;
  const broken = { ...sound, assets: [{ ...first, kind: "slug" }, ...others] };
  writeFileSync(file, JSON.stringify(broken));
  const mended = await signoff(["doctor", "--repair"], { cwd });
  expect(mended.code, mended.stdout).toBe(0);
  expect(mended.stdout.replace(/\s+/g, " ")).toContain("the kind must equal the id");
  expect(JSON.parse(treeOf(cwd)["state.json"]!)).toEqual(sound);
});

it("any other broken file is only named", async () => {
  writeFileSync(join(cwd, "copy/protocol/slug/state.json"), "{");
  const reported = await signoff(["doctor", "--repair"], { cwd });
  expect(reported.code).toBe(1);
  expect(reported.stdout).toContain("copy/protocol/slug/state.json");
  expect(treeOf(cwd)["copy/protocol/slug/state.json"]).toBe("{");
});
