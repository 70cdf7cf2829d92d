import { decodeAssetJob } from "../../contract/episodes/episode-jobs.ts";
import type { StoredEvent } from "../../ports/journal.ts";
import type { Projector } from "../../ports/projector.ts";
import { readDraftEvent } from "../drafting/draft-record.ts";
import { candidateFiles } from "./episode-files.ts";
import { draftEvents, draftKind } from "./episode-kinds.ts";
import { assetWithDisk, currentState, stateFile } from "./episode-state.ts";
import { promptFiles } from "./prompt-provenance.ts";
import type { EpisodeRecordParts } from "./review-record.ts";

/** Writes first drafts into their workspace; `state.json` learns of them when the asset is done. */
export function createDraftsRecord(parts: EpisodeRecordParts): Projector {
  return {
    jobs: [draftKind],
    kinds: draftEvents,
    async apply(events) {
      for (const event of events) await writeDraft(parts, event);
    },
  };
}

async function writeDraft(parts: EpisodeRecordParts, stored: StoredEvent): Promise<void> {
  const { job } = await parts.runOf(stored.run);
  const { workspace, draft } = decodeAssetJob(job.input);
  const folder = await parts.openFolder(workspace);
  const event = readDraftEvent(stored);
  if (event?.kind === "candidate-written") {
    const { candidate } = event;
    await folder.write([
      ...(await promptFiles(parts.journal, stored.run, candidate.provenance)),
      ...candidateFiles(candidate),
    ]);
    return;
  }
  await parts.lock(async () => {
    const state = await currentState(folder, job.createdAt);
    const asset = await assetWithDisk(folder, state, draft.assetId);
    await folder.write([stateFile(state, asset)]);
  });
}
