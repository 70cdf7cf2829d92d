import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { atTerminal, keys } from "../support/at-terminal.ts";
import { preparedFolder } from "../support/prepared-folder.ts";
import { steps, treeOf } from "./episode-process.ts";

const { down, enter, interrupt } = keys;

const podcast = preparedFolder(async (root) => {
  const workspace = join(root, "bread");
  const said = [
    "Ann: Slow bread needs two whole days of time in a cold kitchen.",
    "Ben: A sourdough starter needs flour and water every morning, and patience on top of that.",
    "Ann: The oven has to be hot before the loaf goes in, or the crust never opens.",
    "Ben: The mill by the river grinds rye with stones, and the flour stays cool.",
    "Ann: A baker who sleeps at night lets the dough work in the cold cellar instead.",
    "Ben: Salt goes in last, because it slows the yeast down for several hours.",
    "Ann: A loaf that cools for one hour keeps its crumb when the knife comes.",
  ];
  writeFileSync(join(root, "talk.txt"), `${said.join("\n\n")}\n`);
  await steps(root, ["init", "--episode-id", "bread", "--workspace", "bread"]);
  await steps(workspace, ["add", "--transcript", "../talk.txt"], ["chunk"], ["summarize"]);
  const drafts = ["mastodon", "slug"].flatMap((id) => ["--asset-id", id]);
  await steps(workspace, ["draft", ...drafts, "-n", "3"]);
});

let home: string;
let cwd: string;
beforeEach(() => {
  home = podcast.copy();
  cwd = join(home, "bread");
});

/** Types each answer when its question is on the screen. */
function pick(answers: readonly (readonly [question: string, keys: readonly string[]])[]) {
  const exchanges = answers.map(([seen, press]) => ({ seen, press }));
  const env = { HOME: home, SIGNOFF_USER: "Ada Bell" };
  return atTerminal(["episode", "pick"], { cwd, env }, exchanges);
}

function candidates(assetId: string): readonly { candidate_id: string; content: string }[] {
  const folder = join(cwd, "copy/candidates", assetId);
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")))
    .sort((a, b) =>
      `${a.created_at} ${a.candidate_id}` < `${b.created_at} ${b.candidate_id}` ? -1 : 1,
    );
}

it("the second of three is chosen with the arrow, and a text can be left out", async () => {
  const { code, screen } = await pick([
    ["mastodon: which text?", [down, enter]],
    ["slug: which text?", [down, down, down, enter]],
  ]);
  expect(code).toBe(0);
  expect(screen).toContain("Selected: copy/selected/mastodon.txt");
  expect(treeOf(cwd)["copy/selected/mastodon.txt"]?.trim()).toBe(
    candidates("mastodon")[1]?.content.trim(),
  );
  expect(treeOf(cwd)["copy/selected/slug.txt"]).toBeUndefined();
});

it("Ctrl-C keeps what was chosen before it", async () => {
  const { code } = await pick([
    ["mastodon: which text?", [enter]],
    ["slug: which text?", [interrupt]],
  ]);
  expect(code).toBe(130);
  expect(Object.keys(treeOf(cwd)).filter((path) => path.startsWith("copy/selected/"))).toEqual([
    "copy/selected/mastodon.txt",
  ]);
});

it("another text instead of a locked one needs a reason, which is kept", async () => {
  await pick([
    ["mastodon: which text?", [enter]],
    ["slug: which text?", [enter]],
  ]);
  const { code, screen } = await pick([
    ["mastodon: which text?", [enter]],
    ["slug: which text?", [down, enter]],
    ["Why should it change?", ["s", "h", "o", "r", "t", "e", "r", enter]],
  ]);
  expect(screen).toContain("slug is locked");
  expect(code).toBe(0);
  const tree = treeOf(cwd);
  const chosen = JSON.parse(tree["copy/provenance/selections/slug.json"] ?? "");
  expect(chosen.candidate_id).toBe(candidates("slug")[1]?.candidate_id);
  const { acts } = JSON.parse(tree["copy/protocol/slug/ledger.json"] ?? "");
  expect(acts.at(-1)).toMatchObject({ kind: "pick", by: "Ada Bell", reason: "shorter" });
});
