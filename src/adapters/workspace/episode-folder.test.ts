import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { renderStateFile } from "../../contract/episodes/state-file.ts";
import type { LoopIteration } from "../../domain/drafting/iteration.ts";
import { chunkTranscript } from "../../domain/episodes/chunker.ts";
import { derivedFrom } from "../../domain/episodes/derived-files.ts";
import { describeEpisode } from "../../domain/episodes/episode-status.ts";
import { layout } from "../../domain/episodes/layout.ts";
import { ledgerOf } from "../../domain/episodes/loop-ledger.ts";
import type { ProtocolState } from "../../domain/episodes/protocol-state.ts";
import { instant } from "../../domain/values/instant.ts";
import {
  candidateFiles,
  chunkFiles,
  chunkSummaryFile,
  episodeSummaryFiles,
  iterationFiles,
  selectionFiles,
} from "../../orchestration/episodes/episode-files.ts";
import {
  loadCandidates,
  loadLedger,
  loadProtocol,
  loadSelection,
  loadState,
} from "../../orchestration/episodes/load-episode.ts";
import { sha256Digest } from "../../orchestration/episodes/sha256.ts";
import { surveyEpisode } from "../../orchestration/episodes/survey-episode.ts";
import type { EpisodeFolder } from "../../ports/episode-folder.ts";
import { createEpisodeFolder, findEpisodeFolder, openEpisodeFolder } from "./episode-folder.ts";

const original = join(import.meta.dirname, "../../contract/episodes/fixtures/bread-042");
const at = instant("2026-03-01T10:00:00Z");
let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "episode-")));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function tree(root: string): { [path: string]: string } {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [relative(root, path), readFileSync(path, "utf8")];
    }),
  );
}

function copyOfOriginal(): Promise<EpisodeFolder> {
  cpSync(original, join(home, "bread"), { recursive: true });
  return openEpisodeFolder(join(home, "bread"));
}

const candidate = {
  candidateId: "2641202b-6fa0-53f9-b209-b71f722f6270",
  assetId: "slug",
  format: "plain",
  content: "slow-bread",
  createdAt: at,
  provenance: [],
} as const;
const turn: LoopIteration = {
  iteration: 1,
  creatorDone: true,
  candidate,
  review: {
    iteration: 1,
    verdict: "ok",
    issues: [],
    reviewer: "openai/gpt",
    createdAt: at,
    provenance: [],
  },
  answers: [],
  panel: [],
  losers: [],
  ledger: [],
};
const protocol: ProtocolState = { assetId: "slug", maxIterations: 3, iterations: [turn] };
const ledger = ledgerOf({ assetId: "slug", generation: 1, acts: [] }, [turn]);

test("a new workspace has the layout, and a second one in its place is refused", async () => {
  const folder = await createEpisodeFolder(join(home, "bread"), {
    episodeId: "bread_043",
    createdAt: at,
  });
  expect(Object.keys(tree(folder.root)).sort()).toEqual(["episode.yaml", "state.json"]);
  for (const path of [
    "auphonic/downloads",
    "copy/selected",
    "summaries/episode",
    "transcript/chunks",
  ]) {
    expect(existsSync(join(folder.root, path))).toBe(true);
  }
  expect((await loadState(folder))?.episodeId).toBe("bread_043");
  const again = createEpisodeFolder(join(home, "bread"), { episodeId: "bread_043", createdAt: at });
  await expect(again).rejects.toThrow(/workspace already exists/);
  await expect(
    createEpisodeFolder(join(home, "x"), { episodeId: "bad/id", createdAt: at }),
  ).rejects.toThrow(/must not contain/);
  expect(existsSync(join(home, "x"))).toBe(false);
});

test("a workspace is found from anywhere inside it", async () => {
  const folder = await createEpisodeFolder(join(home, "bread"), { episodeId: "b", createdAt: at });
  expect(await findEpisodeFolder(join(folder.root, "copy/selected"))).toBe(folder.root);
  expect(await findEpisodeFolder(home)).toBeUndefined();
  await expect(openEpisodeFolder(home)).rejects.toThrow(/not an episode workspace/);
});

