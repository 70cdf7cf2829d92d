import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
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

const episode = (...args: readonly string[]) => signoff(["episode", ...args], { cwd });
const review = (...more: readonly string[]) =>
  episode("review", "--asset-id", "description", "--model", "offline/rules", ...more);
const put = (path: string, text: string): void => writeFileSync(join(cwd, path), text);

async function refused(work: Promise<{ code: number | null; stderr: string }>): Promise<string> {
  const before = treeOf(cwd);
  const { code, stderr } = await work;
  expect(code).toBe(2);
  expect(treeOf(cwd)).toEqual(before);
  return stderr.replace(/\s+/g, " ");
}

describe("what is wrong is named, and nothing is half written", () => {
  it("YAML that cannot be read", async () => {
    put("episode.yaml", "episode_id: bread\n  inputs: [\n");
    const said = await refused(review());
    expect(said).toContain("is not valid YAML: Nested mappings");
    expect(said).not.toContain("column");
  });

  it("YAML of other types", async () => {
    put("episode.yaml", "episode_id: bread\nhosts: 7\n");
    expect(await refused(review())).toContain("episode.yaml:2:1: hosts: must be a list");
  });

  it("a candidate that is another asset's", async () => {
    const name = "candidate_22da6922-e42f-5d0c-a51b-5f56b2c23577.json";
    cpSync(join(cwd, "copy/candidates/slug", name), join(cwd, "copy/candidates/mastodon", name));
    const asked = episode("review", "--asset-id", "mastodon", "--model", "offline/rules");
    expect(await refused(asked)).toContain('is for asset "slug"');
  });

  it("the same candidate twice in state.json", async () => {
    const state = JSON.parse(readFileSync(join(cwd, "state.json"), "utf8"));
    state.assets[0].candidates.push(state.assets[0].candidates[0]);
    put("state.json", JSON.stringify(state));
    expect(await refused(review())).toContain("twice");
  });

  it.each<[string, readonly string[], string]>([
    ["a missing transcript", ["--transcript", "lost.vtt"], "There is no file lost.vtt. Give the"],
    ["a folder", ["--transcript", "."], ". is a folder, not a text. Give the path"],
    ["no words", ["--transcript", "../blank.txt"], "holds no words. Export it as plain text"],
    ["another encoding", ["--transcript", "../latin1.txt"], "latin1.txt is not a text in UTF-8. S"],
    ["a document", ["--transcript", "../talk.docx"], "talk.docx is not a text in UTF-8. Save"],
    ["JSON of something else", ["--transcript", "../other.json"], "is JSON, but not a transcript"],
    ["no chapters", ["--chapters", "../blank.txt"], "holds no chapters. Give Podcasting 2.0"],
    ["a binary file", ["--chapters", "../talk.docx"], "talk.docx is not a text in UTF-8. Save"],
    ["two inputs of one stream", ["--transcript", "-", "--chapters", "-"], "Only one text can"],
    ["a missing track", ["--track", "lost.wav"], "There is no file lost.wav. Give the path of"],
    ["a folder as a track", ["--track", "copy"], "copy is a folder. Give the path of an audio"],
    ["a host without a name", ["--host", " "], "--host is empty. Give a name"],
  ])("%s among the inputs", async (_, args, words) => {
    writeFileSync(join(home, "blank.txt"), "\uFEFF \r\n");
    writeFileSync(join(home, "latin1.txt"), Buffer.from("caf\xe9", "latin1"));
    writeFileSync(join(home, "talk.docx"), "PK\u0003\u0004\u0014\0\u0006\0");
    writeFileSync(join(home, "other.json"), '{"name": "bread"}');
    expect(await refused(episode("add", ...args))).toContain(words);
  });

  it("chapters that go backwards", async () => {
    writeFileSync(join(home, "chapters.txt"), "05:00 Oven\n01:00 Dough\n");
    const added = episode("add", "--chapters", join(home, "chapters.txt"));
    expect(await refused(added)).toContain('chapter "Dough" starts at 01:00');
  });

  it("an asset id that is a path, an unknown asset and flags that exclude each other", async () => {
    expect(await refused(episode("review", "--asset-id", "../slug"))).toContain(
      "is not an asset id",
    );
    const unknown = episode("review", "--asset-id", "poem", "--model", "offline/rules");
    expect(await refused(unknown)).toContain('There is no recipe "poem"');
    expect(await refused(episode("review", "--all", "--asset-id", "slug"))).toContain("not both");
    expect(await refused(episode("draft", "-n", "0"))).toContain("1 or more");
    expect(await refused(episode("review", "--max-iterations", "0"))).toContain("1 or more");
    expect(await refused(episode("draft", "--asset-id", "../slug"))).toContain(
      "is not an asset id",
    );
    expect(await refused(episode("add", "--language", "klingon!"))).toContain("not a language tag");
  });

  it("commands of agents that are not trusted", async () => {
    const asked = episode("review", "--asset-id", "mastodon");
    expect(await refused(asked)).toContain("commands are not trusted yet: agents.creator");
  });

  it("a workspace that is not there, or already is", async () => {
    const missing = await signoff(["episode", "status"], { cwd: home });
    expect(missing.code).toBe(2);
    const init = ["episode", "init", "--episode-id", "bread", "--workspace", "bread"];
    expect((await signoff(init, { cwd: home })).stderr).toContain("already exists");
    const wrong = await signoff(["episode", "init", "--episode-id", "bad/id"], { cwd: home });
    expect(wrong.code).toBe(2);
    expect(existsSync(join(home, "episodes"))).toBe(false);
  });

  it("a broken protocol, a missing chunk text: status lists them all and still answers", async () => {
    put("copy/protocol/slug/state.json", "{");
    rmSync(join(cwd, "transcript/chunks/chunk_0001.txt"));
    const { code, stdout } = await episode("status", "--json");
    expect(code).toBe(1);
    const { problems, next_steps } = JSON.parse(stdout);
    const files = problems.map((one: { file: string }) => one.file).sort();
    expect(files).toEqual(["copy/protocol/slug/state.json", "transcript/chunks/chunk_0001.txt"]);
    expect(next_steps).toHaveLength(2);
  });
});

