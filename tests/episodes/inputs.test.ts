import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newFolder, signoff, steps, treeOf } from "./episode-process.ts";

let home: string;
let cwd: string;

beforeEach(async () => {
  home = newFolder();
  cwd = join(home, "bread");
  await steps(home, ["init", "--episode-id", "bread", "--workspace", "bread"]);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const episode = (...args: readonly string[]) => signoff(["episode", ...args], { cwd });

function recording(path: string): string {
  const file = join(home, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, "not really sound");
  return file;
}

describe("tracks", () => {
  const tracks = () => JSON.parse(treeOf(cwd)["state.json"] ?? "").tracks;

  it("are recorded in both files and shown, each file once and two of a name apart", async () => {
    const [ann, other] = [recording("monday/Ann 1.flac"), recording("tuesday/Ann-1.flac")];
    await steps(cwd, ["add", "--track", ann, "--track", other, "--role", "mix"]);
    await steps(cwd, ["add", "--track", ann]);
    expect(tracks()).toMatchObject([
      { track_id: "ann_1_02", path: other, role: "mix" },
      { track_id: "ann_1", path: ann, role: "mix", label: "Ann 1" },
    ]);
    expect(treeOf(cwd)["episode.yaml"]?.match(/track_id:/g)).toHaveLength(2);
    const { stdout } = await episode("status");
    expect(stdout).toMatch(/Tracks\n.*ann_1/u);
    expect(JSON.parse((await episode("status", "--json")).stdout).tracks).toHaveLength(2);
  });

  it("outlive a review, and one that is not there is refused", async () => {
    writeFileSync(join(home, "talk.txt"), "Ann: Bread needs two days.\n");
    const mix = recording("mix.flac");
    await steps(cwd, ["add", "--transcript", "../talk.txt", "--track", mix]);
    await signoff(["episode", "review", "--asset-id", "slug"], { cwd });
    expect(tracks()).toMatchObject([{ track_id: "mix", path: mix }]);
    const before = treeOf(cwd);
    const missing = await episode("add", "--track", "../lost.flac");
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain("lost.flac does not exist");
    expect(treeOf(cwd)).toEqual(before);
  });
});
