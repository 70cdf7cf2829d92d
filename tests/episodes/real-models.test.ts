import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Asked, openModelServer } from "../support/model-servers.ts";
import { ollamaWire } from "../support/provider-wires.ts";
import { newFolder, signoff, steps, treeOf } from "./episode-process.ts";

const offers = ["writer:7b", "editor:7b"];
let home: string;
let cwd: string;

beforeEach(async () => {
  home = newFolder();
  cwd = join(home, "bread");
  const talk = "00:00:00 Ann: Bread needs two days.\n\n00:00:09 Bob: The dough rests overnight.\n";
  writeFileSync(join(home, "talk.txt"), talk);
  await steps(home, ["init", "--episode-id", "bread", "--workspace", "bread"]);
  await steps(cwd, ["add", "--transcript", "../talk.txt"], ["chunk"]);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const modelOf = (asked: Asked) => (asked.seen.json as { model: string }).model;

/** Answers a question about the bread episode as a model would. */
function replyTo({ seen, isReview }: Asked, reviews: object[]): object {
  if (seen.text.includes("You sum up one stretch"))
    return { summary_markdown: "Two days of bread.", bullets: ["The dough rests."] };
  if (seen.text.includes("one summary of a podcast episode"))
    return { summary_markdown: "An episode about slow bread.", key_points: ["It takes two days."] };
  if (isReview) return reviews.shift() ?? { verdict: "ok" };
  return { content: "two-day-bread", done: true };
}

async function openOllama(reviews: object[] = [], hold?: (asked: Asked) => Promise<void>) {
  return openModelServer({
    offers,
    instead(asked, response) {
      const text = `<think>hm</think>${JSON.stringify(replyTo(asked, reviews))}`;
      const parts = text.split(/(?<= )/u);
      const tell = () => ollamaWire.send(response, { parts, model: modelOf(asked), input: 4000 });
      void (hold?.(asked) ?? Promise.resolve()).then(tell);
      return true;
    },
  });
}

const around = (url: string) => ({ cwd, env: { OLLAMA_BASE_URL: url } });

describe("real models over Ollama's wire", () => {
  it("sum up, draft and review one text; writer and reviewer are two models", async () => {
    const asks = { verdict: "changes_requested", issues: [{ message: "say what rests" }] };
    const server = await openOllama([asks]);
    const run = (...args: string[]) => signoff(["episode", ...args], around(server.url));
    expect((await run("summarize", "--model", "writer:7b")).code).toBe(0);
    const summary = join(cwd, "summaries/episode/episode_summary.md");
    expect(readFileSync(summary, "utf8")).toBe("An episode about slow bread.\n");
    expect((await run("draft", "--asset-id", "slug", "-n", "1", "--model", "writer:7b")).code).toBe(
      0,
    );
    const drafted = server.asked.length;
    const models = ["--model", "writer:7b", "--reviewer-model", "ollama/editor:7b"];
    const ended = await run("review", "--asset-id", "slug", ...models);
    expect(ended.stderr).toContain("say what rests");
    expect(ended.stdout).toContain("converged (reviewer_ok_and_creator_done), turn 2 of 3");
    expect(ended.stdout).not.toContain("stand-in");
    expect(server.asked.slice(drafted).map(modelOf)).toEqual([
      ...["writer:7b", "editor:7b", "writer:7b", "editor:7b"],
    ]);
    const { creator, reviewer } = JSON.parse(
      treeOf(cwd)["copy/protocol/slug/iteration_02.json"] ?? "",
    );
    const by = (one: { provenance: { kind: string; metadata: { model?: string } }[] }) =>
      one.provenance.find(({ kind }) => kind === "run")?.metadata.model;
    expect(by(creator.candidate)).toBe("ollama/writer:7b");
    expect(by(reviewer)).toBe("ollama/editor:7b");
  });

  it("get the newest candidate on disk as the text before theirs, in the first call alone", async () => {
    const asks = { verdict: "changes_requested", issues: [{ message: "no" }] };
    const server = await openOllama([asks]);
    const seed = (id: string, created_at: string, content: string) => {
      const candidate = {
        asset_id: "slug",
        candidate_id: id,
        content,
        created_at,
        format: "plain",
      };
      const folder = join(cwd, "copy/candidates/slug");
      writeFileSync(join(folder, `candidate_${id}.json`), JSON.stringify(candidate));
    };
    await steps(cwd, ["draft", "--asset-id", "slug", "-n", "1", "--model", "offline/rules"]);
    seed("22222222-2222-4222-8222-222222222222", "2131-01-01T00:00:00+02:00", "older-loaf");
    seed("11111111-1111-4111-8111-111111111111", "2130-12-31T23:00:00Z", "newest-loaf");
    const args = ["episode", "review", "--asset-id", "slug", "--model", "writer:7b"];
    expect((await signoff(args, around(server.url))).code).toBe(0);
    const reported = server.asked.filter(({ isReview }) => !isReview).map(({ seen }) => seen.text);
    expect(reported.map((text) => text.includes("newest-loaf"))).toEqual([true, false]);
    expect(reported.some((text) => text.includes("older-loaf"))).toBe(false);
  });

  it("are asked where the environment chose them, and a model that is not there is named", async () => {
    const server = await openOllama();
    const env = { OLLAMA_BASE_URL: server.url, OLLAMA_MODEL_NAME: "writer:7b" };
    const args = ["episode", "review", "--asset-id", "slug"];
    expect((await signoff(args, { cwd, env })).code).toBe(0);
    expect(server.asked.map(modelOf)).toEqual(["writer:7b", "writer:7b"]);
    const before = treeOf(cwd);
    const wrong = ["episode", "review", "--asset-id", "mastodon", "--model", "poet:7b"];
    const refused = await signoff(wrong, { cwd, env });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("ollama/poet:7b");
    expect(treeOf(cwd)).toEqual(before);
  });
});

describe("the same text in two processes", () => {
  const review = ["episode", "review", "--asset-id", "slug", "--model", "writer:7b"];

  /** A first process that waits for its model until `answer` is called. */
  async function atWork() {
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let isAsked = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const server = await openOllama([], () => {
      isAsked();
      return answered;
    });
    const first = signoff(review, around(server.url));
    await asked;
    return { server, first, answer };
  }

  it("the second reports who works on it, and neither it nor a restart or unlock changes anything", async () => {
    const { server, first, answer } = await atWork();
    const before = treeOf(cwd);
    const again = [
      review,
      [...review, "--restart", "--reason", "anew"],
      ["episode", "unlock", "--asset-id", "slug", "--reason", "anew"],
    ];
    for (const args of again) {
      const second = await signoff(args, around(server.url));
      expect(second.code, args.join(" ")).toBe(5);
      expect(second.stderr).toMatch(/[Pp]rocess \d+|pid \d+/u);
    }
    expect(treeOf(cwd)).toEqual(before);
    answer();
    expect((await first).code).toBe(0);
    expect(server.asked).toHaveLength(2);
  });

  it("review --all does the others and names the one that is held", async () => {
    const { first, answer } = await atWork();
    const all = ["episode", "review", "--all", "--model", "offline/rules", "--json"];
    const second = await signoff(all, { cwd });
    expect(second.code).toBe(5);
    const { assets } = JSON.parse(second.stdout);
    const held = assets.filter((one: { outcome: string }) => one.outcome === "in_progress");
    expect(held).toMatchObject([{ asset_id: "slug", error: { code: "run-held" } }]);
    answer();
    expect((await first).code).toBe(0);
    const status = JSON.parse((await signoff(["episode", "status", "--json"], { cwd })).stdout);
    const undecided = status.assets.filter((one: { reason: string | null }) => one.reason === null);
    expect(undecided).toEqual([]);
  });
});
