import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { AgentError, reviewEpisode } from "../../src/index.ts";
import { preparedFolder } from "../support/prepared-folder.ts";
import { type Surroundings, signoff, steps, treeOf } from "./episode-process.ts";

const transcript =
  "00:00:00 Ann: Today we bake bread that needs two days.\n00:00:09 Bob: The dough rests overnight.\n";

/** An agent as the original program knows them: its folder is the workspace, the prompt comes on its input. */
function agent(reply: string, opening = ""): string {
  return `
    import { appendFileSync, readFileSync } from "node:fs";
    const prompt = readFileSync(0, "utf8");
    appendFileSync("asked.log", prompt.split("\\n")[0] + "\\n");
    console.log("${opening}" + JSON.stringify(${reply}));
  `;
}

const writer = `{ creator: { applied: true, done: true, candidate: {
  asset_id: "slug", candidate_id: "11111111-1111-4111-8111-111111111111", content: "two-day-bread" } } }`;
const reviewer = `{ review: { iteration: 9, verdict: "ok", issues: [] } }`;

const podcast = preparedFolder(async (root) => {
  writeFileSync(join(root, "talk.txt"), transcript);
  await steps(root, ["init", "--episode-id", "bread", "--workspace", "bread"]);
  await steps(join(root, "bread"), ["add", "--transcript", "../talk.txt"]);
});

let home: string;
let cwd: string;
let around: Surroundings;

beforeEach(() => {
  home = podcast.copy();
  cwd = join(home, "bread");
  around = { cwd, env: { HOME: home } };
  mkdirSync(join(cwd, "agents"));
  writeFileSync(join(cwd, "agents/writer.mjs"), agent(writer, "Here you are: "));
  writeFileSync(join(cwd, "agents/reviewer.mjs"), agent(reviewer));
  name({ creator: "agents/writer.mjs", reviewer: "agents/reviewer.mjs" });
});

function name(agents: { readonly [role: string]: string }, command = process.execPath): void {
  const path = join(cwd, "episode.yaml");
  const kept = readFileSync(path, "utf8").split("agents:")[0];
  const lines = Object.entries(agents).map(
    ([role, file]) => `  ${role}: { command: ${command}, args: [${file}] }\n`,
  );
  writeFileSync(path, `${kept}agents:\n${lines.join("")}`);
}

const review = (...more: string[]) =>
  signoff(["episode", "review", "--asset-id", "slug", ...more], around);

