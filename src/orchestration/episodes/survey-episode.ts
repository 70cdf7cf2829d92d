import { InvalidFile } from "../../contract/documents/file-problem.ts";
import type { EpisodeSettings } from "../../contract/episodes/episode-yaml.ts";
import { selectionRecordPath } from "../../contract/episodes/provenance-files.ts";
import { type Asset, emptyAsset, mergeAsset } from "../../domain/episodes/asset.ts";
import { isAssetId } from "../../domain/episodes/asset-kind.ts";
import {
  classifyDerivedFiles,
  type DerivedFile,
  type Freshness,
  sourcesOf,
} from "../../domain/episodes/derived-files.ts";
import type {
  EpisodeProblem,
  EpisodeSurvey,
  SelectionSurvey,
  StageSurvey,
} from "../../domain/episodes/episode-status.ts";
import type { EpisodeWorkspace } from "../../domain/episodes/episode-workspace.ts";
import { extensionOf, layout } from "../../domain/episodes/layout.ts";
import { isUnlocked } from "../../domain/episodes/loop-ledger.ts";
import type { ProtocolState } from "../../domain/episodes/protocol-state.ts";
import { seedCandidate } from "../../domain/episodes/timestamp.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Digest } from "../../domain/values/digest.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { EpisodeFolder } from "../../ports/episode-folder.ts";
import {
  loadCandidates,
  loadChunkSummaries,
  loadChunks,
  loadEpisodeSettings,
  loadEpisodeSummary,
  loadLedger,
  loadProtocol,
  loadSelection,
  loadSelectionRecord,
  loadState,
} from "./load-episode.ts";
import { sha256Digest } from "./sha256.ts";

/** Reads everything once. Broken files become problems in the survey, never exceptions. */
export async function surveyEpisode(folder: EpisodeFolder): Promise<EpisodeSurvey> {
  const problems: EpisodeProblem[] = [];
  const attempt = attempting(problems);
  const settings = await attempt(layout.episodeYaml, () => loadEpisodeSettings(folder));
  const state = await attempt(layout.state, () => loadState(folder));
  if (state === undefined && !problems.some((problem) => problem.file === layout.state)) {
    problems.push({ file: layout.state, rule: "file-exists", message: "is missing" });
  }
  const assets = await surveyAssets(folder, state, attempt);
  const protocols = await surveyProtocols(folder, attempt);
  const pipeline = await surveyPipeline(folder, settings, attempt);
  const episodeId = settings?.episodeId ?? state?.episodeId;
  return {
    ...defined({ episodeId }),
    problems,
    stages: pipeline.stages,
    assets,
    tracks: [
      ...(state?.tracks ?? []),
      ...(settings?.tracks ?? [])
        .filter((track) => !state?.tracks.some((one) => one.trackId === track.trackId))
        .map((track) => ({ ...track, provenance: [] })),
    ],
    protocols,
    selections: await surveySelections(folder, { assets, pipeline, attempt }),
    candidateFreshness: new Map(
      assets.flatMap(({ assetId, candidates }) => {
        // A loop would start from the newest candidate.
        const newest = seedCandidate(candidates);
        return newest === undefined ? [] : [[assetId, freshnessOf(newest, pipeline)] as const];
      }),
    ),
  };
}

type Attempt = <Value>(file: string, work: () => Promise<Value>) => Promise<Value | undefined>;

function attempting(problems: EpisodeProblem[]): Attempt {
  return async (file, work) => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof WorkflowError)) throw error;
      const broken = error instanceof InvalidFile ? error.problems[0] : undefined;
      problems.push({
        file: broken?.file ?? file,
        rule: broken?.rule ?? error.code,
        message: error.message,
      });
      return undefined;
    }
  };
}

/** State and disk together; only candidates that `state.json` does not hold are read one by one. */
async function surveyAssets(
  folder: EpisodeFolder,
  state: EpisodeWorkspace | undefined,
  attempt: Attempt,
): Promise<readonly Asset[]> {
  const assets = new Map((state?.assets ?? []).map((asset) => [asset.assetId, asset]));
  for (const assetId of await folder.list("copy/candidates")) {
    if (!isAssetId(assetId)) continue;
    const stored = assets.get(assetId) ?? emptyAsset(assetId);
    const known = new Set(stored.candidates.map((candidate) => candidate.candidateId));
    const others = await attempt(layout.candidates(assetId), () =>
      loadCandidates(folder, assetId, (id) => !known.has(id)),
    );
    if (others !== undefined && others.length > 0) {
      assets.set(assetId, mergeAsset(stored, { assetId, candidates: others, reviews: [] }));
    }
  }
  return [...assets.values()];
}

async function surveyProtocols(
  folder: EpisodeFolder,
  attempt: Attempt,
): Promise<readonly ProtocolState[]> {
  const protocols: ProtocolState[] = [];
  for (const assetId of await folder.list("copy/protocol")) {
    if (!isAssetId(assetId)) continue;
    const file = layout.protocolState(assetId);
    const protocol = await attempt(file, () => loadProtocol(folder, assetId));
    if (protocol !== undefined) protocols.push(protocol);
  }
  return protocols;
}

