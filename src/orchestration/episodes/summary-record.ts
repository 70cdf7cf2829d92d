import {
  decodeChunkSummary,
  decodeEpisodeSummary,
  decodeSummaryJob,
} from "../../contract/episodes/episode-jobs.ts";
import type { StoredEvent } from "../../ports/journal.ts";
import type { Projector } from "../../ports/projector.ts";
import { chunkSummaryFile, episodeSummaryFiles } from "./episode-files.ts";
import { summaryEvents, summaryKind } from "./episode-kinds.ts";
import { promptFiles } from "./prompt-provenance.ts";
import type { EpisodeRecordParts } from "./review-record.ts";

/** Writes each summary into its workspace as soon as it is made. */
export function createSummaryRecord(parts: EpisodeRecordParts): Projector {
  return {
    jobs: [summaryKind],
    kinds: summaryEvents,
    async apply(events) {
      for (const event of events) await writeSummary(parts, event);
    },
  };
}

async function writeSummary(
  parts: EpisodeRecordParts,
  { run, kind, data }: StoredEvent,
): Promise<void> {
  const { job } = await parts.runOf(run);
  const { workspace, episodeId, language } = decodeSummaryJob(job.input);
  const folder = await parts.openFolder(workspace);
  const chunk = kind === "chunk-summarized" ? decodeChunkSummary(data) : undefined;
  const whole = chunk === undefined ? decodeEpisodeSummary(data) : undefined;
  const provenance = (chunk ?? whole)?.provenance ?? [];
  await folder.write([
    ...(await promptFiles(parts.journal, run, provenance)),
    ...(chunk === undefined ? [] : [chunkSummaryFile(chunk)]),
    ...(whole === undefined ? [] : episodeSummaryFiles(whole, { title: episodeId, language })),
  ]);
}