describe("agents of episode.yaml", () => {
  it("run nothing before a person has seen and accepted them, and nothing is written", async () => {
    const before = treeOf(cwd);
    const refused = await review();
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("agents/writer.mjs");
    expect(refused.stderr).toContain("signoff trust");
    expect(treeOf(cwd)).toEqual(before);
    const shown = await signoff(["trust"], around);
    expect(shown.code).toBe(3);
    expect(shown.stdout).toContain("agents.reviewer of episode.yaml runs:");
  });

  it("write and review as two models, in the workspace, with the original's replies", async () => {
    expect((await signoff(["trust", "--yes"], around)).code).toBe(0);
    const { code, stdout } = await review("--json");
    expect(JSON.parse(stdout)).toMatchObject({
      stand_in: false,
      assets: [{ outcome: "converged", iteration: 1, selected: "copy/selected/slug.txt" }],
    });
    expect(code).toBe(0);
    const tree = treeOf(cwd);
    expect(tree["copy/selected/slug.txt"]).toBe("two-day-bread\n");
    expect(tree["asked.log"]?.trim().split("\n")).toHaveLength(2);
    const { creator, reviewer: reviewed } = JSON.parse(
      tree["copy/protocol/slug/iteration_01.json"] ?? "",
    );
    expect(modelOf(creator.candidate)).toBe("command/creator-node");
    expect(modelOf(reviewed)).toBe("command/reviewer-node");
    expect(reviewed).toMatchObject({ iteration: 1, reviewer: "reviewer" });
    expect(creator.candidate.candidate_id).not.toMatch(/^1111/);
  });

  it("are asked about again once a command has changed", async () => {
    await signoff(["trust", "--yes"], around);
    name({ creator: "agents/other.mjs", reviewer: "agents/reviewer.mjs" });
    expect((await review()).stderr).toContain("not trusted yet");
    expect(existsSync(join(cwd, "asked.log"))).toBe(false);
  });

  it("are trusted by their digest where there is no home to keep a yes in", async () => {
    const reported = await signoff(["trust", "--json"], around);
    const { digest } = JSON.parse(reported.stdout).episode;
    const env = { HOME: home, SIGNOFF_TRUST: `0000,${digest}` };
    const ended = await signoff(["episode", "review", "--asset-id", "slug"], { cwd, env });
    expect(ended.code).toBe(0);
  });

  it("give way to a model that the command line names", async () => {
    expect((await review("--model", "offline/rules")).code).toBe(0);
    expect(existsSync(join(cwd, "asked.log"))).toBe(false);
  });

  it("that are not installed are named before anything is written", async () => {
    name({ creator: "exec" }, "bread-writer");
    const before = treeOf(cwd);
    const refused = await review("--trust");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("bread-writer of agents.creator was not found");
    expect(treeOf(cwd)).toEqual(before);
    const status = await signoff(["episode", "status"], around);
    expect(status.code).toBe(0);
    expect(status.stderr).toContain("bread-writer of agents.creator was not found");
    const { stdout } = await signoff(["episode", "status", "--json"], around);
    expect(JSON.parse(stdout).missing_agents).toEqual([
      { role: "creator", program: "bread-writer" },
    ]);
  });

  it("are asked to sign where the approval has a label, which could be a word of doubt", async () => {
    const signs = `prompt.includes("reply with exactly") ? { verdict: "ok" } : { verdict: "ok", reviewer: "some/body" }`;
    writeFileSync(join(cwd, "agents/reviewer.mjs"), agent(signs));
    const { stdout } = await review("--trust", "--json");
    expect(JSON.parse(stdout).assets).toMatchObject([
      { outcome: "converged", iteration: 1, reviewer: { label: "reviewer" } },
    ]);
    expect(readFileSync(join(cwd, "asked.log"), "utf8").trim().split("\n")).toHaveLength(3);
  });

  it.each([
    ["exits with 1", "process.exit(1);"],
    ["says nothing", ""],
  ])("end the review with 5 when one of them %s, and the next try asks again", async (_, code) => {
    writeFileSync(join(cwd, "agents/writer.mjs"), code);
    const failed = await review("--trust");
    expect(failed.code).toBe(5);
    expect(failed.stdout).toMatch(/slug +in_progress\n/u);
    expect(treeOf(cwd)["copy/selected/slug.txt"]).toBeUndefined();
    writeFileSync(join(cwd, "agents/writer.mjs"), agent(writer, "Here you are: "));
    expect((await review("--trust")).code).toBe(0);
    expect(treeOf(cwd)["copy/selected/slug.txt"]).toBe("two-day-bread\n");
  });

  it("draft when they are named as drafter", async () => {
    name({ drafter: "agents/writer.mjs" });
    const args = ["episode", "draft", "--asset-id", "slug", "-n", "2", "--trust"];
    expect((await signoff(args, around)).code).toBe(0);
    const drafts = Object.entries(treeOf(cwd)).filter(([path]) => path.endsWith(".txt"));
    const slugs = drafts.filter(([path]) => path.startsWith("copy/candidates/slug/"));
    expect(
      slugs.map(([, text]) => text),
      "equal drafts are one",
    ).toEqual(["two-day-bread\n"]);
  });
});

