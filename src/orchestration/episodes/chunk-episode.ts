import { type Chunk, chunkTranscript } from "../../domain/episodes/chunker.ts";
import { layout } from "../../domain/episodes/layout.ts";
import { readTranscript } from "../../domain/episodes/read-transcript.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { EpisodeFolder } from "../../ports/episode-folder.ts";
import { chunkFiles } from "./episode-files.ts";
import { loadEpisodeSettings } from "./load-episode.ts";
import { sha256Digest } from "./sha256.ts";

export interface ChunkedEpisode {
  readonly chunks: readonly Pick<Chunk, "chunkId" | "startSec" | "endSec">[];
  /** Everything was up to date; nothing was written. */
  readonly isUnchanged: boolean;
}

/** Cuts the transcript into chunks and clears those of an earlier, longer one, with their summaries. */
export async function chunkEpisode(folder: EpisodeFolder): Promise<ChunkedEpisode> {
  const settings = await loadEpisodeSettings(folder);
  const path = settings.inputs.transcript?.path ?? layout.transcript;
  const transcript = await folder.read(path);
  const read = transcript === undefined ? undefined : readTranscript(transcript);
  const endSec = settings.inputs.transcript?.endSec ?? read?.endSec;
  const chunks = read === undefined ? [] : chunkTranscript(read.text, defined({ endSec }));
  if (transcript === undefined || chunks.length === 0) {
    throw new ConfigurationError(`There is no transcript at ${path}.`, {
      code: "transcript-missing",
      facts: { path },
      hint: "Paste one into `signoff episode add --transcript -`, or name its file in place of -.",
    });
  }
  const source = { path, digest: sha256Digest(transcript) };
  const files = chunks.flatMap((chunk) => chunkFiles(chunk, source));
  const changed = [];
  for (const file of files) {
    if ((await folder.read(file.path)) !== file.content) changed.push(file);
  }
  const leftOver = [
    ...(await beyond(folder, layout.chunks, chunks.length)),
    ...(await beyond(folder, layout.chunkSummaries, chunks.length)),
  ];
  await folder.write(changed);
  await folder.remove(leftOver);
  return {
    chunks: chunks.map(({ chunkId, startSec, endSec }) => ({
      chunkId,
      ...defined({ startSec, endSec }),
    })),
    isUnchanged: changed.length === 0 && leftOver.length === 0,
  };
}

/** Files of chunks with a higher number than there are. */
async function beyond(
  folder: EpisodeFolder,
  path: string,
  count: number,
): Promise<readonly string[]> {
  const names = await folder.list(path);
  return names
    .filter((name) => Number(/^chunk_(\d+)\./.exec(name)?.[1] ?? 0) > count)
    .map((name) => `${path}/${name}`);
}
