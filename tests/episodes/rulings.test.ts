import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { preparedFolder } from "../support/prepared-folder.ts";
import { signoff, steps, treeOf } from "./episode-process.ts";

const workspace = "episodes/bread_042";
const podcast = preparedFolder(async (root) => {
  await steps(root, ["init", "--episode-id", "bread_042"]);
  const talk = [
    "00:00:00 Ada: Slow bread is bread that had time to rise overnight.",
    "00:01:00 Ben: The dough rests for eighteen hours in a cold kitchen.",
    "00:02:00 Ada: Flour, water and salt are all a baker needs for it.",
  ];
  writeFileSync(join(root, "talk.txt"), `${talk.join("\n\n")}\n`);
  const made = join(root, workspace);
  await steps(made, ["add", "--transcript", "../../talk.txt", "--host", "Ada"]);
  await steps(made, ["chunk"], ["summarize"], ["draft", "--asset-id", "slug", "-n", "2"]);
});

let home: string;
let cwd: string;
beforeEach(() => {
  home = podcast.copy();
  cwd = join(home, workspace);
});

const episode = (...args: readonly string[]) => signoff(["episode", ...args], { cwd });
const file = (path: string) => treeOf(cwd)[path] ?? "";
const slugs = () =>
  readdirSync(join(cwd, "copy/candidates/slug")).flatMap(
    (name) => /^candidate_(.+)\.json$/.exec(name)?.[1] ?? [],
  );

describe("a person's choice", () => {
  it("is made in the workspace: a ruling on the run is refused, as it would change no file there", async () => {
    await episode("review", "--asset-id", "slug");
    const { runs } = JSON.parse((await signoff(["runs", "list", "--json"], { cwd })).stdout);
    const listed = runs.find(({ kind }: { kind: string }) => kind === "episode-review");
    expect(listed).toMatchObject({ stand_in: true, title: expect.stringMatching(/^slug of /i) });
    const { run_id } = listed;
    const ruled = await signoff(["runs", "approve", run_id, "--reason", "fine"], { cwd });
    expect(ruled.code).toBe(2);
    expect(ruled.stderr).toContain("signoff episode pick");
  });

  it("ends the wait of a loop without signatures: the inbox names the commands, and one of them empties it", async () => {
    const never = {
      creator: [{ content: "slow-bread", done: true }],
      reviewer: [{ verdict: "changes_requested", issues: [{ message: "no" }] }],
    };
    writeFileSync(join(home, "replies.json"), JSON.stringify(never));
    const inbox = async () => (await signoff(["inbox"], { cwd })).stdout;
    const review = (...more: readonly string[]) =>
      episode("review", "--asset-id", "slug", "--script", join(home, "replies.json"), ...more);
    await review("--max-iterations", "1");
    expect(await inbox()).toContain("slug: needs a person");
    const place = "--workspace . --asset-id slug";
    expect(await inbox()).toContain(`signoff episode pick ${place}`);
    expect(await inbox()).toContain(`signoff episode unlock ${place}`);
    await steps(cwd, ["unlock", "--asset-id", "slug", "--reason", "once more"]);
    expect(await inbox()).toContain("Nothing needs your input.");
    await review("--max-iterations", "2");
    expect(await inbox()).toContain("slug: needs a person");
    const [first = ""] = slugs();
    await steps(cwd, ["pick", "--asset-id", "slug", "--candidate-id", first]);
    expect(await inbox()).toContain("Nothing needs your input.");
  });

  it("made while the loop works leaves nothing in the inbox when that ends without approval", async () => {
    const no = { verdict: "changes_requested", issues: [{ message: "no" }] };
    const replies = {
      creator: [{ content: "slow-bread" }, { content: "bread-with-time", done: true }],
      reviewer: [no, no],
    };
    writeFileSync(join(home, "replies.json"), JSON.stringify(replies));
    const flags = ["--asset-id", "slug", "--max-iterations", "2"];
    const review = ["episode", "review", ...flags, "--script", join(home, "replies.json")];
    const stopped = await signoff(review, { cwd, env: { SIGNOFF_STOP_AT: "reply-recorded:3" } });
    expect(stopped.code).toBeNull();
    const [first = ""] = slugs();
    await steps(cwd, ["pick", "--asset-id", "slug", "--candidate-id", first]);
    expect((await signoff(review, { cwd })).stdout).toContain("needs_human (iteration_limit)");
    expect((await signoff(["inbox"], { cwd })).stdout).toContain("Nothing needs your input.");
  });

  it("is selected, recorded with who and why, and locked against the loop", async () => {
    const [first = ""] = slugs();
    const picked = await episode("pick", "--asset-id", "slug", "--candidate-id", first);
    expect(picked.code).toBe(0);
    const text = JSON.parse(file(`copy/candidates/slug/candidate_${first}.json`)).content;
    expect(file("copy/selected/slug.txt")).toBe(`${text}\n`);
    expect(JSON.parse(file("copy/provenance/selections/slug.json"))).toMatchObject({
      made_by: "person",
      by: "Ada Bell",
      candidate_id: first,
    });
    const status = await episode("status");
    expect(status.stdout).toMatch(/slug .*selected by a person, locked/s);
    const reviewed = await episode("review", "--asset-id", "slug");
    expect(reviewed.stdout).toContain("converged");
    expect(file("copy/selected/slug.txt")).toBe(`${text}\n`);
  });

  it("replaces a locked text only with a reason, and may be any candidate that exists", async () => {
    const [first = "", second = ""] = slugs();
    await steps(cwd, ["pick", "--asset-id", "slug", "--candidate-id", first]);
    const silent = await episode("pick", "--asset-id", "slug", "--candidate-id", second);
    expect(silent.code).toBe(2);
    expect(silent.stderr).toContain("--reason");
    const because = ["--reason", "shorter"];
    await steps(cwd, ["pick", "--asset-id", "slug", "--candidate-id", second, ...because]);
    const acts = JSON.parse(file("copy/protocol/slug/ledger.json")).acts;
    expect(acts).toMatchObject([{ kind: "pick" }, { kind: "pick", reason: "shorter" }]);
    const unknown = await episode("pick", "--asset-id", "slug", "--candidate-id", "not-there");
    expect(unknown.code).toBe(2);
    const listed = await episode("pick");
    expect([listed.code, listed.stdout]).toEqual([0, expect.stringContaining("--candidate-id")]);
  });
});

