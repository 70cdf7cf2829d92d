import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { preparedFolder } from "../support/prepared-folder.ts";
import { signoff, steps, treeOf } from "./episode-process.ts";

const talk = `Ada: Slow bread is bread that had two whole days of time in a cold kitchen.

Ben: A sourdough starter needs flour and water every morning, and patience on top of that.

Ada: The oven has to be hot before the loaf goes in, or the crust never opens.
`;

/** A workspace with a transcript and three drafts of the slug and the search title. */
const podcast = preparedFolder(async (root) => {
  writeFileSync(join(root, "talk.txt"), talk);
  await steps(root, ["init", "--episode-id", "bread", "--workspace", "bread"]);
  await steps(
    join(root, "bread"),
    ["add", "--transcript", "../talk.txt"],
    ["chunk"],
    ["summarize"],
    ["draft", "--asset-id", "slug", "--asset-id", "title_seo"],
  );
});

let home: string;
let cwd: string;
beforeEach(() => {
  home = podcast.copy();
  cwd = join(home, "bread");
});

const episode = (...args: readonly string[]) => signoff(["episode", ...args], { cwd });
const json = (path: string) => JSON.parse(treeOf(cwd)[path] ?? "null");
const script = (replies: object): string => {
  const file = join(home, "replies.json");
  writeFileSync(file, JSON.stringify(replies));
  return file;
};
const changes = { verdict: "changes_requested", issues: [{ message: "Say what kind of bread." }] };
const better = { content: "slow-rye-bread", done: true };

describe("a text of one's own", () => {
  it("is reviewed first, and written on only where something must change", async () => {
    const replies = script({ creator: [better], reviewer: [changes, { verdict: "ok" }] });
    const ended = await episode(
      "edit",
      "--asset-id",
      "slug",
      "--text",
      "bread",
      "--script",
      replies,
    );
    expect(ended.code, ended.stderr).toBe(0);
    const [first, second] = json("copy/protocol/slug/state.json").iterations;
    expect(first.creator.candidate.content).toBe("bread");
    expect(JSON.stringify(first.creator.candidate.provenance)).toContain('"ref":"Ada Bell"');
    expect(first.reviewer.verdict).toBe("changes_requested");
    expect(second.creator.candidate.content).toBe("slow-rye-bread");
    expect(treeOf(cwd)["copy/selected/slug.txt"]).toBe("slow-rye-bread\n");
  });

  it("may be the selected file as it was edited by hand, locked and decided or not", async () => {
    await steps(cwd, ["review", "--asset-id", "slug"]);
    writeFileSync(join(cwd, "copy/selected/slug.txt"), "bread-and-patience\n");
    const adopted = await episode("adopt", "--asset-id", "slug", "--reason", "my words");
    expect(adopted.stdout).toContain("signoff episode edit --asset-id slug");
    const replies = script({ creator: [], reviewer: [{ verdict: "ok" }] });
    const ended = await episode("edit", "--asset-id", "slug", "--script", replies);
    expect(ended.code, ended.stdout).toBe(0);
    expect(treeOf(cwd)["copy/selected/slug.txt"]).toBe("bread-and-patience\n");
    const status = JSON.parse((await episode("status", "--json")).stdout);
    const slug = status.assets.find((one: { asset_id: string }) => one.asset_id === "slug");
    expect(slug).toMatchObject({ state: "signed", deciders: ["person", "scripted"] });
  });

  it("can be given to the run that ended without a signature", async () => {
    const replies = script({ creator: [better], reviewer: [changes] });
    const limit = ["--max-iterations", "1", "--script", replies, "--json"];
    const ended = await episode("review", "--asset-id", "slug", ...limit);
    expect(ended.code).toBe(1);
    const run = JSON.parse(ended.stdout).run_id;
    const edited = await signoff(["runs", "edit", run, "--text", "bread-and-patience"], { cwd });
    expect(edited.code, edited.stdout + edited.stderr).toBe(0);
    expect(treeOf(cwd)["copy/selected/slug.txt"]).toBe("bread-and-patience\n");
  });

  it("is refused with a sentence where it is empty or nothing is selected", async () => {
    const none = await episode("edit", "--asset-id", "slug");
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("no selected text")]);
    const empty = await episode("edit", "--asset-id", "slug", "--text", " ");
    expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining("The text is empty")]);
  });
});

