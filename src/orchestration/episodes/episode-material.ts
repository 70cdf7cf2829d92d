import type { EpisodeSettings } from "../../contract/episodes/episode-yaml.ts";
import { type Chapter, renderChapters } from "../../domain/episodes/chapter.ts";
import type { Source } from "../../domain/episodes/derived-files.ts";
import type { EpisodeWorkspace } from "../../domain/episodes/episode-workspace.ts";
import { InvalidEpisode } from "../../domain/episodes/invalid-episode.ts";
import { guessLanguage } from "../../domain/episodes/language.ts";
import { layout } from "../../domain/episodes/layout.ts";
import { readChapters } from "../../domain/episodes/read-chapters.ts";
import { readTranscript } from "../../domain/episodes/read-transcript.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { EpisodeFolder } from "../../ports/episode-folder.ts";
import { excerptCharacters, renderEpisodeBrief } from "../../protocol/episodes/episode-brief.ts";
import { loadEpisodeSettings, loadEpisodeSummary, loadState } from "./load-episode.ts";
import { sha256Digest } from "./sha256.ts";

/** What every text of an episode is written from, read once. */
export interface EpisodeMaterial {
  readonly settings: EpisodeSettings;
  readonly state?: EpisodeWorkspace;
  readonly brief: string;
  /** Everything the brief is made of. */
  readonly sources: readonly Source[];
  /** The path of what the texts are mainly written from: the summary, or the transcript where there is none. */
  readonly mainSource: string;
  /** There is no summary, and the brief holds only the beginning of the transcript. */
  readonly isBeginningOnly: boolean;
  readonly transcript: string;
  readonly chapters: readonly Chapter[];
}

type EpisodePlace = { readonly folder: EpisodeFolder; readonly language?: string };

export async function loadMaterial(about: EpisodePlace): Promise<EpisodeMaterial> {
  const inputs = await loadInputs(about);
  const { settings, state, summary, transcript, language, chapters, ...of } = inputs;
  if (summary === undefined && transcript.trim() === "") {
    throw new ConfigurationError("The episode has no transcript and no summary to write from.", {
      code: "transcript-missing",
      hint: "Paste one into `signoff episode add --transcript -`, or name its file in place of -.",
    });
  }
  const brief = renderEpisodeBrief({
    episodeId: settings.episodeId,
    language,
    hosts: settings.hosts,
    summary: summary?.summaryMarkdown ?? "",
    keyPoints: summary?.keyPoints ?? [],
    topics: summary?.topics ?? [],
    chapters,
    links: (summary?.links ?? []).map(({ url, label }) =>
      label === undefined ? url : `${label}: ${url}`,
    ),
    excerpt: readTranscript(transcript).text,
  });
  const { sources, mainSource } = of;
  const isBeginningOnly = summary === undefined && transcript.length > excerptCharacters;
  const made = { brief, sources, mainSource, isBeginningOnly, transcript, chapters };
  return { settings, ...defined({ state }), ...made };
}

/** Everything the brief is made of, each part with its digest. */
export async function loadInputs({ folder, language: fallback }: EpisodePlace) {
  const settings = await loadEpisodeSettings(folder);
  const state = await loadState(folder);
  const summary = await loadEpisodeSummary(folder);
  const summaryPath = layout.episodeSummary("json");
  const transcriptPath = settings.inputs.transcript?.path ?? layout.transcript;
  const transcript = (await folder.read(transcriptPath)) ?? "";
  const chapters = await chaptersOf(folder, settings, state);
  const language = settings.language ?? fallback ?? guessLanguage(transcript);
  const summarized =
    summary === undefined ? [] : [sourceOf(summaryPath, (await folder.read(summaryPath)) ?? "")];
  // What people give comes before what is made of it: a change is reported by its first cause.
  const sources: readonly Source[] = [
    sourceOf(transcriptPath, transcript),
    ...promptSources({ settings, language, chapters }),
    ...summarized,
  ];
  const mainSource = summary === undefined ? transcriptPath : summaryPath;
  return { settings, state, summary, transcript, chapters, language, sources, mainSource };
}

/** What reaches the prompts of every text without being a file of its own; names are shown to people. */
function promptSources(about: {
  readonly settings: EpisodeSettings;
  readonly language: string;
  readonly chapters: readonly Chapter[];
}): readonly Source[] {
  const { settings, language, chapters } = about;
  return [
    sourceOf("episode_id in episode.yaml", settings.episodeId),
    sourceOf("hosts in episode.yaml", settings.hosts.join("\n")),
    sourceOf("language of the texts", language),
    sourceOf("chapters", renderChapters(chapters)),
  ];
}

/** The editorial notes of one text. */
export function notesOf({ editorialNotes }: EpisodeSettings, assetId: string): string | undefined {
  return Object.hasOwn(editorialNotes, assetId) ? editorialNotes[assetId] : undefined;
}

export function notesSource(settings: EpisodeSettings, assetId: string): Source {
  return sourceOf(`editorial_notes.${assetId} in episode.yaml`, notesOf(settings, assetId) ?? "");
}

function sourceOf(path: string, text: string): Source {
  return { path, digest: sha256Digest(text) };
}

/**
 * The chapters file, which people edit, else what `state.json` has. Other programs may keep any text in that file;
 * anything but a list of chapters counts as none.
 */
async function chaptersOf(
  folder: EpisodeFolder,
  settings: EpisodeSettings,
  state: EpisodeWorkspace | undefined,
): Promise<readonly Chapter[]> {
  const text = await folder.read(settings.inputs.chapters?.path ?? layout.chapters);
  try {
    const written = text === undefined ? [] : readChapters(text).chapters;
    return written.length > 0 ? written : (state?.chapters ?? []);
  } catch (error) {
    if (error instanceof InvalidEpisode) return state?.chapters ?? [];
    throw error;
  }
}

/** Chapters and summary, for a screen. */
export async function loadMaterialView(folder: EpisodeFolder) {
  const summary = await loadEpisodeSummary(folder);
  const settings = await loadEpisodeSettings(folder);
  const chapters = await chaptersOf(folder, settings, await loadState(folder));
  return { chapters, ...defined({ summary }) };
}