test("a workspace of the original program opens, is saved unchanged, and keeps unknown files", async () => {
  const folder = await copyOfOriginal();
  const before = tree(folder.root);
  const state = (await loadState(folder))!;
  await folder.write([{ path: layout.state, content: renderStateFile(state) }]);
  const after = tree(folder.root);
  expect(JSON.parse(after["state.json"]!)).toEqual(JSON.parse(before["state.json"]!));
  expect({ ...after, "state.json": "" }).toEqual({ ...before, "state.json": "" });
  expect((await loadCandidates(folder, "description")).length).toBe(3);
  expect(
    (await loadProtocol(folder, "description"))?.iterations.map((one) => one.iteration),
  ).toEqual([2, 5]);
  expect(await loadLedger(folder, "description")).toBeUndefined();
  const survey = await surveyEpisode({ folder }, undefined);
  expect(survey.problems).toEqual([]);
  expect(
    describeEpisode(survey).assets.find((one) => one.assetId === "press_release")?.candidates,
  ).toBe(1);
  expect(survey.stages.chunks).toEqual({ count: 1, freshness: { kind: "unknown" } });
});

test("one turn is written so that the state, the last file, refers only to files that exist", async () => {
  const folder = await createEpisodeFolder(join(home, "bread"), { episodeId: "b", createdAt: at });
  const files = iterationFiles(turn, protocol, ledger);
  expect(files.map((file) => file.path)).toEqual([
    `copy/candidates/slug/candidate_${candidate.candidateId}.txt`,
    `copy/candidates/slug/candidate_${candidate.candidateId}.json`,
    "copy/reviews/slug/iteration_01.openai_gpt.json",
    "copy/protocol/slug/ledger.json",
    "copy/protocol/slug/iteration_01.json",
    "copy/protocol/slug/state.json",
  ]);
  const steps: boolean[] = [];
  const watched = await openEpisodeFolder(folder.root, {
    reach: () => {
      const whole = files.every((file) => existsSync(join(folder.root, file.path)));
      steps.push(existsSync(join(folder.root, layout.protocolState("slug"))) === whole);
    },
  });
  await watched.write(files);
  expect(steps).toEqual(Array(8).fill(true));
  const once = tree(folder.root);
  await folder.write(files);
  expect(tree(folder.root)).toEqual(once);
  expect(await loadProtocol(folder, "slug")).toMatchObject({ assetId: "slug", maxIterations: 3 });
  expect(await loadLedger(folder, "slug")).toEqual(ledger);
});

test("a selection is one canonical file, and formats left over from an earlier one go", async () => {
  const folder = await copyOfOriginal();
  const record = { madeBy: "person", by: "Ada", at } as const;
  const { write, remove } = selectionFiles(
    { assetId: "description", format: "plain", text: "Bread." },
    record,
  );
  await folder.write(write);
  expect(await loadSelection(folder, "description", "markdown")).toMatchObject({
    format: "markdown",
  });
  await folder.remove(remove);
  expect(await folder.list("copy/selected")).toEqual(["description.txt", "slug.txt"]);
  expect(await loadSelection(folder, "description", "markdown")).toEqual({
    assetId: "description",
    format: "plain",
    text: "Bread.\n",
  });
  expect(await loadSelection(folder, "mastodon", undefined)).toBeUndefined();
});

test("a file among another asset's candidates, bytes that are no text and a chunk without text are named", async () => {
  const folder = await copyOfOriginal();
  const [stray] = candidateFiles({ ...candidate, assetId: "mastodon" }).slice(-1);
  writeFileSync(join(folder.root, "copy/candidates/slug/candidate_x.json"), stray!.content);
  await expect(loadCandidates(folder, "slug")).rejects.toThrow(
    'copy/candidates/slug/candidate_x.json: is for asset "mastodon", but lies with those of "slug"',
  );
  writeFileSync(join(folder.root, "transcript/transcript.txt"), new Uint8Array([0xff, 0xfe, 0x41]));
  rmSync(join(folder.root, "transcript/chunks/chunk_0001.txt"));
  mkdirSync(join(folder.root, "copy/protocol/linkedin"), { recursive: true });
  writeFileSync(join(folder.root, "copy/protocol/linkedin/state.json"), "{");
  const survey = await surveyEpisode({ folder }, undefined);
  expect(survey.problems.map((problem) => [problem.file, problem.rule])).toEqual([
    ["copy/candidates/slug/candidate_x.json", "candidate-belongs-to-asset"],
    ["transcript/transcript.txt", "utf-8"],
    ["transcript/chunks/chunk_0001.txt", "file-exists"],
    ["copy/protocol/linkedin/state.json", "json"],
  ]);
});

