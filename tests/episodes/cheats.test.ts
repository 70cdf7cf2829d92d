import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { preparedFolder } from "../support/prepared-folder.ts";
import { signoff, steps } from "./episode-process.ts";

const ok = { verdict: "ok" };
const no = { verdict: "changes_requested", issues: [{ message: "Say more." }] };

/** One signed slug, one picked post, one description that two turns did not settle. */
const podcast = preparedFolder(async (root) => {
  const cwd = join(root, "bread");
  mkdirSync(join(root, ".signoff"));
  await steps(root, ["init", "--episode-id", "bread", "--workspace", "bread"]);
  writeFileSync(join(root, "talk.txt"), "Ann: Bread needs two whole days in a cold kitchen.\n");
  writeFileSync(join(root, "chapters.txt"), "00:00 Bread\n");
  const inputs = ["--transcript", "../talk.txt", "--chapters", "../chapters.txt", "--host", "Ann"];
  await steps(cwd, ["add", ...inputs], ["chunk"], ["summarize"]);
  const script = (name: string, replies: object): readonly string[] => {
    writeFileSync(join(root, name), JSON.stringify(replies));
    return ["--script", join(root, name)];
  };
  const slugs = ["slow-bread", "slow-bread-at-home"].map((content) => ({ content }));
  await steps(cwd, [
    ...["review", "--asset-id", "slug"],
    ...script("slug.json", {
      creator: [slugs[0], { ...slugs[1], done: true }],
      reviewer: [no, ok],
    }),
  ]);
  const texts = ["Bread takes time.", "Bread takes its time."].map((content) => ({
    content,
    done: true,
  }));
  const refused = script("description.json", { creator: texts, reviewer: [no, no] });
  const limit = ["--max-iterations", "2"];
  await signoff(["episode", "review", "--asset-id", "description", ...limit, ...refused], { cwd });
  await steps(cwd, ["draft", "--asset-id", "linkedin", "-n", "1"]);
  const [post = ""] = candidatesOf(cwd, "linkedin");
  await steps(cwd, ["pick", "--asset-id", "linkedin", "--candidate-id", post]);
});

function candidatesOf(cwd: string, assetId: string): readonly string[] {
  return readdirSync(join(cwd, "copy/candidates", assetId)).flatMap(
    (name) => /^candidate_(.+)\.json$/.exec(name)?.[1] ?? [],
  );
}

let root: string;
let cwd: string;
beforeEach(() => {
  root = podcast.copy();
  cwd = join(root, "bread");
});

const episode = (...args: readonly string[]) => signoff(["episode", ...args], { cwd });
const read = (path: string): string => readFileSync(join(cwd, path), "utf8");
const write = (path: string, text: string): void => writeFileSync(join(cwd, path), text);
// biome-ignore lint/suspicious/noExplicitAny: these are files of the program, read as a person would
const edit = (path: string, change: (json: any) => void): void => {
  const json = JSON.parse(read(path));
  change(json);
  write(path, JSON.stringify(json, null, 2));
};

interface Text {
  readonly state: string;
  readonly why: string;
  readonly support: string | null;
  readonly deciders: readonly string[];
  readonly missing: readonly { readonly text: string; readonly command: string }[];
}

async function stateOf(assetId: string): Promise<Text> {
  const { assets } = JSON.parse((await episode("status", "--json")).stdout);
  return assets.find((one: { asset_id: string }) => one.asset_id === assetId);
}

/** Refused with a reason, and the command that `verify` names mends it. */
async function refused(assetId: string, state: string, why: RegExp): Promise<void> {
  const found = await stateOf(assetId);
  expect(found.state).toBe(state);
  expect(found.why).toMatch(why);
  const verified = await signoff(["verify", `bread ${assetId}`, "--json"], { cwd: root });
  expect(verified.code).toBe(1);
  const [standing] = JSON.parse(verified.stdout).standings;
  expect(standing).toMatchObject({ accepted: false, kind: "episode-text" });
  await type(standing.missing.at(-1).command);
  expect(["signed", "picked"]).toContain((await stateOf(assetId)).state);
}