describe("a review by agents that was killed after the writer's reply", () => {
  const asked = () => treeOf(cwd)["asked.log"]?.trim().split("\n").length;
  async function killed(): Promise<string> {
    const args = ["episode", "review", "--asset-id", "slug", "--trust"];
    const ended = await signoff(args, {
      cwd,
      env: { ...around.env, SIGNOFF_STOP_AT: "reply-recorded:1" },
    });
    expect(ended.code).toBeNull();
    expect(asked()).toBe(1);
    const { runs } = JSON.parse((await signoff(["runs", "list", "--json"], around)).stdout);
    return runs[0].run_id;
  }

  it("goes on when the same command is typed, and the writer is not asked again", async () => {
    await killed();
    const again = await review("--trust");
    expect(again.code).toBe(0);
    expect(again.stderr).toContain("Resuming unfinished run");
    expect(asked()).toBe(2);
    expect(treeOf(cwd)["copy/selected/slug.txt"]).toBe("two-day-bread\n");
  });

  it("goes on with `runs resume`, which asks the same agents and says how the text stands", async () => {
    const run = await killed();
    const untrusted = await signoff(["runs", "resume", run], around);
    expect(untrusted.code).toBe(2);
    expect(untrusted.stderr).toContain("not trusted yet");
    const resumed = await signoff(["runs", "resume", run, "--trust"], around);
    expect(resumed.code).toBe(0);
    expect(resumed.stdout).toContain("Selected: copy/selected/slug.txt");
    expect(asked()).toBe(2);
  });

  it("names the agent that episode.yaml no longer has, and how to begin anew with another", async () => {
    await killed();
    writeFileSync(join(cwd, "agents/bard"), "#!/bin/sh\n", { mode: 0o755 });
    const path = join(cwd, "episode.yaml");
    const [kept] = readFileSync(path, "utf8").split("agents:");
    writeFileSync(path, `${kept}agents: { creator: { command: agents/bard } }\n`);
    const stuck = await review("--trust");
    expect(stuck.code).toBe(2);
    expect(stuck.stdout).toContain('"reviewer-node"');
    expect(stuck.stdout).toContain("--restart");
    const anew = await review(
      "--model",
      "offline/rules",
      "--restart",
      "--reason",
      "another writer",
    );
    expect(anew.code).toBe(0);
    expect(asked()).toBe(1);
  });
});

function modelOf(one: { provenance: { kind: string; metadata: { model?: string } }[] }) {
  return one.provenance.find(({ kind }) => kind === "run")?.metadata.model;
}

describe("the library", () => {
  const slug = { assetIds: ["slug"] };

  it("runs the agents of episode.yaml once they are trusted", async () => {
    const asked = { workspace: cwd, ...slug };
    const refused = reviewEpisode(asked);
    await expect(refused).rejects.toMatchObject({ code: "trust-needed" });
    const { assets } = await reviewEpisode({ ...asked, trust: true });
    expect(assets.find(({ assetId }) => assetId === "slug")).toMatchObject({ state: "signed" });
    expect(treeOf(cwd)["asked.log"]?.trim().split("\n")).toHaveLength(2);
  });

  it("throws what made a text fail, with its cause", async () => {
    const boom = new Error("out of paper");
    const writes = () => {
      throw boom;
    };
    const failed = await reviewEpisode({ workspace: cwd, ...slug, model: writes }).catch(
      (thrown: unknown) => thrown,
    );
    expect(failed).toBeInstanceOf(AgentError);
    const causes = [];
    for (let at = failed; at instanceof Error; at = at.cause) causes.push(at);
    expect(causes).toContain(boom);
  });

  it("takes the replies of a script, and refuses one that is not there", async () => {
    const script = join(home, "replies.json");
    const asked = { workspace: cwd, ...slug, model: `script:${script}` };
    const before = treeOf(cwd);
    await expect(reviewEpisode(asked)).rejects.toMatchObject({ code: "script-unreadable" });
    expect(treeOf(cwd)).toEqual(before);
    const creator = [{ content: "two-day-bread", done: true }];
    writeFileSync(script, JSON.stringify({ creator, reviewer: [{ verdict: "ok" }] }));
    const { assets } = await reviewEpisode(asked);
    expect(assets.find(({ assetId }) => assetId === "slug")).toMatchObject({
      ...{ state: "signed", outcome: "converged" },
    });
    expect(treeOf(cwd)["copy/selected/slug.txt"]).toBe("two-day-bread\n");
  });
});
