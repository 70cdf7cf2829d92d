import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import type { Job } from "../../ports/flow.ts";
import type { UnsignedLoop } from "../../ports/repos.ts";
import { everyPage } from "../runs/every-page.ts";
import { reviewKind } from "./episode-kinds.ts";
import type { EpisodeProject } from "./episode-project.ts";
import { sha256Digest } from "./sha256.ts";

/** The text that a loop is about. */
export interface LoopAsset {
  /** Names the workspace in addresses, which must not contain paths. */
  readonly episode: string;
  readonly workspace: string;
  readonly assetId: string;
}

/** Undefined for any other job than a loop of an episode. */
export function assetOfLoop({ kind, input }: Job): LoopAsset | undefined {
  if (kind !== reviewKind) return undefined;
  const { workspace, draft } = input as unknown as {
    readonly workspace: string;
    readonly draft: { readonly asset_id: string };
  };
  return { episode: episodeAddress(workspace), workspace, assetId: draft.asset_id };
}

export function episodeAddress(workspace: string): string {
  return sha256Digest(workspace).slice(0, 16);
}

const pageSize = 500;

/** Loops of this text, of any generation, that ended without approval and wait in the inbox. */
export async function unsignedLoopsOf(
  { store }: Pick<EpisodeProject, "store">,
  asset: Pick<LoopAsset, "workspace" | "assetId">,
): Promise<readonly RunId[]> {
  const loops = everyPage<UnsignedLoop>(pageSize, (last) => {
    const after = last && { since: last.since, id: last.run };
    return store.read(({ inbox }) => inbox.unsigned({ limit: pageSize, ...defined({ after }) }));
  });
  const found: RunId[] = [];
  for await (const { run } of loops) {
    const record = await store.runs.load(run);
    const own = record && assetOfLoop(record.job);
    if (own?.workspace === asset.workspace && own.assetId === asset.assetId) found.push(run);
  }
  return found;
}
