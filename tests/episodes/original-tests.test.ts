import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { newFolder, signoff, steps, treeOf } from "./episode-process.ts";

/** Tests of the original program that no other file here translates; docs/decisions lists all of them. */

let home: string;
let cwd: string;
beforeEach(async () => {
  home = newFolder();
  cwd = join(home, "bread");
  await steps(home, ["init", "--episode-id", "bread", "--workspace", "bread"]);
  writeFileSync(join(home, "talk.txt"), talk);
  await steps(cwd, ["add", "--transcript", "../talk.txt", "--host", "Ada Bell"], ["chunk"]);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const talk = `Ada: Slow bread is bread that had two whole days of time in a cold kitchen.

Ben: A sourdough starter needs flour and water every morning, and patience on top of that.

Ada: The oven has to be hot before the loaf goes in, or the crust never opens.
`;

const json = (path: string) => JSON.parse(treeOf(cwd)[path] ?? "null");

function scripted(replies: object) {
  writeFileSync(join(home, "replies.json"), JSON.stringify(replies));
  const script = ["--fake-runner", "--script", join(home, "replies.json")];
  return signoff(["episode", "review", "--asset-id", "slug", ...script], { cwd });
}

it("a wrapped review that calls itself the ninth iteration is stored as the second", async () => {
  const slug = { candidate: { content: "slow-bread", asset_id: "slug" }, done: true };
  const changes = { verdict: "changes_requested", issues: [{ message: "longer" }] };
  const ended = await scripted({
    creator: [{ creator: slug }, { creator: slug }],
    reviewer: [{ review: changes }, { review: { iteration: 9, verdict: "ok" } }],
  });
  expect(ended.code, ended.stderr).toBe(0);
  expect(json("copy/protocol/slug/iteration_02.json").reviewer).toMatchObject({
    ...{ iteration: 2, verdict: "ok" },
  });
});

it("hosts are kept, reach every prompt, and need not be named again", async () => {
  await steps(cwd, ["summarize"], ["draft", "--asset-id", "slug", "-n", "1"]);
  await steps(cwd, ["review", "--asset-id", "slug"]);
  expect(treeOf(cwd)["episode.yaml"]).toMatch(/hosts:\s+- Ada Bell/u);
  const prompts = Object.keys(treeOf(cwd)).filter((path) => path.includes("provenance/prompts/"));
  const roles = new Set(prompts.map((path) => /(?<role>\w+?)_/u.exec(basename(path))?.[1]));
  expect([...roles].sort()).toEqual(["creator", "reviewer", "summarizer"]);
  for (const path of prompts) expect(json(path).prompt_text).toContain("Ada Bell");
});

it("drafts use the summary that is there: one call for each text, and none for a summary", async () => {
  await steps(cwd, ["summarize"]);
  const summary = treeOf(cwd)["summaries/episode/episode_summary.json"];
  await steps(cwd, ["draft", "-n", "1"]);
  const { runs } = JSON.parse((await signoff(["runs", "list", "--all", "--json"], { cwd })).stdout);
  const kinds = runs.filter(({ kind }: { kind: string }) => kind === "episode-draft");
  expect(kinds).toHaveLength(13);
  expect(treeOf(cwd)["summaries/episode/episode_summary.json"]).toBe(summary);
});

it("key points and topics of a summary are there once, whatever their case", async () => {
  const same = talk.replace("A sourdough", "a SOURDOUGH");
  writeFileSync(join(home, "twice.txt"), `${talk}\n${same}\n${talk.toUpperCase()}`);
  await steps(cwd, ["add", "--transcript", "../twice.txt"], ["chunk"], ["summarize"]);
  const { key_points: points, topics } = json("summaries/episode/episode_summary.json");
  for (const list of [points, topics] as readonly (readonly string[])[]) {
    expect(new Set(list.map((one) => one.toLowerCase())).size).toBe(list.length);
  }
});

it("a review file that is not JSON is named by its path", async () => {
  const slug = { content: "slow-bread", done: true };
  await scripted({ creator: [slug], reviewer: [{ verdict: "ok" }] });
  const path = Object.keys(treeOf(cwd)).find((one) => one.startsWith("copy/reviews/slug/")) ?? "";
  writeFileSync(join(cwd, path), "{");
  const reported = await signoff(["doctor"], { cwd });
  expect(`${reported.stdout}${reported.stderr}`.replace(/\s+/gu, " ")).toContain(path);
  expect(reported.code).toBe(1);
});

it("every test that the page about the original names exists", () => {
  const root = join(import.meta.dirname, "../..");
  const page = readFileSync(
    join(root, "docs/decisions/2026-11-18-tests-of-the-original-podcast-program.md"),
    "utf8",
  );
  const named = [...page.matchAll(/`(\S+\.test\.ts)`: (.+?)(?= \||; `)/gu)];
  expect(named.length).toBeGreaterThan(30);
  for (const [, file = "", title = ""] of named) {
    expect(readFileSync(join(root, file), "utf8"), file).toContain(title);
  }
});