interface Pipeline {
  readonly stages: EpisodeSurvey["stages"];
  readonly files: readonly DerivedFile[];
  readonly current: ReadonlyMap<string, Digest>;
}

async function surveyPipeline(
  folder: EpisodeFolder,
  settings: EpisodeSettings | undefined,
  attempt: Attempt,
): Promise<Pipeline> {
  const current = new Map<string, Digest>();
  const digestOf = async (path: string): Promise<void> => {
    const text = await attempt(path, () => folder.read(path));
    if (text !== undefined) current.set(path, sha256Digest(text));
  };
  const transcript = settings?.inputs.transcript?.path ?? layout.transcript;
  const chapters = settings?.inputs.chapters?.path ?? layout.chapters;
  for (const path of [transcript, chapters]) await digestOf(path);
  const chunks = (await attempt(layout.chunks, () => loadChunks(folder))) ?? [];
  for (const { meta, text } of chunks) current.set(meta.textRelpath, sha256Digest(text));
  const summaries = (await attempt(layout.chunkSummaries, () => loadChunkSummaries(folder))) ?? [];
  for (const { chunkId } of summaries) await digestOf(layout.chunkSummary(chunkId));
  const whole = layout.episodeSummary("json");
  const summary = await attempt(whole, () => loadEpisodeSummary(folder));
  if (summary !== undefined) await digestOf(whole);

  const chunkFiles = chunks.map(({ meta }) => derived(meta.textRelpath, meta));
  const summaryFiles = summaries.map((one) => derived(layout.chunkSummary(one.chunkId), one));
  const wholeFile = summary === undefined ? [] : [derived(whole, summary)];
  const files = [...chunkFiles, ...summaryFiles, ...wholeFile];
  const known = classifyDerivedFiles(files, current);
  const stage = (some: readonly DerivedFile[]): StageSurvey => ({
    count: some.length,
    freshness: worst(some.map((file) => known.get(file.path))),
  });
  const input = (path: string): StageSurvey => ({
    count: current.has(path) ? 1 : 0,
    freshness: { kind: "fresh" },
  });
  return {
    stages: {
      transcript: input(transcript),
      chapters: input(chapters),
      chunks: stage(chunkFiles),
      chunk_summaries: { ...stage(summaryFiles), expected: chunks.length },
      episode_summary: stage(wholeFile),
    },
    files,
    current,
  };
}

function derived(
  path: string,
  made: { readonly provenance: Asset["candidates"][0]["provenance"] },
): DerivedFile {
  return { path, sources: sourcesOf(made.provenance) };
}

function freshnessOf(candidate: Asset["candidates"][0], pipeline: Pipeline): Freshness {
  const file = derived(`candidate ${candidate.candidateId}`, candidate);
  const known = classifyDerivedFiles([...pipeline.files, file], pipeline.current);
  return known.get(file.path) ?? { kind: "unknown" };
}

async function surveySelections(
  folder: EpisodeFolder,
  found: {
    readonly assets: readonly Asset[];
    readonly pipeline: Pipeline;
    readonly attempt: Attempt;
  },
): Promise<readonly SelectionSurvey[]> {
  const { assets, pipeline, attempt } = found;
  const names = await folder.list("copy/selected");
  const ids = new Set(
    names.flatMap((name) => /^([a-z][a-z0-9_]*)\.(md|txt|html)$/.exec(name)?.[1] ?? []),
  );
  const selections: SelectionSurvey[] = [];
  for (const assetId of ids) {
    const asset = assets.find((one) => one.assetId === assetId);
    const chosen = asset?.candidates.find((one) => one.candidateId === asset.selectedCandidateId);
    const selection = await attempt(layout.selected(assetId, "md"), () =>
      loadSelection(folder, assetId, chosen?.format),
    );
    if (selection === undefined) continue;
    const record = await attempt(selectionRecordPath(assetId), () =>
      loadSelectionRecord(folder, assetId),
    );
    const ledger = await attempt(layout.ledger(assetId), () => loadLedger(folder, assetId));
    selections.push({
      assetId,
      path: layout.selected(assetId, extensionOf(selection.format)),
      madeBy: record?.madeBy ?? "unknown",
      freshness: chosen === undefined ? { kind: "unknown" } : freshnessOf(chosen, pipeline),
      isUnlocked: isUnlocked(ledger, sha256Digest(selection.text)),
    });
  }
  return selections;
}

function worst(all: readonly (Freshness | undefined)[]): Freshness {
  return (
    all.find((one) => one?.kind === "stale") ??
    all.find((one) => one?.kind === "unknown") ??
    (all.length === 0 ? { kind: "unknown" } : { kind: "fresh" })
  );
}