it("a text that is named twice is drafted once", async () => {
  const twice = ["--asset-id", "mastodon", "--asset-id", "mastodon"];
  const { code } = await episode("draft", ...twice, "-n", "1", "--model", "offline/rules");
  expect(code).toBe(0);
  const drafts = Object.keys(treeOf(cwd)).filter((path) => path.includes("candidates/mastodon/"));
  expect(drafts.filter((path) => path.endsWith(".json"))).toHaveLength(1);
});

describe("a workspace of the original program", () => {
  it("is reviewed from its newest candidate on, and loses nothing", async () => {
    const before = treeOf(cwd);
    const ended = await episode("review", "--asset-id", "mastodon", "--model", "offline/rules");
    expect(ended.code).toBe(0);
    const after = treeOf(cwd);
    const state = JSON.parse(before["state.json"]!);
    const now = JSON.parse(after["state.json"]!);
    for (const [path, text] of Object.entries(before)) {
      if (path !== "state.json") expect(after[path]).toBe(text);
    }
    const others = now.assets.filter((one: { asset_id: string }) => one.asset_id !== "mastodon");
    expect(others).toEqual(state.assets);
  });

  it("that has ended is left alone, and one that stands at its limit is closed without a call", async () => {
    const path = join(cwd, "copy/protocol/description/state.json");
    const protocol = JSON.parse(readFileSync(path, "utf8"));
    expect((await review()).stdout).toContain(protocol.decision.outcome);
    writeFileSync(path, JSON.stringify({ ...protocol, decision: null, max_iterations: 5 }));
    const closed = await review();
    expect(closed.stdout).toMatch(/converged|needs_human/);
    const written = JSON.parse(readFileSync(path, "utf8"));
    expect(written.decision.locked_fields).toHaveLength(3);
    expect(written.iterations).toEqual(protocol.iterations);
    mkdirSync(join(cwd, "x"));
  });
});