test("paths that lead out are refused before anything is written", async () => {
  const folder = await copyOfOriginal();
  symlinkSync(home, join(folder.root, "way"));
  const before = tree(folder.root);
  for (const path of ["way/x.txt", "../x.txt", "/tmp/x.txt"]) {
    const batch = [
      { path: "copy/selected/slug.txt", content: "changed" },
      { path, content: "out" },
    ];
    await expect(folder.write(batch)).rejects.toMatchObject({ code: "path-escapes" });
  }
  expect(tree(folder.root)).toEqual(before);
  await expect(folder.read("way/secret")).rejects.toMatchObject({
    code: "path-escapes",
  });
});

test("a changed transcript makes chunks, summaries and texts stale", async () => {
  const folder = await createEpisodeFolder(join(home, "bread"), { episodeId: "b", createdAt: at });
  const transcript = "Bread needs time.\n";
  const source = { path: layout.transcript, digest: sha256Digest(transcript) };
  const [chunk] = chunkTranscript(transcript);
  const summary = {
    chunkId: 1,
    summaryMarkdown: "Time.",
    bullets: [],
    entities: [],
    links: [],
    provenance: [derivedFrom({ path: layout.chunkText(1), digest: sha256Digest(chunk!.text) })],
  };
  const one = chunkSummaryFile(summary);
  const whole = episodeSummaryFiles(
    {
      summaryMarkdown: "# Time",
      keyPoints: [],
      topics: [],
      links: [],
      provenance: [derivedFrom({ path: one.path, digest: sha256Digest(one.content) })],
    },
    { title: "b", language: "en" },
  );
  const json = whole.at(-1)!;
  const written = candidateFiles({
    ...candidate,
    provenance: [derivedFrom({ path: json.path, digest: sha256Digest(json.content) })],
  });
  await folder.write([
    { path: layout.transcript, content: transcript },
    ...chunkFiles(chunk!, source),
    one,
    ...whole,
    ...written,
  ]);
  const fresh = await surveyEpisode({ folder }, undefined);
  expect(Object.values(fresh.stages).map((stage) => stage.count)).toEqual([1, 0, 1, 1, 1]);
  expect(fresh.texts.map((text) => text.draftFreshness)).toEqual([{ kind: "fresh" }]);
  await folder.write([{ path: layout.transcript, content: "Bread needs salt.\n" }]);
  const stale = await surveyEpisode({ folder }, undefined);
  const because = { kind: "stale", because: "transcript/transcript.txt changed" };
  expect(
    [stale.stages.chunks, stale.stages.chunk_summaries, stale.stages.episode_summary].map(
      (stage) => stage.freshness,
    ),
  ).toEqual([because, because, because]);
  expect(stale.texts.map((text) => text.draftFreshness)).toEqual([because]);
});

test("what a killed process left is swept from every folder", async () => {
  const folder = await copyOfOriginal();
  const names: string[] = [];
  const watched = await openEpisodeFolder(folder.root, {
    reach: () => names.push(...readdirSync(join(folder.root, "copy/selected"))),
  });
  await watched.write([{ path: "copy/selected/slug.txt", content: "slow-bread\n" }]);
  const mine = names.find((name) => name.endsWith(".tmp"))!;
  const left = mine.replace(`-${process.pid}-`, "-999999999-");
  writeFileSync(join(folder.root, "copy/selected", left), "half");
  expect(await folder.list("copy/selected")).not.toContain(left);
  await folder.sweep();
  expect(existsSync(join(folder.root, "copy/selected", left))).toBe(false);
});
