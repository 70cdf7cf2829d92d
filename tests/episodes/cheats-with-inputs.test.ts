import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  candidatesOf,
  cwd,
  edit,
  episode,
  no,
  ok,
  preparePodcast,
  read,
  refused,
  root,
  stateOf,
  write,
} from "./cheated-podcast.ts";
import { steps } from "./episode-process.ts";

preparePodcast();

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