describe("unlock and restart", () => {
  const review = (...more: readonly string[]) => episode("review", "--asset-id", "slug", ...more);
  const script = (replies: object): readonly string[] => {
    writeFileSync(join(home, "replies.json"), JSON.stringify(replies));
    return ["--script", join(home, "replies.json")];
  };
  const writes = (content: string) =>
    script({ creator: [{ content, done: true }], reviewer: [{ verdict: "ok" }] });

  it("an unlocked text goes on after its decision and may change; then it is locked again", async () => {
    await review(...writes("slow-bread"));
    expect((await review(...writes("cold-dough"))).stdout).toContain("left alone");
    const before = await episode("unlock", "--asset-id", "slug", "--reason", "a better word");
    expect(before.code).toBe(0);
    const again = await review(...writes("cold-dough"));
    expect(again.stdout).toContain("converged (reviewer_ok_and_creator_done), turn 2 of ");
    expect(file("copy/selected/slug.txt")).toBe("cold-dough\n");
    expect(JSON.parse(file("copy/protocol/slug/ledger.json"))).toMatchObject({
      generation: 2,
      acts: [{ kind: "unlock", by: "Ada Bell", reason: "a better word" }],
    });
    const state = JSON.parse(file("state.json")).assets[0];
    expect(state.reviews.map((one: { iteration: number }) => one.iteration)).toEqual([1, 2]);
    const twice = await episode("unlock", "--asset-id", "description", "--reason", "x");
    expect(twice.code).toBe(2);
    expect(twice.stderr).toContain("Nothing of description is locked");
  });

  it("a restart archives the protocol, begins at 1 and keeps the selection locked", async () => {
    await review(...writes("slow-bread"));
    const old = file("copy/protocol/slug/state.json");
    expect((await review("--restart")).code).toBe(2);
    const because = ["--restart", "--reason", "new host", "--max-iterations", "1"];
    const ended = await review(...writes("cold-dough"), ...because);
    expect(ended.stdout).toContain("needs_human (iteration_limit), turn 1 of 1");
    expect(file("copy/protocol/slug/archive/1/state.json")).toBe(old);
    expect(file("copy/selected/slug.txt")).toBe("slow-bread\n");
    const state = JSON.parse(file("state.json")).assets[0];
    const chosen = state.candidates.find(
      (one: { candidate_id: string }) => one.candidate_id === state.selected_candidate_id,
    );
    expect(chosen.content).toBe("slow-bread");
    expect(JSON.parse(file("copy/protocol/slug/ledger.json"))).toMatchObject({
      generation: 2,
      acts: [{ kind: "restart", reason: "new host" }],
    });
  });

  it("a limit counts all iterations: one that leaves no room is refused with the number to give", async () => {
    const changes = { verdict: "changes_requested", issues: [{ message: "no" }] };
    const never = script({
      creator: Array(3).fill({ content: "slow-bread", done: true }),
      reviewer: Array(3).fill(changes),
    });
    expect((await review(...never)).code).toBe(1);
    await steps(cwd, ["unlock", "--asset-id", "slug", "--reason", "once more"]);
    const tooLow = await review(...never, "--max-iterations", "3");
    expect(tooLow.code).toBe(2);
    expect(tooLow.stderr).toContain("--max-iterations 4");
  });

  it("another limit than an unfinished review was begun with is refused, not ignored", async () => {
    const begun = [...writes("slow-bread"), "--max-iterations", "2"];
    const stop = { SIGNOFF_STOP_AT: "reply-recorded:1" };
    const args = ["episode", "review", "--asset-id", "slug", ...begun];
    expect((await signoff(args, { cwd, env: stop })).code).toBeNull();
    const before = treeOf(cwd);
    const other = await review(...writes("slow-bread"), "--max-iterations", "4");
    expect(other.code).toBe(2);
    expect(other.stderr.replace(/\s+/g, " ")).toContain("at most 2 iterations, not 4");
    expect(treeOf(cwd)).toEqual(before);
    expect((await review(...begun)).stdout).toContain("turn 1 of 2");
  });
});

describe("two processes at once", () => {
  it("on different assets both end up in state.json", async () => {
    const ids = ["description", "slug", "mastodon", "linkedin"];
    const ended = await Promise.all(ids.map((id) => episode("review", "--asset-id", id)));
    expect(ended.filter(({ code }) => code !== 0 && code !== 1)).toEqual([]);
    const { assets } = JSON.parse(file("state.json"));
    const reviewed = assets.filter((one: { reviews: readonly object[] }) => one.reviews.length > 0);
    expect(reviewed.map((one: { asset_id: string }) => one.asset_id).sort()).toEqual(
      [...ids].sort(),
    );
  });
});