/** Types a command as it was printed; loops are played by stand-ins. */
async function type(command: string): Promise<void> {
  const words = (command.match(/"[^"]*"|'[^']*'|\S+/gu) ?? []).map((word) =>
    word.replace(/^["']|["']$/gu, ""),
  );
  expect(words[0]).toBe("signoff");
  const ended = await signoff(words.slice(1), { cwd: root });
  expect([command, ended.code, ended.stderr]).toEqual([command, 0, expect.anything()]);
}

it("honest work is accepted: proven by the run's record, or by a person's act", async () => {
  expect(await stateOf("slug")).toMatchObject({
    ...{ state: "signed", support: "proven", deciders: ["scripted"], missing: [] },
  });
  expect(await stateOf("linkedin")).toMatchObject({
    ...{ state: "picked", why: "picked by Ada Bell", support: "proven", deciders: ["person"] },
  });
  expect(await stateOf("description")).toMatchObject({
    state: "needs_human",
    deciders: ["scripted"],
  });
  const status = await episode("status");
  expect(status.stdout).toContain("Judged by a script, not by models: description, slug.");
  const verified = await signoff(["verify", "bread"], { cwd: root });
  expect(verified.stdout).toContain("2 accepted, 1 not.");
  expect(verified.stdout.replace(/\s+/g, " ")).toContain("decided by a script, not by a model");
});

it("every command that reads a selection refuses it in the same words", async () => {
  write("copy/selected/slug.txt", "fast-bread\n");
  const words = "copy/selected/slug.txt was changed after it was selected";
  const doors = [["episode", "review", "--asset-id", "slug"], ["doctor"], ["verify"]];
  for (const door of doors) {
    const ended = await signoff(door, { cwd });
    expect([door, ended.code]).toEqual([door, 1]);
    expect(ended.stdout.replace(/\s+/g, " ")).toContain("edited, unsigned");
    expect(ended.stdout.replace(/\s+/g, " ")).toContain(words);
    expect(ended.stdout).toContain("episode adopt --asset-id slug");
  }
});

describe("the selected file", () => {
  it("changed by hand is edited and unsigned, still locks, and can be adopted", async () => {
    write("copy/selected/slug.txt", "fast-bread\n");
    const found = await stateOf("slug");
    expect(found).toMatchObject({ state: "edited", support: null });
    expect((await episode("status")).stdout).toContain("edited, unsigned");
    const again = ["--restart", "--reason", "once more", "--max-iterations", "2"];
    const script = ["--script", join(root, "slug.json")];
    const ended = await episode("review", "--asset-id", "slug", ...again, ...script);
    expect(ended.code).toBe(1);
    expect(read("copy/protocol/slug/iteration_01.json")).toContain("locked_selection");
    expect(read("copy/selected/slug.txt")).toBe("fast-bread\n");
    await refused("slug", "edited", /slug\.txt was changed/u);
    const adopted = JSON.parse(read("copy/provenance/selections/slug.json"));
    expect(adopted).toMatchObject({ made_by: "person", by: "Ada Bell" });
    const candidate = JSON.parse(
      read(`copy/candidates/slug/candidate_${adopted.candidate_id}.json`),
    );
    expect(candidate).toMatchObject({ content: "fast-bread" });
    expect(candidate.provenance[0]).toMatchObject({ kind: "person", ref: "Ada Bell" });
  });

  it("deleted is not shown as selected, and comes back by picking it", async () => {
    rmSync(join(cwd, "copy/selected/slug.txt"));
    const reviewed = await episode("review", "--asset-id", "slug");
    expect(reviewed.stdout).not.toContain("Selected:");
    await refused("slug", "evidence_missing", /slug\.txt is gone/u);
    expect(read("copy/selected/slug.txt")).toBe("slow-bread-at-home\n");
  });

  it("deleted together with its record is still missed", async () => {
    rmSync(join(cwd, "copy/selected/slug.txt"));
    rmSync(join(cwd, "copy/provenance/selections/slug.json"));
    await refused("slug", "evidence_missing", /selected text .*slug is gone/u);
  });

  it("swapped with another text's is edited in both", async () => {
    const [slug, post] = [read("copy/selected/slug.txt"), read("copy/selected/linkedin.txt")];
    write("copy/selected/slug.txt", post);
    write("copy/selected/linkedin.txt", slug);
    expect((await stateOf("slug")).state).toBe("edited");
    await refused("linkedin", "edited", /linkedin\.txt was changed/u);
  });

  it("with line ends of another system is the same text", async () => {
    write("copy/selected/slug.txt", "slow-bread-at-home\r\n\r\n");
    expect((await stateOf("slug")).state).toBe("signed");
  });

  it("changed together with its record and candidate is contradicted by the protocol", async () => {
    const signed = JSON.parse(read("copy/provenance/selections/slug.json"));
    write("copy/selected/slug.txt", "fast-bread\n");
    edit("copy/provenance/selections/slug.json", (record) => {
      record.sha256 = createHash("sha256").update("fast-bread\n").digest("hex");
    });
    edit(`copy/candidates/slug/candidate_${signed.candidate_id}.json`, (candidate) => {
      candidate.content = "fast-bread";
    });
    await refused("slug", "evidence_missing", /candidate_.*\.json was changed/u);
  });
});

describe("the evidence of a signature", () => {
  const gone = ["copy/candidates/slug", "copy/reviews/slug"].map((folder) => [folder] as const);

  it.each(gone)("is missed when a file of %s is deleted", async (folder) => {
    const [name = ""] = readdirSync(join(cwd, folder)).filter((one) => one.endsWith(".json"));
    rmSync(join(cwd, folder, name));
    await refused("slug", "evidence_missing", new RegExp(`${name} is gone`, "u"));
  });

  it("is missed when an iteration or the whole protocol is deleted", async () => {
    rmSync(join(cwd, "copy/protocol/slug/iteration_01.json"));
    expect(await stateOf("slug")).toMatchObject({
      state: "evidence_missing",
      why: "copy/protocol/slug/iteration_01.json is gone",
    });
    rmSync(join(cwd, "copy/protocol/slug"), { recursive: true });
    await refused("slug", "evidence_missing", /protocol\/slug\/state\.json is gone/u);
  });

  it("does not come from another episode, whose texts were written from other inputs", async () => {
    writeFileSync(join(root, "cake.txt"), "Ben: Cake needs one hour in a hot oven.\n");
    await steps(root, ["init", "--episode-id", "cake", "--workspace", "cake"]);
    await steps(root, ["add", "--workspace", "cake", "--transcript", "cake.txt"]);
    cpSync(join(cwd, "copy"), join(root, "cake/copy"), { recursive: true });
    const verified = await signoff(["verify", "cake slug"], { cwd: root });
    expect(verified.code).toBe(1);
    expect(verified.stdout.replace(/\s+/g, " ")).toContain("stale It was signed, but transcript");
  });

  it("stays stale when only the copy of its inputs in state.json is changed", async () => {
    await steps(cwd, ["add", "--host", "Ben"]);
    const hosts = createHash("sha256").update("Ben").digest("hex");
    edit("state.json", ({ assets }) => {
      for (const { provenance } of assets[0].candidates) {
        for (const one of provenance) {
          if (one.ref === "hosts in episode.yaml") one.metadata.sha256 = hosts;
        }
      }
    });
    expect((await stateOf("slug")).state).toBe("stale");
  });

  it("does not come from a decision that was written into the protocol", async () => {
    edit("copy/protocol/description/state.json", ({ decision }) => {
      decision.outcome = "converged";
    });
    const last = JSON.parse(read("copy/protocol/description/state.json")).iterations.at(-1);
    const { candidate } = last.creator;
    write("copy/selected/description.md", `${candidate.content}\n`);
    edit("state.json", ({ assets }) => {
      const own = assets.find((one: { asset_id: string }) => one.asset_id === "description");
      own.selected_candidate_id = candidate.candidate_id;
    });
    const found = await stateOf("description");
    expect(found.state).toBe("evidence_missing");
    expect(found.why).toContain("the verdict is changes_requested");
  });

  it("does not come from files that agree with each other but not with the run's record", async () => {
    const approve = (review: { verdict: string; issues: object[] }): void => {
      review.verdict = "ok";
      review.issues = [];
    };
    edit("copy/protocol/description/state.json", ({ decision, iterations }) => {
      decision.outcome = "converged";
      approve(iterations[1].reviewer);
    });
    edit("copy/protocol/description/iteration_02.json", ({ reviewer }) => approve(reviewer));
    edit("copy/reviews/description/iteration_02.reviewer.json", approve);
    const { candidate } = JSON.parse(read("copy/protocol/description/iteration_02.json")).creator;
    write("copy/selected/description.md", `${candidate.content}\n`);
    edit("state.json", ({ assets }) => {
      const own = assets.find((one: { asset_id: string }) => one.asset_id === "description");
      own.selected_candidate_id = candidate.candidate_id;
    });
    const found = await stateOf("description");
    expect(found.state).toBe("evidence_missing");
    expect(found.why).toBe("iteration 2 is not what its run recorded");
    rmSync(join(root, ".signoff/signoff.db"));
    const alone = await stateOf("description");
    expect(alone).toMatchObject({ state: "signed", support: "attested" });
  });
});

describe("a person's choice", () => {
  it("cannot be claimed by the record alone", async () => {
    edit("copy/provenance/selections/slug.json", (record) => {
      Object.assign(record, { made_by: "person", by: "Ada Bell" });
    });
    await refused("slug", "evidence_missing", /records no choice of this text by Ada Bell/u);
  });

  it("is about one text: another candidate cannot be put in its place", async () => {
    const other = "22da6922-e42f-5d0c-a51b-5f56b2c23577";
    const own = { asset_id: "linkedin", content: "Another post.", format: "plain" };
    write(`copy/candidates/linkedin/candidate_${other}.json`, JSON.stringify(own));
    const { content } = JSON.parse(read(`copy/candidates/linkedin/candidate_${other}.json`));
    const text = `${content} `;
    edit(`copy/candidates/linkedin/candidate_${other}.json`, (candidate) => {
      candidate.content = text;
    });
    write("copy/selected/linkedin.txt", `${text}\n`);
    edit("copy/provenance/selections/linkedin.json", (record) => {
      record.candidate_id = other;
      record.sha256 = createHash("sha256").update(`${text}\n`).digest("hex");
    });
    await refused("linkedin", "evidence_missing", /records no choice of this text/u);
  });

  it("copied from another text or episode is refused", async () => {
    const foreign = read("copy/provenance/selections/slug.json");
    write("copy/provenance/selections/description.json", foreign);
    const status = await episode("status");
    expect(status.code).toBe(1);
    expect(status.stdout.replace(/\s+/g, " ")).toContain('is about "slug", but lies with');
  });

  it("is missed when its candidate is deleted or changed afterwards", async () => {
    const [post = ""] = candidatesOf(cwd, "linkedin");
    const file = `copy/candidates/linkedin/candidate_${post}.json`;
    const text = read(file);
    edit(file, (candidate) => {
      candidate.content = "Buy bread!";
    });
    expect((await stateOf("linkedin")).why).toContain("was changed");
    write(file, text);
    expect((await stateOf("linkedin")).state).toBe("picked");
    rmSync(join(cwd, file));
    await refused("linkedin", "evidence_missing", /candidate_.* is gone/u);
  });

  it("of an edited candidate takes the edited words, unsigned until they are adopted", async () => {
    const [post = ""] = candidatesOf(cwd, "linkedin");
    edit(`copy/candidates/linkedin/candidate_${post}.json`, (candidate) => {
      candidate.content = "Buy bread!";
    });
    const picked = await episode("pick", "--asset-id", "linkedin", "--candidate-id", post);
    expect(picked.code).toBe(0);
    expect(picked.stdout.replace(/\s+/g, " ")).toContain("so the text is unsigned");
    expect(read("copy/selected/linkedin.txt")).toBe("Buy bread!\n");
    await refused("linkedin", "unsigned", /had been edited/u);
  });

  it("stays when everything is started over, until the person lets go", async () => {
    const text = read("copy/selected/linkedin.txt");
    const all = ["review", "--all", "--restart", "--reason", "new season"];
    const ended = await episode(...all);
    expect(read("copy/selected/linkedin.txt")).toBe(text);
    expect(ended.stdout.replace(/\s+/g, " ")).toContain("picked by Ada Bell and left alone");
    const named = await episode("review", "--asset-id", "linkedin");
    expect(named.stdout).toContain("picked by a person");
    expect(read("copy/selected/linkedin.txt")).toBe(text);
    expect((await stateOf("linkedin")).state).toBe("picked");
    await steps(cwd, ["unlock", "--asset-id", "linkedin", "--reason", "let the loop try"]);
    expect((await stateOf("linkedin")).state).toBe("in_review");
  });
});

describe("an input that changes", () => {
  const changes: readonly (readonly [string, readonly string[], string])[] = [
    ["chapters", ["add", "--chapters", "../other.txt"], "chapters changed"],
    ["hosts", ["add", "--host", "Ben"], "hosts in episode.yaml changed"],
    ["language", ["add", "--language", "de"], "language of the texts changed"],
  ];

  it.each(changes)(
    "such as %s makes texts stale that were written with it",
    async (_, add, why) => {
      writeFileSync(join(root, "other.txt"), "00:00 Flour\n");
      await steps(cwd, add);
      expect(await stateOf("slug")).toMatchObject({ state: "stale", why });
      expect(await stateOf("linkedin")).toMatchObject({ state: "stale", why });
    },
  );

  it("is named, and what was signed is signed again, what was picked is adopted", async () => {
    await steps(cwd, ["add", "--host", "Ben"]);
    const status = await episode("status");
    const why = "stale; hosts in episode.yaml changed";
    expect(status.stdout.replace(/\s+/g, " ")).toContain(why);
    await refused("slug", "stale", /hosts/u);
    await refused("linkedin", "stale", /hosts/u);
  });

  it("by hand counts too, and editorial notes reach only their text", async () => {
    write("transcript/chapters.txt", "00:00 Flour\n");
    expect((await stateOf("slug")).why).toBe("chapters changed");
    write("transcript/chapters.txt", "00:00 Bread\n");
    expect((await stateOf("slug")).state).toBe("signed");
    write("episode.yaml", `${read("episode.yaml")}editorial_notes: { slug: "No puns." }\n`);
    expect((await stateOf("slug")).why).toBe("editorial_notes.slug in episode.yaml changed");
    expect((await stateOf("linkedin")).state).toBe("picked");
  });

  it("makes nothing stale that says nothing about it, as texts of the last version", async () => {
    for (const id of candidatesOf(cwd, "linkedin")) {
      edit(`copy/candidates/linkedin/candidate_${id}.json`, (candidate) => {
        candidate.provenance = candidate.provenance.filter(
          ({ kind, ref }: { kind: string; ref: string }) =>
            kind !== "derived_from" || ref.startsWith("summaries/"),
        );
      });
    }
    edit("state.json", ({ assets }) => {
      const own = assets.find((one: { asset_id: string }) => one.asset_id === "linkedin");
      const [id] = candidatesOf(cwd, "linkedin");
      own.candidates = [JSON.parse(read(`copy/candidates/linkedin/candidate_${id}.json`))];
    });
    await steps(cwd, ["add", "--host", "Ben"]);
    expect((await stateOf("linkedin")).state).toBe("picked");
  });
});

describe("a panel", () => {
  it("is shown with its rule, and its members' own reviews are counted again", async () => {
    const built = readFileSync(join(import.meta.dirname, "../../recipes/slug.md"), "utf8");
    const members = ["brand", "legal", "search"];
    const recipe = built
      .replace(
        "---\n",
        `---\nreviewers: [{ name: brand }, { name: legal }, { name: search }]\npanel: majority\n`,
      )
      .concat(members.map((name) => `\n## Reviewer: ${name}\n\nJudge as ${name}.\n`).join(""));
    mkdirSync(join(root, "signoff/recipes"), { recursive: true });
    writeFileSync(join(root, "signoff/recipes/slug.md"), recipe);
    const script = join(root, "panel.json");
    const creator = [{ content: "slow-bread-at-home", done: true }];
    writeFileSync(script, JSON.stringify({ creator, reviewer: [ok, no, ok] }));
    const again = ["--restart", "--reason", "a panel", "--max-iterations", "1"];
    const ended = await episode("review", "--asset-id", "slug", ...again, "--script", script);
    expect(ended.stdout.replace(/\s+/g, " ")).toContain(
      "signed (rule majority; approved: brand, search; objected: legal)",
    );
    expect(await stateOf("slug")).toMatchObject({
      state: "signed",
      vote: { rule: "majority", approved: ["brand", "search"], objected: ["legal"] },
    });
    edit("copy/reviews/slug/iteration_01.search.json", (review) => {
      review.verdict = "changes_requested";
    });
    const found = await stateOf("slug");
    expect(found.state).toBe("evidence_missing");
    expect(found.why).toContain("the panel did not approve (rule majority; approved: brand;");
  });
});
