import { expect, test } from "vitest";
import { instant } from "../values/instant.ts";
import { type Asset, emptyAsset } from "./asset.ts";
import { assetKinds } from "./asset-kind.ts";
import { describeEpisode, type EpisodeSurvey, type StageSurvey } from "./episode-status.ts";
import type { ProtocolState } from "./protocol-state.ts";

const at = instant("2026-03-01T10:00:00Z");
const none: StageSurvey = { count: 0, freshness: { kind: "unknown" } };
const some = (count: number): StageSurvey => ({
  count,
  expected: count,
  freshness: { kind: "fresh" },
});
const empty: EpisodeSurvey = {
  episodeId: "bread_042",
  problems: [],
  stages: {
    transcript: none,
    chapters: none,
    chunks: none,
    chunk_summaries: none,
    episode_summary: none,
  },
  assets: [],
  tracks: [],
  protocols: [],
  selections: [],
  candidateFreshness: new Map(),
};
const summarized: EpisodeSurvey = {
  ...empty,
  stages: {
    transcript: some(1),
    chapters: none,
    chunks: some(3),
    chunk_summaries: some(3),
    episode_summary: some(1),
  },
};

function drafted(assetId: string): Asset {
  const candidate = {
    candidateId: `c-${assetId}`,
    assetId,
    format: "plain" as const,
    content: "x",
    createdAt: at,
    provenance: [],
  };
  return { ...emptyAsset(assetId), candidates: [candidate] };
}

function loop(assetId: string, outcome: "converged" | "needs_human" | undefined): ProtocolState {
  const issues =
    outcome === "converged"
      ? []
      : [
          {
            issueId: "i",
            reviewer: "r",
            late: false,
            severity: "error" as const,
            message: "Too long.",
          },
        ];
  return {
    assetId,
    maxIterations: 3,
    iterations: [
      {
        iteration: 2,
        creatorDone: true,
        candidate: drafted(assetId).candidates[0]!,
        review: {
          iteration: 2,
          verdict: outcome === "converged" ? "ok" : "changes_requested",
          issues,
          createdAt: at,
          provenance: [],
        },
      },
    ],
    ...(outcome === undefined
      ? {}
      : {
          decision: {
            outcome,
            reason: outcome === "converged" ? "reviewer_ok_and_creator_done" : "iteration_limit",
            finalIteration: 2,
            lockedFields: ["outcome"] as const,
          },
        }),
  };
}

const commands = (survey: EpisodeSurvey): readonly string[] =>
  describeEpisode(survey).nextSteps.map((step) => step.command);

const finished: EpisodeSurvey = {
  ...summarized,
  assets: assetKinds.map(drafted),
  protocols: assetKinds.map((id) => loop(id, "converged")),
  selections: assetKinds.map((assetId) => ({
    assetId,
    path: `copy/selected/${assetId}.txt`,
    madeBy: "loop",
    freshness: { kind: "fresh" },
    isUnlocked: false,
  })),
};

test("the next command follows the pipeline", () => {
  expect(commands(empty)).toEqual(["episode add --transcript FILE"]);
  const stages = { ...empty.stages, transcript: some(1) };
  expect(commands({ ...empty, stages })).toEqual(["episode chunk"]);
  expect(commands({ ...empty, stages: { ...stages, chunks: some(3) } })).toEqual([
    "episode summarize",
  ]);
  expect(
    commands({
      ...empty,
      stages: { ...stages, chunks: some(3), chunk_summaries: { ...some(2), expected: 3 } },
    }),
  ).toEqual(["episode summarize"]);
  expect(commands(summarized)).toEqual(["episode draft"]);
});

test("a finished episode has nothing left to do", () => {
  const status = describeEpisode(finished);
  expect(status.nextSteps).toEqual([]);
  expect(status.checklist.filter((item) => item.state !== "ok").map((item) => item.label)).toEqual([
    "chapters",
  ]);
  expect(status.assets.find((one) => one.assetId === "slug")).toMatchObject({
    isLocked: true,
    outcome: "converged",
    iteration: 2,
    maxIterations: 3,
    blockingIssues: 0,
  });
  expect(status.assets.find((one) => one.assetId === "mastodon")).toMatchObject({
    isLocked: false,
  });
});

