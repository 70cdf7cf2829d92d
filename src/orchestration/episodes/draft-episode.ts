import { encodeAssetJob } from "../../contract/episodes/episode-jobs.ts";
import { isLockedKind } from "../../domain/episodes/asset-kind.ts";
import { isMadeFrom } from "../../domain/episodes/derived-files.ts";
import { countDrafts } from "../../domain/episodes/first-drafts.ts";
import type { Instant } from "../../domain/values/instant.ts";
import type { Job } from "../../ports/flow.ts";
import { draftKind } from "./episode-kinds.ts";
import { loadMaterial, notesSource } from "./episode-material.ts";
import {
  type AssetRequest,
  assetJob,
  assetStanding,
  type Workspace,
  workspaceId,
} from "./freeze-asset.ts";
import { loadCandidates } from "./load-episode.ts";
import { sha256Digest, textKey } from "./sha256.ts";

export interface PlannedDrafts {
  readonly jobs: readonly Job[];
  readonly assetIds: readonly string[];
  /** Assets that are left alone, and why. */
  readonly skipped: readonly { readonly assetId: string; readonly why: "drafted" | "locked" }[];
  /** There is no summary, and texts are written from the beginning of the transcript alone. */
  readonly isBeginningOnly: boolean;
}

/**
 * Freezes first drafts of these assets. An asset that has as many drafts of the present summary is left alone
 * unless new ones are asked for, and so is a locked text.
 */
export async function planDrafts(
  workspace: Workspace,
  requests: readonly (AssetRequest & { readonly candidates: number })[],
  how: { readonly at: Instant; readonly anew: boolean },
): Promise<PlannedDrafts> {
  const material = await loadMaterial(workspace);
  const id = workspaceId(workspace, material);
  const jobs: Job[] = [];
  const assetIds: string[] = [];
  const skipped: { assetId: string; why: "drafted" | "locked" }[] = [];
  for (const request of requests) {
    const { assetId, candidates } = request;
    const standing = await assetStanding(workspace.folder, assetId, material.state);
    if (isLockedKind(assetId) && standing.isTextLocked) {
      skipped.push({ assetId, why: "locked" });
      continue;
    }
    const found = await loadCandidates(workspace.folder, assetId);
    const sources = [...material.sources, notesSource(material.settings, assetId)];
    const drafted = found.filter(({ provenance }) =>
      isMadeFrom(provenance, material.mainSource, sources),
    );
    if (!how.anew && countDrafts(drafted) >= candidates) {
      skipped.push({ assetId, why: "drafted" });
      continue;
    }
    const input = await assetJob(workspace, material, {
      standing,
      request: { ...request, maxIterations: 1 },
      previous: [],
      closes: false,
    });
    const { seedText: _, edited: __, ...draft } = input.draft;
    const asked = sha256Digest([material.brief, request.writer, String(candidates)].join("\n"));
    jobs.push({
      id: `${draftKind}/${id}/${assetId}/${standing.generation}/${asked.slice(0, 16)}`,
      kind: draftKind,
      input: encodeAssetJob({
        ...input,
        draft,
        known: found.map(({ content }) => textKey(content)),
      }),
      settings: {},
      createdAt: how.at,
    });
    assetIds.push(assetId);
  }
  return { jobs, assetIds, skipped, isBeginningOnly: material.isBeginningOnly };
}
