import { expect, test } from "vitest";
import { digest } from "../values/digest.ts";
import { instant } from "../values/instant.ts";
import { assetKinds } from "./asset-kind.ts";
import type { TextSurvey } from "./asset-status.ts";
import type { Freshness } from "./derived-files.ts";
import { describeEpisode } from "./episode-status.ts";
import type { EpisodeSurvey, StageSurvey } from "./episode-survey.ts";
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
  texts: [],
  tracks: [],
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

function drafted(assetId: string, protocol?: ProtocolState): TextSurvey {
  const freshness = { kind: "fresh" } as const;
  const evidence = {
    ...{ assetId, candidates: 1, files: [], recorded: [], acts: [], isLetGo: false, freshness },
    ...(protocol === undefined ? {} : { protocol }),
  };
  const issues = protocol?.iterations.at(-1)?.review.issues ?? [];
  return { evidence, isTextLocked: false, issues, draftFreshness: freshness };
}

function loop(assetId: string, outcome: "converged" | "needs_human" | undefined): ProtocolState {
  const issue = { issueId: "i", reviewer: "r", late: false, severity: "error" as const };
  const isSigned = outcome === "converged";
  return {
    assetId,
    maxIterations: 3,
    iterations: [
      {
        iteration: 2,
        creatorDone: true,
        candidate: {
          candidateId: `c-${assetId}`,
          ...{ assetId, format: "plain", content: "x", createdAt: at, provenance: [] },
        },
        review: {
          iteration: 2,
          verdict: isSigned ? "ok" : "changes_requested",
          issues: isSigned ? [] : [{ ...issue, message: "Too long." }],
          ...{ createdAt: at, provenance: [] },
        },
      },
    ],
    ...(outcome === undefined
      ? {}
      : {
          decision: {
            outcome,
            reason: isSigned ? "reviewer_ok_and_creator_done" : "iteration_limit",
            finalIteration: 2,
            lockedFields: ["outcome"] as const,
          },
        }),
  };
}

function signed(assetId: string, freshness: Freshness = { kind: "fresh" }): TextSurvey {
  const { evidence } = drafted(assetId, loop(assetId, "converged"));
  return {
    evidence: {
      ...evidence,
      selected: { path: `copy/selected/${assetId}.txt`, fits: true },
      chosen: { candidateId: `c-${assetId}`, file: "same" },
      recorded: [{ iteration: 2, is: "same" }],
      freshness,
    },
    isTextLocked: assetId === "slug",
    issues: [],
    draftFreshness: freshness,
  };
}

const commands = (survey: EpisodeSurvey): readonly string[] =>
  describeEpisode(survey).nextSteps.map((step) => step.command);

const finished: EpisodeSurvey = { ...summarized, texts: assetKinds.map((id) => signed(id)) };

/** The finished episode with some texts in another state. */
function but(...texts: readonly TextSurvey[]): EpisodeSurvey {
  const others = finished.texts.filter(
    ({ evidence }) => !texts.some((text) => text.evidence.assetId === evidence.assetId),
  );
  return { ...finished, texts: [...others, ...texts] };
}

test("the next command follows the pipeline", () => {
  expect(commands(empty)).toEqual(["episode add --transcript -"]);
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
    texts: [
      ...assetKinds.slice(1).map((id) => drafted(id)),
      signed("press_release"),
      drafted("poem"),
    ].map((text) => {
      const { assetId } = text.evidence;
      if (assetId === "slug") return drafted(assetId, loop(assetId, "needs_human"));
      return assetId === "mastodon" ? drafted(assetId, loop(assetId, undefined)) : text;
    }),
  };
  expect(commands(half)).toEqual([
    "episode draft --asset-id description",
    "episode review --all",
    "episode review --asset-id poem",
    "episode pick --asset-id slug",
  ]);
  const status = describeEpisode(half);
  expect(status.assets.at(-1)?.assetId).toBe("press_release");
  expect(status.assets.find((one) => one.assetId === "slug")).toMatchObject({
    state: "needs_human",
    blockingIssues: 1,
    reason: "iteration_limit",
  });
  expect(status.checklist.find((item) => item.label === "candidates")).toMatchObject({
    state: "incomplete",
    detail: "not yet: description",
  });
});

test("one open asset is named, not --all", () => {
  expect(commands(but(drafted("slug", loop("slug", undefined))))).toEqual([
    "episode review --asset-id slug",
  ]);
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
  const texts = but({ ...signed("linkedin"), draftFreshness: stale });
  expect(commands(texts)).toEqual(["episode draft --asset-id linkedin"]);
  expect(describeEpisode(texts).checklist.find((item) => item.label === "selected")?.state).toBe(
    "stale",
  );
});