test("half-way, it says what to draft, review and pick", () => {
  const half: EpisodeSurvey = {
    ...summarized,
    assets: assetKinds.slice(1).map(drafted),
    protocols: [
      loop("slug", "needs_human"),
      loop("mastodon", undefined),
      loop("press_release", "converged"),
    ],
  };
  expect(commands(half)).toEqual([
    "episode draft --asset-id description",
    "episode review --all",
    "episode pick --asset-id slug",
  ]);
  const status = describeEpisode(half);
  expect(status.assets.at(-1)?.assetId).toBe("press_release");
  expect(status.assets.find((one) => one.assetId === "slug")).toMatchObject({
    blockingIssues: 1,
    reason: "iteration_limit",
  });
  expect(status.checklist.find((item) => item.label === "candidates")).toMatchObject({
    state: "incomplete",
    detail: "not yet: description",
  });
});

test("one open asset is named, not --all", () => {
  const one: EpisodeSurvey = {
    ...finished,
    protocols: finished.protocols.map((protocol) =>
      protocol.assetId === "slug" ? loop("slug", undefined) : protocol,
    ),
  };
  expect(commands(one)).toEqual(["episode review --asset-id slug"]);
});

test("a changed transcript sends back to the first stale stage, then to the stale texts", () => {
  const stale = { kind: "stale", because: "transcript/transcript.txt changed" } as const;
  const chunks: EpisodeSurvey = {
    ...finished,
    stages: { ...finished.stages, chunks: { ...some(3), freshness: stale } },
  };
  expect(describeEpisode(chunks).nextSteps).toEqual([
    { command: "episode chunk", why: "chunks are stale: transcript/transcript.txt changed" },
  ]);
  const texts: EpisodeSurvey = { ...finished, candidateFreshness: new Map([["linkedin", stale]]) };
  expect(commands(texts)).toEqual(["episode draft --asset-id linkedin"]);
  expect(describeEpisode(texts).checklist.find((item) => item.label === "selected")?.state).toBe(
    "stale",
  );
});

test("a signed text that is stale is signed again, locked or not, and a person's choice is theirs to change", () => {
  const stale = { kind: "stale", because: "transcript/transcript.txt changed" } as const;
  const signed: EpisodeSurvey = {
    ...finished,
    selections: finished.selections.map((one) => ({ ...one, freshness: stale })),
  };
  const restart = '--restart --reason "new transcript"';
  expect(commands(signed)).toEqual([`episode review --all ${restart}`]);
  const drafts: EpisodeSurvey = {
    ...finished,
    candidateFreshness: new Map([
      ["slug", stale],
      ["mastodon", stale],
      ["linkedin", stale],
    ]),
    selections: finished.selections.map((one) => {
      if (one.assetId === "mastodon") return { ...one, freshness: stale };
      if (one.assetId === "linkedin") return { ...one, freshness: stale, madeBy: "person" };
      return one;
    }),
  };
  expect(commands(drafts)).toEqual([
    "episode draft --asset-id mastodon --asset-id linkedin",
    `episode review --asset-id slug ${restart}`,
    `episode review --asset-id mastodon ${restart}`,
    "episode pick --asset-id linkedin",
  ]);
});

test("what a person unlocked is not locked, and the next command goes on with it", () => {
  const decision = { ...loop("slug", "converged").decision!, lockedFields: [] };
  const unlocked: EpisodeSurvey = {
    ...finished,
    protocols: finished.protocols.map((protocol) =>
      protocol.assetId === "slug" ? { ...protocol, decision } : protocol,
    ),
    selections: finished.selections.map((one) => ({ ...one, isUnlocked: one.assetId === "slug" })),
  };
  expect(commands(unlocked)).toEqual(["episode review --asset-id slug"]);
  const locked = describeEpisode(unlocked).assets.filter((one) => one.isLocked);
  expect(locked.map((one) => one.assetId)).toEqual([
    "title_detail",
    "title_seo",
    "subtitle_auphonic",
  ]);
});

test("a broken file comes before everything else and is named", () => {
  const broken: EpisodeSurvey = {
    ...finished,
    problems: [
      { file: "state.json", rule: "asset-id-unique", message: 'asset "slug" is there twice' },
    ],
  };
  const status = describeEpisode(broken);
  expect(status.nextSteps).toEqual([
    { command: "doctor", why: 'repair state.json: asset "slug" is there twice' },
  ]);
  expect(status.checklist.find((item) => item.label === "state.json")?.state).toBe("blocked");
});
