import { createHash } from "node:crypto";
import { cpSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  candidatesOf,
  cwd,
  edit,
  episode,
  ok,
  preparePodcast,
  read,
  refused,
  root,
  stateOf,
  write,
} from "./cheated-podcast.ts";
import { signoff, steps } from "./episode-process.ts";

preparePodcast();

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

  it("that is a link out of the workspace is named, and not read", async () => {
    writeFileSync(join(root, "elsewhere.txt"), "fast-bread\n");
    rmSync(join(cwd, "copy/selected/slug.txt"));
    symlinkSync(join(root, "elsewhere.txt"), join(cwd, "copy/selected/slug.txt"));
    expect(await stateOf("slug")).toMatchObject({
      state: "evidence_missing",
      why: "copy/selected/slug.txt cannot be read",
    });
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

  it("has an HTML beside it that cannot say anything else, and that doctor writes again", async () => {
    const [candidateId = ""] = candidatesOf(cwd, "description");
    await steps(cwd, ["pick", "--asset-id", "description", "--candidate-id", candidateId]);
    const rendered = read("copy/selected/description.html");
    write("copy/selected/description.html", rendered.replaceAll("\n", "\r\n"));
    expect((await stateOf("description")).state).toBe("picked");
    write("copy/selected/description.html", "<p>Buy our bread.</p>\n");
    expect((await stateOf("description")).state).toBe("edited");
    expect((await signoff(["verify", "bread description"], { cwd: root })).code).toBe(1);
    const found = await signoff(["doctor"], { cwd: root });
    expect(found.code).toBe(1);
    expect(found.stdout).toContain("(cd bread && signoff doctor --repair)");
    const mended = await signoff(["doctor", "--repair"], { cwd: root });
    expect(mended.stdout).toContain("copy/selected/description.html was written again");
    expect(read("copy/selected/description.html")).toBe(rendered);
    expect((await stateOf("description")).state).toBe("picked");
  });

  it("has no other HTML where the record of its selection is gone, too", async () => {
    const loop = ["--script", join(root, "signed.json")];
    const content = `${"Bread takes two whole days. ".repeat(4)}\n\n## Links\n\nNone.\n`;
    const text = { content, done: true };
    writeFileSync(join(root, "signed.json"), JSON.stringify({ creator: [text], reviewer: [ok] }));
    await steps(cwd, ["review", "--asset-id", "shownotes", ...loop, "--max-iterations", "1"]);
    const found = await stateOf("shownotes");
    rmSync(join(cwd, "copy/provenance/selections/shownotes.json"), { force: true });
    write("copy/selected/shownotes.html", "<p>Buy our bread.</p>\n");
    expect([found.state, (await stateOf("shownotes")).state]).toEqual(["signed", "edited"]);
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

  it.each([
    "copy/protocol/slug/state.json",
    "copy/protocol/slug/ledger.json",
    "copy/provenance/selections/slug.json",
    "state.json",
    "episode.yaml",
  ])("is not accepted while %s cannot be read", async (file) => {
    write(file, "{");
    expect(await stateOf("slug")).toMatchObject({
      state: "evidence_missing",
      why: `${file} cannot be read`,
    });
    const verified = await signoff(["verify"], { cwd: root });
    expect(verified.code).toBe(1);
    expect(verified.stdout).toContain("(cd bread && signoff doctor)");
    for (const place of [cwd, root]) {
      const found = await signoff(["doctor"], { cwd: place });
      expect([place, found.code]).toEqual([place, 1]);
      expect(found.stdout).toContain(file);
    }
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
    expect(found.why).toBe("turn 2 is not what its run recorded");
    rmSync(join(root, ".signoff/signoff.db"));
    const alone = await stateOf("description");
    expect(alone).toMatchObject({ state: "signed", support: "attested" });
  });
});