describe("choosing without a terminal", () => {
  it("lists every text in full, with verdict, date and the command that picks it", async () => {
    const at = signoff(["episode", "pick", "--asset-id", "slug", "--workspace", "bread"], {
      cwd: home,
    });
    const { code, stdout } = await at;
    expect(code).toBe(0);
    const commands = stdout.split("\n").filter((line) => line.includes("--candidate-id"));
    expect(commands).toHaveLength(3);
    for (const line of commands)
      expect(line.trim()).toMatch(/^signoff episode pick .* --workspace bread$/);
    expect(stdout).toMatch(/\[1\] \d{4}-\d\d-\d\d \d\d:\d\d .*, offline\/rules, not reviewed/);
    const [command = ""] = commands;
    const picked = await signoff(command.trim().split(" ").slice(1), { cwd: home });
    expect(picked.code, picked.stderr).toBe(0);
    const listed = await episode("pick", "--asset-id", "slug", "--json");
    const [text] = JSON.parse(listed.stdout).texts;
    expect(text.candidates.filter((one: { is_selected: boolean }) => one.is_selected)).toHaveLength(
      1,
    );
    expect((await episode("pick", "--asset-id", "slug")).stdout).toContain(
      "against the selected text",
    );
    const review = JSON.parse((await episode("review", "--all", "--json")).stdout);
    const slug = review.assets.find((one: { asset_id: string }) => one.asset_id === "slug");
    expect(slug.selected).toBe("copy/selected/slug.txt");
  });
});

describe("drafts", () => {
  it("of one text are asked for from different angles", () => {
    const prompts = Object.entries(treeOf(cwd))
      .filter(([path]) => path.startsWith("copy/provenance/prompts/"))
      .map(([, text]) => JSON.parse(text).prompt_text as string)
      .filter((text) => text.includes("search engines"));
    const angles = prompts.map((text) => /Start from [^.]*\./u.exec(text)?.[0]);
    expect(new Set(angles).size).toBe(3);
    expect(angles).not.toContain(undefined);
  });

  it("that say the same as a text that is there are dropped, which is said", async () => {
    const same = await episode("draft", "--asset-id", "slug", "--new");
    expect(same.code).toBe(0);
    expect(same.stdout.replace(/\s+/g, " ")).toContain("3 drafts dropped, the same as another");
    const files = Object.keys(treeOf(cwd)).filter((path) => path.includes("candidates/slug/"));
    expect(files.filter((path) => path.endsWith(".json"))).toHaveLength(3);
  });

  it("show progress, and say so where there is no summary to write from", async () => {
    const file = join(home, "long.txt");
    writeFileSync(file, readFileSync(join(home, "talk.txt"), "utf8").repeat(20));
    await steps(home, ["init", "--episode-id", "long", "--workspace", "long"]);
    cwd = join(home, "long");
    await steps(cwd, ["add", "--transcript", file]);
    const drafted = await episode("draft", "--asset-id", "slug");
    expect(drafted.stderr.replace(/\s+/g, " ")).toContain(
      "There is no summary of the episode, so only the first 4,000 characters",
    );
    expect(drafted.stderr).toContain("slug: 3 drafts written");
    expect((await episode("status")).stdout).toContain("written without a summary");
    await steps(cwd, ["chunk"]);
    const summarized = await episode("summarize");
    expect(summarized.stderr).toMatch(/chunk 1: summarized \(.* s\)\n.*episode: summarized/su);
  });
});

it("commands of the inbox work in every folder of the project", async () => {
  writeFileSync(join(home, "signoff.yaml"), "version: 1\n");
  writeFileSync(join(home, "rye.txt"), talk);
  const rye = ["--workspace", "rye"];
  await steps(
    home,
    ["init", "--episode-id", "rye", ...rye],
    ["add", "--transcript", "rye.txt", ...rye],
  );
  const creator = [{ content: "slow-bread", done: true }];
  writeFileSync(join(home, "no.json"), JSON.stringify({ creator, reviewer: [changes] }));
  const asked = ["--asset-id", "slug", "--script", "no.json", "--max-iterations", "1"];
  await signoff(["episode", "review", ...rye, ...asked], { cwd: home });
  const sub = join(home, "notes");
  mkdirSync(sub);
  const { stdout } = await signoff(["inbox"], { cwd: sub });
  const commands = stdout.match(/signoff episode .*$/gmu) ?? [];
  expect(commands).toEqual([
    "signoff episode pick --workspace ../rye --asset-id slug",
    "signoff episode unlock --workspace ../rye --asset-id slug",
  ]);
  const picked = await signoff(commands[0]?.split(" ").slice(1) ?? [], { cwd: sub });
  expect(picked.stdout).toContain("slow-bread");
});

it("commands that are printed work from another folder, one line each, also in errors", async () => {
  const flag = ["--workspace", "bread"];
  const from = (...args: readonly string[]) =>
    signoff(["episode", ...args, ...flag], { cwd: home });
  const outputs = [
    await from("status"),
    await from("adopt", "--asset-id", "slug", "--reason", "x"),
  ];
  const said = outputs.map(({ stdout, stderr }) => `${stdout}${stderr}`).join("\n");
  const commands = said.replace(/\s*\n(?=--)/g, " ").match(/signoff episode [^`\n]*/g) ?? [];
  expect(commands.length).toBeGreaterThan(1);
  for (const command of commands) expect(command).toContain("--workspace bread");
  const next = outputs[0]?.stdout.match(/^ {2}(signoff episode .*)$/mu)?.[1] ?? "";
  const ran = await signoff(next.split(" ").slice(1), { cwd: home });
  expect([0, 1]).toContain(ran.code);
});
