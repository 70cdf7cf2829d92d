import {
  type EpisodeTrack,
  type EpisodeYamlChanges,
  editEpisodeYaml,
} from "../../contract/episodes/episode-yaml.ts";
import { type Chapter, renderChapters } from "../../domain/episodes/chapter.ts";
import {
  type EpisodeWorkspace,
  makeEpisodeWorkspace,
} from "../../domain/episodes/episode-workspace.ts";
import { layout } from "../../domain/episodes/layout.ts";
import {
  chaptersAdvice,
  type ReadChapters,
  readChapters,
} from "../../domain/episodes/read-chapters.ts";
import {
  type ReadTranscript,
  readTranscript,
  transcriptAdvice,
} from "../../domain/episodes/read-transcript.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Instant } from "../../domain/values/instant.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { EpisodeFile, EpisodeFolder } from "../../ports/episode-folder.ts";
import { currentState, stateFile } from "./episode-state.ts";
import { loadEpisodeSettings } from "./load-episode.ts";
import { sha256Digest } from "./sha256.ts";

export interface NewInputs {
  readonly transcript?: string;
  readonly chapters?: string;
  readonly hosts: readonly string[];
  readonly language?: string;
  readonly tracks: readonly EpisodeTrack[];
}

export interface AddedInputs {
  readonly transcript?: Omit<ReadTranscript, "text">;
  readonly chapters?: ReadChapters;
  readonly tracks: readonly string[];
  readonly hosts: readonly string[];
}

/**
 * Copies the given files into the workspace and records their hashes. Everything is read and checked before the first
 * byte is written, and `episode.yaml`, which names the files, changes last. Call it under the lock.
 */
export async function addInputs(
  folder: EpisodeFolder,
  inputs: NewInputs,
  at: Instant,
): Promise<AddedInputs> {
  const yaml = (await folder.read(layout.episodeYaml)) ?? "";
  const settings = await loadEpisodeSettings(folder);
  const transcript =
    inputs.transcript === undefined ? undefined : readTranscript(inputs.transcript);
  if (transcript?.words === 0) throw nothingIn("transcript", "words", transcriptAdvice);
  const read = inputs.chapters === undefined ? undefined : readChapters(inputs.chapters);
  const chapters = read?.chapters;
  if (chapters?.length === 0) throw nothingIn("chapters", "chapters", chaptersAdvice);
  const transcriptFile = transcript && { path: layout.transcript, content: transcript.text };
  const chapterFile = chapters && { path: layout.chapters, content: renderChapters(chapters) };
  const tracks = nameTracks(settings.tracks, inputs.tracks);
  const state = withInputs(await currentState(folder, at), tracks, chapters);
  const changes: EpisodeYamlChanges = {
    ...(inputs.hosts.length === 0 ? {} : { hosts: inputs.hosts }),
    ...defined({
      language: inputs.language,
      transcript: transcriptFile && {
        ...digested(transcriptFile),
        ...defined({ endSec: transcript?.endSec }),
      },
      chapters: chapterFile && digested(chapterFile),
    }),
    ...(tracks.length === 0 ? {} : { tracks }),
  };
  await folder.write([
    ...[transcriptFile, chapterFile].flatMap((file) => file ?? []),
    stateFile(state),
    { path: layout.episodeYaml, content: editEpisodeYaml(yaml, layout.episodeYaml, changes) },
  ]);
  return {
    ...defined({ transcript: transcript && aboutOf(transcript), chapters: read }),
    tracks: tracks.map(({ trackId }) => trackId),
    hosts: inputs.hosts.length === 0 ? settings.hosts : inputs.hosts,
  };
}

function digested({ path, content }: EpisodeFile) {
  return { path, sha256: sha256Digest(content) };
}

function aboutOf({ text: _, ...about }: ReadTranscript): Omit<ReadTranscript, "text"> {
  return about;
}

/** A known file keeps its id and settings; another file of the same name gets `_02`, `_03`. */
function nameTracks(
  known: readonly EpisodeTrack[],
  added: readonly EpisodeTrack[],
): readonly EpisodeTrack[] {
  const named: EpisodeTrack[] = [];
  for (const track of added) {
    const all = [...known, ...named];
    const same = all.find(({ path }) => path === track.path);
    const trackId = same?.trackId ?? freeId(track.trackId, all);
    named.push({ ...same, ...track, trackId });
  }
  return named;
}

function freeId(wanted: string, tracks: readonly EpisodeTrack[]): string {
  const taken = new Set(tracks.map(({ trackId }) => trackId));
  let id = wanted;
  for (let number = 2; taken.has(id); number += 1) {
    id = `${wanted}_${String(number).padStart(2, "0")}`;
  }
  return id;
}

function withInputs(
  state: EpisodeWorkspace,
  tracks: readonly EpisodeTrack[],
  chapters: readonly Chapter[] | undefined,
): EpisodeWorkspace {
  const others = state.tracks.filter(
    (track) => !tracks.some(({ trackId }) => trackId === track.trackId),
  );
  return makeEpisodeWorkspace({
    ...state,
    ...defined({ chapters }),
    tracks: [...others, ...tracks.map((track) => ({ ...track, provenance: [] }))],
  });
}

function nothingIn(what: string, missing: string, advice: string): ConfigurationError {
  return new ConfigurationError(`The ${what} file holds no ${missing}.`, {
    code: "input-empty",
    facts: { input: what },
    hint: `${advice}.`,
  });
}
