import { InvalidFile } from "../../contract/documents/file-problem.ts";
import type { EpisodeSettings } from "../../contract/episodes/episode-yaml.ts";
import type { Candidate } from "../../domain/drafting/candidate.ts";
import { type Asset, emptyAsset, mergeAsset } from "../../domain/episodes/asset.ts";
import { isAssetId } from "../../domain/episodes/asset-kind.ts";
import { emptyText, type TextSurvey } from "../../domain/episodes/asset-status.ts";
import {
  classifyDerivedFiles,
  type DerivedFile,
  type Freshness,
  type Source,
  sourcesOf,
} from "../../domain/episodes/derived-files.ts";
import type {
  EpisodeProblem,
  EpisodeSurvey,
  StageSurvey,
} from "../../domain/episodes/episode-survey.ts";
import type { EpisodeWorkspace } from "../../domain/episodes/episode-workspace.ts";
import { layout } from "../../domain/episodes/layout.ts";
import { loopIterations } from "../../domain/episodes/loop-ledger.ts";
import { seedCandidate } from "../../domain/episodes/timestamp.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Digest } from "../../domain/values/digest.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { EpisodeFolder } from "../../ports/episode-folder.ts";
import { loadInputs, notesSource } from "./episode-material.ts";
import { assetStanding, type Workspace } from "./freeze-asset.ts";
import {
  loadCandidates,
  loadChunkSummaries,
  loadChunks,
  loadEpisodeSettings,
  loadEpisodeSummary,
  loadState,
} from "./load-episode.ts";
import { sha256Digest } from "./sha256.ts";
import { type LoopRecords, textEvidence } from "./text-evidence.ts";

/**
 * Reads everything once. Broken files become problems in the survey, never exceptions. With the project's records, texts
 * are compared with what their runs recorded; without them they are attested at best.
 */
export async function surveyEpisode(
  workspace: Pick<Workspace, "folder" | "language">,
  records: LoopRecords | undefined,
  /** Absent: every text. */
  only?: string,
): Promise<EpisodeSurvey> {
  const { folder } = workspace;
  const problems: EpisodeProblem[] = [];
  const attempt = attempting(problems);
  const settings = await attempt(layout.episodeYaml, () => loadEpisodeSettings(folder));
  const state = await attempt(layout.state, () => loadState(folder));
  if (state === undefined && !problems.some((problem) => problem.file === layout.state)) {
    problems.push({ file: layout.state, rule: "file-exists", message: "is missing" });
  }
  const assets = await surveyAssets(folder, state, attempt);
  const pipeline = await surveyPipeline(workspace, settings, attempt);
  const episodeId = settings?.episodeId ?? state?.episodeId;
  return {
    ...defined({ episodeId }),
    problems,
    stages: pipeline.stages,
    tracks: [
      ...(state?.tracks ?? []),
      ...(settings?.tracks ?? [])
        .filter((track) => !state?.tracks.some((one) => one.trackId === track.trackId))
        .map((track) => ({ ...track, provenance: [] })),
    ],
    texts: await surveyTexts(
      folder,
      { assets, state, pipeline, settings, records, attempt, problems },
      only,
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
      problems.push(problemIn(error, file));
      return undefined;
    }
  };
}

