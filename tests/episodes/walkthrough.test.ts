import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assetKinds } from "../../src/domain/episodes/asset-kind.ts";
import { draftedExample, example, newFolder, signoff, treeOf } from "./episode-process.ts";

let home: string;
let workspace: string;
beforeAll(async () => {
  home = newFolder();
  workspace = await draftedExample(home);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

interface Expected {
  readonly [asset: string]: { readonly iteration: number; readonly selected: string };
}

// One story: each test goes on where the one before it ended.
describe("the example, offline, from transcript to signed-off copy", { shuffle: false }, () => {
  it("has four chunks with times, their summaries and the episode's, and drafts of each text that differ", () => {
    const tree = treeOf(workspace);
    const chunk = JSON.parse(tree["transcript/chunks/chunk_0002.json"]!);
    expect(chunk.end_sec).toBeGreaterThan(chunk.start_sec);
    expect(Object.keys(tree)).toContain("summaries/chunks/chunk_0004.summary.json");
    for (const ending of ["json", "md", "html"]) {
      expect(Object.keys(tree)).toContain(`summaries/episode/episode_summary.${ending}`);
    }
    for (const kind of assetKinds) {
      const folder = join(workspace, "copy/candidates", kind);
      const drafts = readdirSync(folder).filter((name) => name.endsWith(".json"));
      const texts = drafts.map(
        (name) => JSON.parse(readFileSync(join(folder, name), "utf8")).content,
      );
      expect(texts.length, kind).toBeGreaterThanOrEqual(2);
      expect(new Set(texts).size, kind).toBe(texts.length);
    }
  });

  it("has nothing to draft when it is asked again, and changes nothing", async () => {
    const before = treeOf(workspace);
    const again = await signoff(["episode", "draft"], { cwd: workspace });
    expect(again.code).toBe(0);
    expect(again.stdout).toContain("slug: already drafted");
    expect(treeOf(workspace)).toEqual(before);
  });

  it("says on the way what comes next", async () => {
    const { stdout } = await signoff(["episode", "status"], { cwd: workspace });
    expect(stdout).toContain("signoff episode review --all");
  });

  it("converges in all thirteen with exactly the expected texts", async () => {
    const ended = await signoff(["episode", "review", "--all", "--json"], { cwd: workspace });
    expect(ended.code).toBe(0);
    const { assets, stand_in } = JSON.parse(ended.stdout);
    expect(stand_in).toBe(true);
    const found: Expected = Object.fromEntries(
      assets.map((asset: { asset_id: string; iteration: number; selected: string }) => [
        asset.asset_id,
        {
          iteration: asset.iteration,
          selected: readFileSync(join(workspace, asset.selected), "utf8"),
        },
      ]),
    );
    const file = join(example, "expected.json");
    expect(found).toEqual(JSON.parse(readFileSync(file, "utf8")));
  });

  it("says in its status that stand-ins signed", async () => {
    const shown = await signoff(["episode", "status"], { cwd: workspace });
    expect(shown.stdout).toContain("Signed by rule-based stand-ins, not by models: all.");
    const { stdout } = await signoff(["episode", "status", "--json"], { cwd: workspace });
    const signed = JSON.parse(stdout).assets.map((one: { stand_in: boolean }) => one.stand_in);
    expect(signed).toEqual(Array(13).fill(true));
  });

  it("leaves everything as it is when repeated, asks no model and opens no store", async () => {
    const before = treeOf(workspace);
    const store = readFileSync(join(workspace, ".signoff/signoff.db"));
    const again = await signoff(["episode", "review", "--all", "--json"], { cwd: workspace });
    expect(again.code).toBe(0);
    expect(
      JSON.parse(again.stdout).assets.every((one: { is_unchanged: boolean }) => one.is_unchanged),
    ).toBe(true);
    expect(treeOf(workspace)).toEqual(before);
    expect(readFileSync(join(workspace, ".signoff/signoff.db")).equals(store)).toBe(true);
    expect(readdirSync(join(workspace, ".signoff"))).not.toContain("signoff.db-wal");
  });

  it("keeps every candidate and review in state.json, each with its run and the prompt it answers", () => {
    const tree = treeOf(workspace);
    const state = JSON.parse(tree["state.json"]!);
    expect(state.assets.map((asset: { asset_id: string }) => asset.asset_id).sort()).toEqual(
      [...assetKinds].sort(),
    );
    for (const asset of state.assets) {
      expect(asset.candidates.length).toBeGreaterThanOrEqual(4);
      expect(asset.selected_candidate_id).not.toBeNull();
      for (const made of [...asset.candidates, ...asset.reviews]) {
        const refs: { kind: string; ref: string }[] = made.provenance;
        expect(refs.map(({ kind }) => kind)).toContain("run");
        const prompts = refs.filter(({ kind }) => kind === "prompts");
        expect(prompts).toHaveLength(1);
        const stored = tree[`copy/provenance/prompts/${prompts[0]?.ref}.json`];
        expect(JSON.parse(stored ?? "").prompt_text).toContain("long_shelf_12");
      }
    }
  });

  it("marks everything behind a changed transcript as stale, and says to cut it again", async () => {
    const file = join(workspace, "transcript/transcript.txt");
    writeFileSync(
      file,
      `${readFileSync(file, "utf8")}\n00:19:30 Mira Olsen: One more thing about ladders.\n`,
    );
    const { stdout, code } = await signoff(["episode", "status", "--json"], { cwd: workspace });
    const status = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(status.next_steps[0].command).toBe("episode chunk");
    const states = Object.fromEntries(
      status.checklist.map((item: { label: string; state: string }) => [item.label, item.state]),
    );
    expect(states).toMatchObject({
      chunks: "stale",
      "chunk summaries": "stale",
      "episode summary": "stale",
      candidates: "stale",
      selected: "stale",
    });
  });

  it("is signed again by typing whatever the status says next, and then there is nothing left", async () => {
    const typed: string[] = [];
    for (;;) {
      const { stdout } = await signoff(["episode", "status", "--json"], { cwd: workspace });
      const [step] = JSON.parse(stdout).next_steps as { command: string }[];
      if (step === undefined) break;
      expect(typed).not.toContain(step.command);
      typed.push(step.command);
      const words = step.command.match(/"[^"]*"|\S+/gu) ?? [];
      const ended = await signoff(
        words.map((word) => word.replaceAll('"', "")),
        { cwd: workspace },
      );
      if (step.command === "episode summarize") expect(ended.stderr).toContain("(3 known)");
      expect(ended.code, step.command).toBe(0);
    }
    expect(typed).toEqual([
      "episode chunk",
      "episode summarize",
      expect.stringMatching(/^episode draft( --asset-id \w+){9}$/u),
      'episode review --all --restart --reason "transcript/transcript.txt changed"',
    ]);
  });
});
