import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newFolder, signoff, treeOf } from "./episode-process.ts";

const original = join(import.meta.dirname, "../../src/contract/episodes/fixtures/bread-042");
let home: string;
let cwd: string;
beforeEach(() => {
  home = newFolder();
  cwd = join(home, "bread");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const episode = (...args: readonly string[]) => signoff(["episode", ...args], { cwd });
const put = (path: string, text: string): void => {
  mkdirSync(join(cwd, path, ".."), { recursive: true });
  writeFileSync(join(cwd, path), text);
};
const json = (path: string) => JSON.parse(treeOf(cwd)[path] ?? "null");

const talk = `Ada: Slow bread is bread that had two whole days of time in a cold kitchen.

Ben: A sourdough starter needs flour and water every morning, and patience on top of that.

Ada: The oven has to be hot before the loaf goes in, or the crust never opens.
`;

/** As little as the original program needs to open a workspace. */
function smallest(): void {
  put("episode.yaml", "episode_id: bread\n");
  put("state.json", '{"episode_id": "bread", "root_dir": "."}');
  put("transcript/transcript.txt", talk);
}

const ok = { verdict: "ok" };
const changes = { verdict: "changes_requested", issues: [{ message: "shorter" }] };
const script = (replies: object): string => {
  const file = join(home, "replies.json");
  writeFileSync(file, JSON.stringify(replies));
  return file;
};
const scripted = (replies: object, ...more: readonly string[]) =>
  episode("review", "--fake-runner", "--script", script(replies), ...more);

describe("a workspace of the original program", () => {
  it("may have the smallest files that it writes, and its candidate is where the loop begins", async () => {
    smallest();
    const id = "22da6922-e42f-5d0c-a51b-5f56b2c23577";
    const candidate = { asset_id: "description", content: "A text about slow bread." };
    put(`copy/candidates/description/candidate_${id}.json`, JSON.stringify(candidate));
    const ended = await episode("review");
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stdout).toContain("description");
    const [asset] = json("state.json").assets;
    // In the order of their ids, of which the loop's own is by chance.
    expect(asset.candidates).toContainEqual(
      expect.objectContaining({ candidate_id: id, format: "markdown" }),
    );
    expect(Object.keys(treeOf(cwd))).toContain(
      "copy/reviews/description/iteration_01.reviewer.json",
    );
    const shown = await episode("status");
    expect(shown.stdout.replace(/\s+/g, " ")).toContain("verdict ok by reviewer (offline/rules)");
  });

  it("is made by review --fake-runner where --workspace names a new folder", async () => {
    mkdirSync(cwd);
    const made = await episode(
      "review",
      "--fake-runner",
      "--workspace",
      "new",
      "--episode-id",
      "ep_7",
    );
    expect(made.code, made.stderr).toBe(0);
    expect(json("new/state.json")).toMatchObject({ episode_id: "ep_7" });
    expect(Object.keys(treeOf(cwd))).toContain("new/copy/selected/description.md");
    mkdirSync(join(cwd, "other"));
    const refused = await episode("review", "--fake-runner", "--workspace", "other");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("episode.yaml")]);
  });

  it("answers for a text that is decided before it asks for trust in its agents", async () => {
    cpSync(original, cwd, { recursive: true });
    const before = treeOf(cwd);
    const ended = await episode("review", "--asset-id", "description");
    expect(ended.stderr).not.toContain("trust");
    expect(ended.stdout).toContain("already decided and left alone");
    expect(treeOf(cwd)).toEqual(before);
  });
});

describe("replies as the original program reads them", () => {
  beforeEach(smallest);
  const slug = (content: string, more: object = {}) => ({ content, done: true, ...more });

  it("a text for another asset is refused, and none of it is kept", async () => {
    const wrong = slug("slow-bread", { asset_id: "title_seo" });
    const replies = { creator: [wrong, wrong], reviewer: [ok] };
    const refused = await scripted(replies, "--asset-id", "slug");
    expect(refused.code).toBe(5);
    expect(refused.stdout.replace(/\s+/g, " ")).toContain(
      'the text is for asset "title_seo", not "slug"',
    );
    expect(existsSync(join(cwd, "copy/candidates/slug"))).toBe(false);
  });

  it("the format that a reply names counts, and done may be anything that is true", async () => {
    const candidate = { content: "<p>Slow bread.</p>".repeat(20), format: "html" };
    const ended = await scripted({ creator: [{ candidate, done: 1 }], reviewer: [ok] });
    expect(ended.code, ended.stdout).toBe(0);
    expect(treeOf(cwd)["copy/selected/description.html"]).toContain("<p>Slow bread.</p>");
    expect(treeOf(cwd)["copy/selected/description.md"]).toBeUndefined();
  });

  it("a text that is too long twice is an issue, and the loop goes on", async () => {
    const long = slug("slow-".repeat(60));
    const replies = { creator: [long, long, slug("slow-bread")], reviewer: [ok, ok] };
    const ended = await scripted(replies, "--asset-id", "slug");
    expect(ended.code, ended.stdout).toBe(0);
    const first = json("copy/protocol/slug/iteration_01.json").reviewer;
    expect(first.verdict).toBe("changes_requested");
    expect(first.issues).toContainEqual(
      expect.objectContaining({ code: "max_length", severity: "error" }),
    );
    expect(treeOf(cwd)["copy/selected/slug.txt"]).toBe("slow-bread\n");
  });

  it("a model that is named anew replaces that of a run that failed, and finished turns stay", async () => {
    const short = { creator: [slug("slow-bread-at-home")], reviewer: [changes] };
    expect((await scripted(short, "--asset-id", "slug")).code).toBe(5);
    const first = json("copy/protocol/slug/iteration_01.json");
    const other = join(home, "other.json");
    writeFileSync(other, JSON.stringify({ creator: [slug("slow-bread")], reviewer: [ok] }));
    const ended = await episode("review", "--asset-id", "slug", "--script", other);
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stderr.replace(/\s+/g, " ")).toContain("and is replaced");
    expect(json("copy/protocol/slug/iteration_01.json")).toEqual(first);
    const { creator } = json("copy/protocol/slug/iteration_02.json");
    expect(JSON.stringify(creator)).toContain("other.json");
  });

  it("also where one run does all texts", async () => {
    const all = ["review", "--all", "--json", "--script", script({ creator: [], reviewer: [] })];
    expect((await episode(...all)).code).toBe(5);
    const ended = await episode("review", "--all", "--model", "offline/rules", "--json");
    expect(ended.stderr).toBe("");
    const { assets } = JSON.parse(ended.stdout);
    const undone = assets.filter((one: { outcome: string }) => one.outcome === "in_progress");
    expect(undone).toEqual([]);
  });
});

it("the built-in script always finishes: with a long first paragraph, and against a locked text", async () => {
  smallest();
  put("transcript/transcript.txt", `${"Slow bread is bread that had time. ".repeat(400)}\n`);
  put("copy/selected/slug.md", "locked\n");
  const ended = await episode("review", "--fake-runner", "--all", "--json");
  expect(ended.code, ended.stderr).toBe(0);
  const { assets } = JSON.parse(ended.stdout);
  expect(assets.map((one: { outcome: string }) => one.outcome)).toEqual(
    Array(13).fill("converged"),
  );
  expect(treeOf(cwd)["copy/selected/slug.md"] ?? treeOf(cwd)["copy/selected/slug.txt"]).toBe(
    "locked\n",
  );
});
