import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { digest } from "../../domain/values/digest.ts";
import { editEpisodeYaml, newEpisodeYaml, parseEpisodeYaml } from "./episode-yaml.ts";

const original = readFileSync(join(import.meta.dirname, "fixtures/bread-042/episode.yaml"), "utf8");
const hash = digest("ab".repeat(32));

test("reads what concerns us and leaves the rest", () => {
  expect(parseEpisodeYaml(original, "episode.yaml")).toEqual({
    episodeId: "bread 042",
    hosts: ["Ada Bell", "Jörg"],
    inputs: {
      transcript: { path: "transcript/transcript.txt" },
      chapters: { path: "transcript/chapters.txt" },
    },
    tracks: [{ trackId: "ada_01", path: "Ada 1.flac", label: "Ada 1", role: "mix" }],
    agents: {
      creator: { command: "codex", args: ["exec", "-"] },
      drafter: { command: "claude", args: ["-p"] },
    },
    editorialNotes: { description: "shorter please" },
  });
});

test("an edit changes only its keys: comments, order and foreign keys stay", () => {
  const edited = editEpisodeYaml(original, "episode.yaml", {
    transcript: { path: "transcript/transcript.txt", sha256: hash },
    tracks: [
      { trackId: "ada_01", path: "Ada 2.flac" },
      { trackId: "ben_01", path: "Ben.flac", role: "mix" },
    ],
  });
  for (const kept of [
    "# kept by hand",
    "# a role of its own",
    "# the last word",
    "gain: -3",
    "nothing: null",
    "mood: calm",
    "transcript_final",
  ]) {
    expect(edited).toContain(kept);
  }
  expect(parseEpisodeYaml(edited, "episode.yaml")).toMatchObject({
    inputs: {
      transcript: { path: "transcript/transcript.txt", sha256: hash },
      chapters: { path: "transcript/chapters.txt" },
    },
    tracks: [{ trackId: "ada_01", path: "Ada 2.flac", label: "Ada 1" }, { trackId: "ben_01" }],
  });
});

test("a new file takes hosts, language and inputs", () => {
  const edited = editEpisodeYaml(newEpisodeYaml("bread_043"), "episode.yaml", {
    hosts: ["Ada: the baker", "Özlem"],
    language: "de",
    chapters: { path: "transcript/chapters.txt", sha256: hash },
    tracks: [{ trackId: "ada_01", path: "a.flac" }],
  });
  expect(parseEpisodeYaml(edited, "episode.yaml")).toMatchObject({
    episodeId: "bread_043",
    hosts: ["Ada: the baker", "Özlem"],
    language: "de",
  });
  expect(editEpisodeYaml(edited, "episode.yaml", {})).toBe(edited);
  expect(editEpisodeYaml("episode_id: a\n", "episode.yaml", {})).toBe("episode_id: a\n");
});

test.each([
  ["a: [", /episode\.yaml:1:/],
  ["episode_id: a\nepisode_id: b\n", /episode\.yaml:2:.*unique/],
  ["- list", /must be a mapping/],
  ["episode_id: 7\n", /episode_id/],
  ["hosts: []\n", /episode_id/],
  ["episode_id: a\nschema_version: 2\n", /schema_version: is of a version/],
  ["episode_id: a\nhosts: Ada\n", /hosts/],
  [
    "episode_id: a\nagents: {creator: {command: rm -rf}}\n",
    /agents\.creator\.command: must be one word/,
  ],
  ["episode_id: a\ntracks: [{track_id: A 1, path: x}]\n", /tracks\[0\]\.track_id/],
])("%j is refused with the place", (text, message) => {
  expect(() => parseEpisodeYaml(text, "episode.yaml")).toThrow(message);
});
