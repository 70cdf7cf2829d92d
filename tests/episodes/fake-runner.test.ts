import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newFolder, signoff, steps, treeOf } from "./episode-process.ts";

let home: string;
beforeEach(() => {
  home = newFolder();
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const fake = ["episode", "review", "--fake-runner", "--asset-id", "description"];

function json(path: string) {
  return JSON.parse(readFileSync(join(home, "demo_workspace", path), "utf8"));
}

describe("review --fake-runner in an empty folder", () => {
  it("makes demo_workspace and converges at 2 with the ids and the time of the seed", async () => {
    const ended = await signoff([...fake, "--max-iterations", "2"], { cwd: home });
    expect(ended.code).toBe(0);
    const first = json(
      "copy/candidates/description/candidate_2641202b-6fa0-53f9-b209-b71f722f6270.json",
    );
    expect(first).toMatchObject({ created_at: "2000-01-01T00:00:00Z", format: "markdown" });
    const review = json("copy/reviews/description/iteration_01.reviewer_a.json");
    expect(review).toMatchObject({
      created_at: "2000-01-01T00:00:00Z",
      verdict: "changes_requested",
      reviewer: "reviewer_a",
      issues: [
        {
          issue_id: "f1a42a58-81d3-583d-b9cd-aa19c824b35a",
          message: "add more detail",
          severity: "error",
          code: null,
          field: null,
        },
      ],
    });
    const state = json("copy/protocol/description/state.json");
    expect(Object.keys(state)).toEqual([
      "asset_id",
      "decision",
      "iterations",
      "max_iterations",
      "version",
    ]);
    expect(state.decision).toEqual({
      final_iteration: 2,
      locked_fields: ["final_iteration", "outcome", "reason"],
      outcome: "converged",
      reason: "reviewer_ok_and_creator_done",
    });
    expect(state.iterations[1]).toEqual(json("copy/protocol/description/iteration_02.json"));
    expect(state.iterations.map((one: { creator: { done: boolean } }) => one.creator.done)).toEqual(
      [false, true],
    );
    expect(json("state.json").assets[0]).toMatchObject({
      asset_id: "description",
      kind: "description",
      selected_candidate_id: "5a2089a4-d67d-5a7a-aad8-2d687a4f3cf2",
    });
    const text = readFileSync(join(home, "demo_workspace/copy/selected/description.md"), "utf8");
    expect(text).toContain("Revision 2");
    const tree = Object.keys(treeOf(join(home, "demo_workspace")));
    const candidate = "copy/candidates/description/candidate_5a2089a4-d67d-5a7a-aad8-2d687a4f3cf2";
    const rendered = [`${candidate}.md`, `${candidate}.html`, "copy/selected/description.html"];
    expect(tree).toEqual(expect.arrayContaining(rendered));
    const shown = await signoff(["episode", "status", "--workspace", "demo_workspace"], {
      cwd: home,
    });
    expect(shown.stdout.replace(/\s+/g, " ")).toContain(
      "signed; converged (reviewer_ok_and_creator_done), turn 2 of 2",
    );
  });

  it("reviews each text that is named, each once", async () => {
    const named = ["--asset-id", "slug", "--asset-id", "description"];
    const ended = await signoff([...fake, ...named, "--json"], { cwd: home });
    const { assets } = JSON.parse(ended.stdout);
    expect(assets).toMatchObject([
      { asset_id: "description", state: "signed" },
      { asset_id: "slug", state: "signed" },
    ]);
  });

  it("takes the next free name the next time, and needs a person when one iteration is all there is", async () => {
    await signoff(fake, { cwd: home });
    const second = await signoff([...fake, "--max-iterations", "1"], { cwd: home });
    expect(second.code).toBe(1);
    expect(second.stdout).toContain("needs_human (iteration_limit), turn 1 of 1");
    expect(existsSync(join(home, "demo_workspace_2"))).toBe(true);
    const state = JSON.parse(readFileSync(join(home, "demo_workspace_2/state.json"), "utf8"));
    expect(state.assets[0].selected_candidate_id).toBeNull();
  });

  it("does all thirteen kinds", async () => {
    const ended = await signoff(["episode", "review", "--fake-runner", "--all", "--json"], {
      cwd: home,
    });
    expect(ended.code).toBe(0);
    const { assets } = JSON.parse(ended.stdout);
    expect(assets.map((one: { iteration: number }) => one.iteration)).toEqual(Array(13).fill(2));
  });
});

describe("replies of one's own", () => {
  const script = (replies: object): string => {
    writeFileSync(join(home, "replies.json"), JSON.stringify(replies));
    return join(home, "replies.json");
  };
  const ok = { verdict: "ok" };
  const slug = (content: string) => ({ content, done: true });

  async function workspace(): Promise<string> {
    await steps(home, ["init", "--episode-id", "bread_042"]);
    const folder = join(home, "episodes/bread_042");
    writeFileSync(join(home, "talk.txt"), "Ada: Slow bread is bread that had time.\n");
    await steps(folder, ["add", "--transcript", join(home, "talk.txt")]);
    return folder;
  }

  const review = (cwd: string, ...more: readonly string[]) =>
    signoff(["episode", "review", "--asset-id", "slug", "--fake-runner", ...more], { cwd });

  it("record a verdict needs_human and go on to the limit", async () => {
    const cwd = await workspace();
    const asks = { verdict: "needs_human", issues: [{ message: "ask Ada" }] };
    const file = script({
      creator: Array(3).fill(slug("slow-bread")),
      reviewer: Array(3).fill(asks),
    });
    const ended = await review(cwd, "--script", file);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain("needs_human (iteration_limit), turn 3 of 3");
  });

  it("call a person where the recipe says so, and go on with the answer as an objection", async () => {
    const cwd = await workspace();
    const built = readFileSync(join(import.meta.dirname, "../../recipes/slug.md"), "utf8");
    const recipe = built.replace("stop_on_needs_human: false", "stop_on_needs_human: true");
    mkdirSync(join(cwd, "signoff/recipes"), { recursive: true });
    writeFileSync(join(cwd, "signoff/recipes/slug.md"), recipe);
    const asks = { verdict: "needs_human", issues: [{ message: "ask Ada" }] };
    const chosen = { ...slug("slow-bread"), mutate_files: { "notes.txt": "Ada was asked" } };
    const replies = { creator: [slug("slow-loaf"), chosen], reviewer: [asks, ok] };
    const waits = await review(cwd, "--script", script(replies));
    expect(waits.code).toBe(3);
    expect(waits.stdout).toContain("signoff inbox");
    const inbox = JSON.parse((await signoff(["inbox", "--json"], { cwd })).stdout);
    const answer = ["--choice", "continue", "--comment", "say bread"];
    const ended = await signoff(["inbox", "answer", inbox.items[0].id, ...answer], { cwd });
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain("Selected: copy/selected/slug.txt");
    const { issues } = JSON.parse(treeOf(cwd)["copy/protocol/slug/ledger.json"]!);
    const reported = issues.map((one: { issue: { message: string } }) => one.issue.message);
    expect(reported).toEqual(["ask Ada", "say bread"]);
    expect(treeOf(cwd)["notes.txt"]).toBe("Ada was asked\n");
  });

  it("cannot name the file of a review: a reviewer's label with a slash is not theirs to give", async () => {
    const cwd = await workspace();
    const named = { ...ok, reviewer: "../some/body" };
    const file = script({ creator: [slug("slow-bread")], reviewer: [named] });
    expect((await review(cwd, "--script", file)).code).toBe(0);
    const reviews = Object.keys(treeOf(cwd)).filter((path) => path.startsWith("copy/reviews/"));
    expect(reviews).toEqual(["copy/reviews/slug/iteration_01.reviewer_a.json"]);
  });

  it("that run out are named with their number, and the run goes on with a longer script", async () => {
    const cwd = await workspace();
    const changes = { verdict: "changes_requested", issues: [{ message: "shorter" }] };
    const short = script({ creator: [slug("slow-bread-at-home")], reviewer: [changes] });
    const ended = await review(cwd, "--script", short);
    expect(ended.code).toBe(5);
    expect(ended.stdout.replace(/\s+/g, " ")).toContain("ran out: it has 1 reply");
    expect(existsSync(join(cwd, "copy/protocol/slug/iteration_01.json"))).toBe(true);
    const longer = script({
      creator: [slug("slow-bread-at-home"), slug("slow-bread")],
      reviewer: [changes, ok],
    });
    const again = await review(cwd, "--script", longer);
    expect(again.stdout).toContain("converged (reviewer_ok_and_creator_done), turn 2 of 3");
  });

  it("keep the words that an issue quotes, in the status and in what the review prints", async () => {
    const cwd = await workspace();
    const issue = { message: "Too long.", quote: "at-home" };
    const changes = { verdict: "changes_requested", issues: [issue] };
    const file = script({ creator: [slug("slow-bread-at-home")], reviewer: [changes] });
    const ended = await review(cwd, "--script", file, "--max-iterations", "1", "--json");
    expect(JSON.parse(ended.stdout).assets[0].outstanding_issues).toMatchObject([issue]);
    const shown = await signoff(["episode", "status"], { cwd });
    expect(shown.stdout).toContain("Too long. “at-home”");
  });

  it("may change files below the workspace, and nothing through a link", async () => {
    const cwd = await workspace();
    const outside = join(home, "outside");
    mkdirSync(outside);
    symlinkSync(outside, join(cwd, "copy/selected/link"));
    const escaping = { ...slug("slow-bread"), mutate_files: { "copy/selected/link/x.md": "x" } };
    const file = script({ creator: [escaping], reviewer: [ok] });
    const refused = await review(cwd, "--script", file);
    expect(refused.code).toBe(5);
    expect(refused.stdout + refused.stderr).toContain("leads through a symbolic link");
    expect(existsSync(join(outside, "x.md"))).toBe(false);
    expect(existsSync(join(cwd, "copy/protocol/slug"))).toBe(false);
  });

  it("lose against a selection that appeared while they were given", async () => {
    const cwd = await workspace();
    const file = script({
      creator: [slug("slow-bread")],
      reviewer: [{ ...ok, mutate_files: { "copy/selected/slug.txt": "chosen-by-ada" } }],
    });
    const ended = await review(cwd, "--script", file);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain("needs_human (locked_selection)");
    expect(readFileSync(join(cwd, "copy/selected/slug.txt"), "utf8")).toBe("chosen-by-ada\n");
    expect(JSON.parse(treeOf(cwd)["state.json"]!).assets[0].selected_candidate_id).toBeNull();
  });

  it("that change a selected slug become changes_requested with the code locked_selection", async () => {
    const cwd = await workspace();
    writeFileSync(join(cwd, "copy/selected/slug.md"), "locked\n");
    const file = script({ creator: [slug("another-slug")], reviewer: [ok] });
    const ended = await review(cwd, "--script", file, "--max-iterations", "1");
    expect(ended.code).toBe(1);
    const stored = JSON.parse(treeOf(cwd)["copy/reviews/slug/iteration_01.reviewer_a.json"]!);
    expect(stored).toMatchObject({
      verdict: "changes_requested",
      issues: [{ code: "locked_selection", field: "content", severity: "error" }],
    });
    expect(treeOf(cwd)["copy/selected/slug.md"]).toBe("locked\n");
    expect(treeOf(cwd)["copy/selected/slug.txt"]).toBeUndefined();
  });
});
