import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runSignoff } from "../support/signoff-process.ts";
import { newFolder, signoff, steps, treeOf } from "./episode-process.ts";

let home: string;
let cwd: string;

beforeEach(async () => {
  home = newFolder();
  cwd = join(home, "bread");
  await steps(home, ["init", "--episode-id", "bread", "--workspace", "bread"]);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const episode = (...args: readonly string[]) => signoff(["episode", ...args], { cwd });

function recording(path: string): string {
  const file = join(home, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, "not really sound");
  return file;
}

describe("tracks", () => {
  const tracks = () => JSON.parse(treeOf(cwd)["state.json"] ?? "").tracks;

  it("are recorded in both files and shown, each file once and two of a name apart", async () => {
    const [ann, other] = [recording("monday/Ann 1.flac"), recording("tuesday/Ann-1.flac")];
    await steps(cwd, ["add", "--track", ann, "--track", other, "--role", "mix"]);
    await steps(cwd, ["add", "--track", ann]);
    expect(tracks()).toMatchObject([
      { track_id: "ann_1_02", path: other, role: "mix" },
      { track_id: "ann_1", path: ann, role: "mix", label: "Ann 1" },
    ]);
    expect(treeOf(cwd)["episode.yaml"]?.match(/track_id:/g)).toHaveLength(2);
    const { stdout } = await episode("status");
    expect(stdout).toMatch(/Tracks\n.*ann_1/u);
    expect(JSON.parse((await episode("status", "--json")).stdout).tracks).toHaveLength(2);
  });

  it("outlive a review, and one that is not there is refused", async () => {
    writeFileSync(join(home, "talk.txt"), "Ann: Bread needs two days.\n");
    const mix = recording("mix.flac");
    await steps(cwd, ["add", "--transcript", "../talk.txt", "--track", mix]);
    await signoff(["episode", "review", "--asset-id", "slug"], { cwd });
    expect(tracks()).toMatchObject([{ track_id: "mix", path: mix }]);
    const before = treeOf(cwd);
    const missing = await episode("add", "--track", "../lost.flac");
    expect(missing.code).toBe(2);
    expect(missing.stderr.replace(/\s+/gu, " ")).toContain("There is no file ../lost.flac");
    expect(treeOf(cwd)).toEqual(before);
  });
});

describe("files of other tools", () => {
  const fixtures = join(import.meta.dirname, "fixtures");
  const names = (kind: string) => readdirSync(join(fixtures, kind));

  it("of any tool become the same text and chapters, and chunks know their times", async () => {
    const chapters = names("chapters");
    const formats: string[] = [];
    for (const [at, name] of names("transcripts").entries()) {
      const list = chapters[at % chapters.length] ?? "";
      const { code, stdout } = await episode(
        ...["add", "--transcript", join(fixtures, "transcripts", name)],
        ...["--chapters", join(fixtures, "chapters", list), "--json"],
      );
      expect(code, `${name}, ${list}`).toBe(0);
      const { format, ...about } = JSON.parse(stdout).transcript;
      expect(Object.keys(about), name).toEqual(["words", "speakers", "end_sec"]);
      formats.push(format);
      const tree = treeOf(cwd);
      const text = tree["transcript/transcript.txt"] ?? "";
      expect(text, name).toMatch(/^00:00:00 (\S.*: )?Welcome back to The Long Shelf/u);
      expect(text, name).not.toMatch(/-->|no_speech|otter|KEYWORDS|\[00/u);
      expect(tree["transcript/chapters.txt"], list).toBe(
        "00:00:00 Welcome\n00:05:12 The tool library\n01:02:05 What breaks; and why\n",
      );
    }
    expect(new Set(formats).size).toBe(8);
    await steps(
      cwd,
      ["add", "--transcript", join(fixtures, "transcripts/whisper.json")],
      ["chunk"],
    );
    const chunk = JSON.parse(treeOf(cwd)["transcript/chunks/chunk_0001.json"] ?? "");
    expect(chunk).toMatchObject({ start_sec: 0, end_sec: 33.75 });
  });

  it("what is none of them is refused with a sentence and changes nothing", async () => {
    const file = join(home, "aws.json");
    writeFileSync(file, JSON.stringify({ results: { transcripts: [{ transcript: "Hello." }] } }));
    const before = treeOf(cwd);
    const refused = await episode("add", "--transcript", file);
    expect(refused.code).toBe(2);
    expect(refused.stderr.replace(/\s+/g, " ")).toContain(
      "The transcript is JSON, but not a transcript of Whisper or Podcasting 2.0. Export it as",
    );
    expect(treeOf(cwd)).toEqual(before);
  });

  it.each([
    ["--transcript", '{"segments":[{"start":0,"text":', "is not valid JSON; it may be cut off"],
    ["--transcript", "[1, 2]", "is JSON, but not a transcript"],
    ["--transcript", "WEBVTT\n\n", "The transcript file holds no words. Export it"],
    ["--transcript", "1\n00:00:00,000 --> oops\nHello\n", "has cue times (-->)"],
    ["--transcript", "<html><body>Hello</body></html>", "is XML or HTML"],
    ["--transcript", "PK\u0003\u0004 word\u0000", "is not a text"],
    ["--transcript", "{\\rtf1 Hello}", "is a rich-text (RTF) document"],
    ["--transcript", 'start,end,text\n0,1,"Hello"\n', "is a table of columns"],
    ["--chapters", '{"chapters":[{"startTime":"soon","title":"Intro"}]}', "chapter 1 has no start"],
    ["--chapters", '{"foo":1}', "JSON without a list of chapters"],
    ["--chapters", "<chapters></chapters>", "XML without <psc:chapter>"],
    ["--chapters", "hello world\n", '"hello world", is not "MM:SS Title"'],
    ["--chapters", "01:00 Later\n00:10 Earlier\n", 'chapter "Earlier" starts at 00:10'],
    ["--chapters", " \n", "The chapters file holds no chapters. Give"],
  ])("%s %j is refused, with what it is and what to do", async (flag, text, words) => {
    const file = join(home, "given.txt");
    writeFileSync(file, text);
    const before = treeOf(cwd);
    const refused = await episode("add", flag, file);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr.replace(/\s+/g, " ")).toContain(words);
    expect(treeOf(cwd)).toEqual(before);
  });

  it("one that was put into the workspace by hand is read as well", async () => {
    cpSync(join(fixtures, "transcripts/whisper.json"), join(cwd, "transcript/transcript.txt"));
    await steps(cwd, ["chunk"]);
    expect(treeOf(cwd)["transcript/chunks/chunk_0001.txt"]).toMatch(/^00:00:00 Welcome back/u);
  });
});

it("a new workspace lacks its transcript, and the command that says so takes one as it stands", async () => {
  const made = await signoff(["episode", "init", "--episode-id", "ep_2"], { cwd: home });
  const cwd = join(home, "episodes/ep_2");
  const shown = await signoff(["episode", "status"], { cwd });
  expect(shown.stdout).toMatch(/transcript +missing/u);
  const command = "episode add --transcript -";
  expect(made.stdout).toContain(`Next: cd episodes/ep_2 && signoff ${command}`);
  expect(shown.stdout).toContain(`signoff ${command}`);
  const input = "Ada: Slow bread is bread that had time.\n";
  expect(await runSignoff(command.split(" "), { cwd, input })).toMatchObject({ code: 0 });
  expect((await signoff(["episode", "chunk"], { cwd })).code).toBe(0);
});