test("a signed text that is stale is signed again, and what a person chose is theirs to keep", () => {
  const stale = { kind: "stale", because: "hosts in episode.yaml changed" } as const;
  const all = { ...finished, texts: assetKinds.map((id) => signed(id, stale)) };
  const restart = '--restart --reason "hosts in episode.yaml changed"';
  expect(commands(all).at(-1)).toBe(`episode review --all ${restart}`);
  expect(describeEpisode(all).assets[0]).toMatchObject({ state: "stale", why: stale.because });
  const { evidence } = signed("linkedin", stale);
  const ruling = { by: "Ada", at };
  const record = { assetId: "linkedin", format: "plain", madeBy: "person", ...ruling } as const;
  const picked: TextSurvey = {
    evidence: {
      ...evidence,
      record: { ...record, candidateId: "c-linkedin", sha256: digest("ab") },
      acts: [{ kind: "pick", ...ruling }],
    },
    isTextLocked: true,
    issues: [],
    draftFreshness: stale,
  };
  expect(commands(but(signed("slug", stale), signed("mastodon", stale), picked))).toEqual([
    "episode draft --asset-id mastodon --asset-id linkedin",
    `episode review --asset-id slug ${restart}`,
    `episode review --asset-id mastodon ${restart}`,
    "episode adopt --asset-id linkedin",
  ]);
});

test("texts that are stale for different reasons are signed again one by one, each with its reason", () => {
  const because = (kind: string) => (kind === "slug" ? "the title changed" : "hosts changed");
  const texts = assetKinds.map((id) => signed(id, { kind: "stale", because: because(id) }));
  const reviews = commands({ ...finished, texts }).filter((one) => one.includes("review"));
  expect(reviews).toHaveLength(assetKinds.length);
  expect(reviews).toContain(
    'episode review --asset-id slug --restart --reason "the title changed"',
  );
});

test("a selection belongs to whoever its record names, without a record to the loop that signed it", () => {
  const madeBy = ({ evidence, ...rest }: TextSurvey, more: Partial<TextSurvey["evidence"]>) =>
    describeEpisode(but({ ...rest, evidence: { ...evidence, ...more } })).assets.find(
      ({ assetId }) => assetId === "slug",
    )?.selection?.madeBy;
  const { selected } = signed("slug").evidence;
  const ruling = { madeBy: "person", by: "Ada", at, sha256: digest("ab") } as const;
  const record = { assetId: "slug", candidateId: "c-slug", format: "plain", ...ruling } as const;
  expect(madeBy(signed("slug"), { record })).toBe("person");
  expect(madeBy(signed("slug"), {})).toBe("loop");
  expect(madeBy(drafted("slug"), { selected: selected! })).toBe("unknown");
});

test("what a person unlocked is in review again, and the next command goes on with it", () => {
  const protocol = loop("slug", "converged");
  const decision = { ...protocol.decision!, lockedFields: [] };
  const { evidence } = signed("slug");
  const unlocked = but({
    evidence: { ...evidence, protocol: { ...protocol, decision } },
    isTextLocked: false,
    issues: [],
  });
  expect(commands(unlocked)).toEqual(["episode review --asset-id slug"]);
  const slug = describeEpisode(unlocked).assets.find((one) => one.assetId === "slug");
  expect(slug).toMatchObject({ state: "in_review", isReopened: true, isLocked: false });
});

test("all is done only where models or people did it; an edited text comes before the pipeline", () => {
  expect(describeEpisode(finished).conclusion).toEqual({
    text: "Everything is signed and selected.",
  });
  const { evidence } = signed("slug");
  const { protocol } = evidence;
  const [turn] = protocol!.iterations;
  const made = [{ kind: "run", ref: "r", metadata: { model: "offline/rules" } }];
  const candidate = { ...turn!.candidate, provenance: made };
  const standIn = but({
    evidence: { ...evidence, protocol: { ...protocol!, iterations: [{ ...turn!, candidate }] } },
    isTextLocked: true,
    issues: [],
  });
  const { conclusion, nextSteps } = describeEpisode(standIn);
  expect(nextSteps).toEqual([]);
  expect(conclusion?.text).toContain("slug: decided by a built-in stand-in");
  expect(conclusion?.text).toContain("named with --model:");
  expect(conclusion?.command).toBe("episode review --all --restart");
  const edited: TextSurvey = {
    evidence: { ...evidence, selected: { path: "copy/selected/slug.txt", fits: false } },
    isTextLocked: true,
    issues: [],
  };
  expect(commands({ ...but(edited), stages: empty.stages })).toEqual([
    "episode adopt --asset-id slug",
    "episode add --transcript -",
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

test("the checklist says what is missing, optional, stale and incomplete", () => {
  const stale: StageSurvey = { count: 3, freshness: { kind: "stale", because: "it changed" } };
  const stages = {
    ...summarized.stages,
    chunks: stale,
    chunk_summaries: { ...some(2), expected: 3 },
  };
  const items = describeEpisode({ ...summarized, stages }).checklist;
  const itemOf = (label: string) => items.find((item) => item.label === label);
  expect(itemOf("chapters")).toMatchObject({ state: "optional" });
  expect(itemOf("chunks")).toMatchObject({ state: "stale", detail: "it changed" });
  expect(itemOf("chunk summaries")).toMatchObject({ state: "incomplete", detail: "2 of 3" });
  const first = describeEpisode(empty).checklist.find(({ label }) => label === "transcript");
  expect(first).toMatchObject({ state: "missing" });
});

test("a stale summary of the episode is written again", () => {
  const stale: StageSurvey = { count: 1, freshness: { kind: "stale", because: "it changed" } };
  const stages = { ...summarized.stages, episode_summary: stale };
  expect(commands({ ...summarized, stages })).toEqual(["episode summarize"]);
});
