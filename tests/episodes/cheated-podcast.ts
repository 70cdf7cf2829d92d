import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect } from "vitest";
import { preparedFolder } from "../support/prepared-folder.ts";
import { signoff, steps } from "./episode-process.ts";

export const ok = { verdict: "ok" };
export const no = { verdict: "changes_requested", issues: [{ message: "Say more." }] };

async function makePodcast(root: string): Promise<void> {
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
}

export function candidatesOf(cwd: string, assetId: string): readonly string[] {
  return readdirSync(join(cwd, "copy/candidates", assetId)).flatMap(
    (name) => /^candidate_(.+)\.json$/.exec(name)?.[1] ?? [],
  );
}

export let root: string;
export let cwd: string;

/** For each test: one signed slug, one picked post, one description that two turns did not settle. */
export function preparePodcast(): void {
  const podcast = preparedFolder(makePodcast);
  beforeEach(() => {
    root = podcast.copy();
    cwd = join(root, "bread");
  });
}

export const episode = (...args: readonly string[]) => signoff(["episode", ...args], { cwd });
export const read = (path: string): string => readFileSync(join(cwd, path), "utf8");
export const write = (path: string, text: string): void => writeFileSync(join(cwd, path), text);
// biome-ignore lint/suspicious/noExplicitAny: these are files of the program, read as a person would
export const edit = (path: string, change: (json: any) => void): void => {
  const json = JSON.parse(read(path));
  change(json);
  write(path, JSON.stringify(json, null, 2));
};

export interface Text {
  readonly state: string;
  readonly why: string;
  readonly support: string | null;
  readonly deciders: readonly string[];
  readonly missing: readonly { readonly text: string; readonly command: string }[];
}

export async function stateOf(assetId: string): Promise<Text> {
  const { assets } = JSON.parse((await episode("status", "--json")).stdout);
  return assets.find((one: { asset_id: string }) => one.asset_id === assetId);
}

/** Refused with a reason, and the command that `verify` names mends it. */
export async function refused(assetId: string, state: string, why: RegExp): Promise<void> {
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

/** Types a command as it was printed, and says why where a terminal would ask; loops are played by stand-ins. */
async function type(command: string): Promise<void> {
  const words = (command.match(/"[^"]*"|'[^']*'|\S+/gu) ?? []).map((word) =>
    word.replace(/^["']|["']$/gu, ""),
  );
  expect(words[0]).toBe("signoff");
  const asks = words[2] === "adopt" || words[2] === "unlock";
  const typed = [...words.slice(1), ...(asks ? ["--reason", "I read it"] : [])];
  const ended = await signoff(typed, { cwd: root });
  expect([command, ended.code, ended.stderr]).toEqual([command, 0, expect.anything()]);
}
