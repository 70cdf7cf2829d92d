import { expect, test } from "vitest";
import { instant } from "../values/instant.ts";
import { emptyAsset } from "./asset.ts";
import {
  assetOf,
  checkNewEpisodeId,
  type EpisodeWorkspace,
  makeEpisodeWorkspace,
  withAsset,
} from "./episode-workspace.ts";

const episode: EpisodeWorkspace = {
  episodeId: "bread_042",
  rootDir: ".",
  assets: [emptyAsset("description"), emptyAsset("press_release")],
  chapters: [
    { title: "Flour", startSec: 0 },
    { title: "Water", startSec: 90.5, endSec: 200 },
  ],
  tracks: [{ trackId: "ada_01", path: "Ada 1.flac", provenance: [] }],
  createdAt: instant("2026-03-01T10:00:00Z"),
  provenance: [],
};

test.each<[string, Partial<EpisodeWorkspace>, RegExp]>([
  [
    "two assets of one id",
    { assets: [emptyAsset("slug"), emptyAsset("slug")] },
    /asset "slug" is there twice/,
  ],
  [
    "two tracks of one id",
    { tracks: [...episode.tracks, ...episode.tracks] },
    /track "ada_01" is there twice/,
  ],
  [
    "a track id with a space",
    { tracks: [{ trackId: "Ada 1", path: "a", provenance: [] }] },
    /not a track id/,
  ],
  [
    "two chapters at once",
    {
      chapters: [
        { title: "A", startSec: 10 },
        { title: "B", startSec: 10 },
      ],
    },
    /not after "A"/,
  ],
  ["a chapter before the start", { chapters: [{ title: "A", startSec: -1 }] }, /starts at -1/],
  [
    "a chapter that ends where it starts",
    { chapters: [{ title: "A", startSec: 1, endSec: 1 }] },
    /not after its start/,
  ],
  ["an empty id", { episodeId: "" }, /episode id is empty/],
  ["an empty root", { rootDir: "" }, /root_dir is empty/],
])("an episode with %s is refused", (_what, change, message) => {
  expect(() => makeEpisodeWorkspace({ ...episode, ...change })).toThrow(message);
});

test("assets are replaced in place", () => {
  const again = withAsset(episode, { ...emptyAsset("description"), reviews: [] });
  expect(again.assets).toHaveLength(2);
  expect(assetOf(episode, "mastodon")).toEqual(emptyAsset("mastodon"));
});

test.each([
  ["", /must not be empty/],
  ["a/b", /must not contain/],
  ["épisode", /only letters, digits/],
  [".hidden", /begin or end/],
  ["late-", /begin or end/],
])("the new id %j is refused with its own reason", (id, message) => {
  expect(() => checkNewEpisodeId(id)).toThrow(message);
});

test("a new id is trimmed", () => {
  expect(checkNewEpisodeId(" bread_042 ")).toBe("bread_042");
});

test("assets stand in the order of the kinds, whichever was finished first", () => {
  const orders = [
    ["slug", "press_release", "description"],
    ["description", "slug", "press_release"],
    ["press_release", "description", "slug"],
  ];
  for (const order of orders) {
    const empty: EpisodeWorkspace = { ...episode, assets: [] };
    const made = order.reduce((state, assetId) => withAsset(state, emptyAsset(assetId)), empty);
    expect(made.assets.map(({ assetId }) => assetId)).toEqual([
      "description",
      "slug",
      "press_release",
    ]);
  }
});
