import type { EpisodeSettings } from "../../contract/episodes/episode-yaml.ts";
import type { ProvenanceRef } from "../../domain/drafting/provenance.ts";
import { type Chapter, parseChapters } from "../../domain/episodes/chapter.ts";
import { derivedFrom } from "../../domain/episodes/derived-files.ts";
import type { EpisodeWorkspace } from "../../domain/episodes/episode-workspace.ts";
import { InvalidEpisode } from "../../domain/episodes/invalid-episode.ts";
import { guessLanguage } from "../../domain/episodes/language.ts";
import { layout } from "../../domain/episodes/layout.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { EpisodeFolder } from "../../ports/episode-folder.ts";
import { renderEpisodeBrief } from "../../protocol/episodes/episode-brief.ts";
import { loadEpisodeSettings, loadEpisodeSummary, loadState } from "./load-episode.ts";
import { sha256Digest } from "./sha256.ts";

/** What every text of an episode is written from, read once. */
export interface EpisodeMaterial {
  readonly settings: EpisodeSettings;
  readonly state?: EpisodeWorkspace;
  readonly brief: string;
  readonly sources: readonly ProvenanceRef[];
  readonly transcript: string;
  readonly chapters: readonly Chapter[];
}

export async function loadMaterial(about: {
  readonly folder: EpisodeFolder;
  readonly language?: string;
}): Promise<EpisodeMaterial> {
  const { folder } = about;
  const settings = await loadEpisodeSettings(folder);
  const state = await loadState(folder);
  const summary = await loadEpisodeSummary(folder);
  const transcriptPath = settings.inputs.transcript?.path ?? layout.transcript;
  const transcript = (await folder.read(transcriptPath)) ?? "";
  if (summary === undefined && transcript.trim() === "") {
    throw new ConfigurationError("The episode has no transcript and no summary to write from.", {
      code: "transcript-missing",
      hint: "Add one with `signoff episode add --transcript FILE`.",
    });
  }
  const chapters = await chaptersOf(folder, settings, state);
  const brief = renderEpisodeBrief({
    episodeId: settings.episodeId,
    language: settings.language ?? about.language ?? guessLanguage(transcript),
    hosts: settings.hosts,
    summary: summary?.summaryMarkdown ?? "",
    keyPoints: summary?.keyPoints ?? [],
    topics: summary?.topics ?? [],
    chapters,
    links: (summary?.links ?? []).map(({ url, label }) =>
      label === undefined ? url : `${label}: ${url}`,
    ),
    excerpt: transcript,
  });
  const source = summary === undefined ? transcriptPath : layout.episodeSummary("json");
  const text = summary === undefined ? transcript : ((await folder.read(source)) ?? "");
  return {
    settings,
    ...defined({ state }),
    brief,
    sources: [derivedFrom({ path: source, digest: sha256Digest(text) })],
    transcript,
    chapters,
  };
}

/** Other programs may keep any text in the chapters file; anything but a list of chapters counts as none. */
async function chaptersOf(
  folder: EpisodeFolder,
  settings: EpisodeSettings,
  state: EpisodeWorkspace | undefined,
): Promise<readonly Chapter[]> {
  if (state !== undefined && state.chapters.length > 0) return state.chapters;
  const text = await folder.read(settings.inputs.chapters?.path ?? layout.chapters);
  try {
    return text === undefined ? [] : parseChapters(text);
  } catch (error) {
    if (error instanceof InvalidEpisode) return [];
    throw error;
  }
}

/** Chapters and summary, for a screen. */
export async function loadMaterialView(folder: EpisodeFolder) {
  const summary = await loadEpisodeSummary(folder);
  return { chapters: (await loadState(folder))?.chapters ?? [], ...defined({ summary }) };
}