function problemIn(error: WorkflowError, file: string): EpisodeProblem {
  const broken = error instanceof InvalidFile ? error.problems[0] : undefined;
  const { path } = error.facts;
  return {
    file: broken?.file ?? (typeof path === "string" ? path : file),
    rule: broken?.rule ?? error.code,
    message: error.message,
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

interface Pipeline {
  readonly stages: EpisodeSurvey["stages"];
  readonly files: readonly DerivedFile[];
  readonly current: ReadonlyMap<string, Digest>;
  /** A file without which no text can be compared with its inputs. */
  readonly unreadable?: string;
}

async function surveyPipeline(
  workspace: Pick<Workspace, "folder" | "language">,
  settings: EpisodeSettings | undefined,
  attempt: Attempt,
): Promise<Pipeline> {
  const { folder } = workspace;
  const current = new Map<string, Digest>();
  const digestOf = async (path: string): Promise<boolean> => {
    const text = await attempt(path, () => folder.read(path));
    if (text !== undefined) current.set(path, sha256Digest(text));
    return text !== undefined;
  };
  const inputs = await inputsOf(workspace);
  for (const { path, digest } of inputs.sources) current.set(path, digest);
  const transcript = settings?.inputs.transcript?.path ?? layout.transcript;
  const chapters = settings?.inputs.chapters?.path ?? layout.chapters;
  // Among the sources a missing input has a digest as well, that of an empty text.
  const hasTranscript = await digestOf(transcript);
  const hasChapters = await digestOf(chapters);
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
  const input = (isThere: boolean): StageSurvey => ({
    count: isThere ? 1 : 0,
    freshness: { kind: "fresh" },
  });
  return {
    stages: {
      transcript: input(hasTranscript),
      chapters: input(hasChapters),
      chunks: stage(chunkFiles),
      chunk_summaries: { ...stage(summaryFiles), expected: chunks.length },
      episode_summary: stage(wholeFile),
    },
    files,
    current,
    ...defined({ unreadable: inputs.unreadable }),
  };
}

function derived(
  path: string,
  made: { readonly provenance: Candidate["provenance"] },
): DerivedFile {
  return { path, sources: sourcesOf(made.provenance) };
}

function classify(candidate: Candidate, pipeline: Pick<Pipeline, "files" | "current">): Freshness {
  const file = derived(`candidate ${candidate.candidateId}`, candidate);
  const known = classifyDerivedFiles([...pipeline.files, file], pipeline.current);
  return known.get(file.path) ?? { kind: "unknown" };
}

/** Files that cannot be read are reported where they are read for themselves. */
async function inputsOf(
  workspace: Pick<Workspace, "folder" | "language">,
): Promise<{ readonly sources: readonly Source[]; readonly unreadable?: string }> {
  try {
    return { sources: (await loadInputs(workspace)).sources };
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error;
    return { sources: [], unreadable: problemIn(error, layout.episodeYaml).file };
  }
}

/** Every text that has a candidate, a protocol or a selection. */
async function surveyTexts(
  folder: EpisodeFolder,
  found: {
    readonly assets: readonly Asset[];
    readonly state: EpisodeWorkspace | undefined;
    readonly settings: EpisodeSettings | undefined;
    readonly pipeline: Pipeline;
    readonly records: LoopRecords | undefined;
    readonly attempt: Attempt;
    readonly problems: readonly EpisodeProblem[];
  },
  only: string | undefined,
): Promise<readonly TextSurvey[]> {
  const { problems, assets, state, pipeline, settings, records, attempt } = found;
  const selected = await folder.list("copy/selected");
  const ids = new Set([
    ...assets.map(({ assetId }) => assetId),
    ...(await folder.list("copy/protocol")).filter(isAssetId),
    ...selected.flatMap((name) => /^([a-z][a-z0-9_]*)\.(md|txt|html)$/.exec(name)?.[1] ?? []),
  ]);
  const texts: TextSurvey[] = [];
  for (const assetId of only === undefined ? ids : [only]) {
    const asset = assets.find((one) => one.assetId === assetId) ?? emptyAsset(assetId);
    const notes = settings && notesSource(settings, assetId);
    const current = new Map([
      ...pipeline.current,
      ...(notes === undefined ? [] : [[notes.path, notes.digest] as const]),
    ]);
    const freshnessOf = (candidate: Candidate) => classify(candidate, { ...pipeline, current });
    const text = await attempt(layout.protocolState(assetId), async () => {
      const standing = await assetStanding(folder, assetId, state);
      const found = await textEvidence(folder, { asset, standing }, { records, freshnessOf });
      const { protocol, ledger, isTextLocked } = standing;
      const last = protocol && loopIterations(protocol, ledger).at(-1);
      const evidence = { ...found, ...defined({ unreadable: pipeline.unreadable }) };
      return { evidence, isTextLocked, issues: last?.review.issues ?? [] };
    });
    // A loop would start from the newest candidate.
    const newest = seedCandidate(asset.candidates);
    texts.push({
      ...(text ?? unreadText(asset, problems.at(-1)?.file ?? "")),
      isWithoutSummary: newest !== undefined && isWithoutSummary(newest),
      ...defined({ draftFreshness: newest && freshnessOf(newest) }),
    });
  }
  return texts;
}

function unreadText({ assetId, candidates }: Asset, unreadable: string) {
  const { evidence } = emptyText(assetId);
  return {
    evidence: { ...evidence, candidates: candidates.length, unreadable },
    isTextLocked: true,
    issues: [],
  };
}

/** It names what it was made from, and no summary is among that. */
function isWithoutSummary({ provenance }: Candidate): boolean {
  const paths = sourcesOf(provenance).map(({ path }) => path);
  return paths.length > 0 && !paths.includes(layout.episodeSummary("json"));
}

function worst(all: readonly (Freshness | undefined)[]): Freshness {
  return (
    all.find((one) => one?.kind === "stale") ??
    all.find((one) => one?.kind === "unknown") ??
    (all.length === 0 ? { kind: "unknown" } : { kind: "fresh" })
  );
}
