import { emptyLedger, type LoopAct, type LoopLedger } from "../../domain/episodes/loop-ledger.ts";
import type { RunId } from "../../domain/values/ids.ts";
import type { Instant } from "../../domain/values/instant.ts";
import type { EpisodeProject } from "./episode-project.ts";
import type { AssetStanding } from "./freeze-asset.ts";

/** Who rules, when and why. */
export interface AssetRuling {
  readonly by: string;
  readonly at: Instant;
  readonly reason?: string;
  /** The version the person saw; a later one refuses the act. */
  readonly ifVersion?: string;
}

export function withAct({ ledger, assetId, generation }: AssetStanding, act: LoopAct): LoopLedger {
  const known = ledger ?? emptyLedger(assetId, generation);
  return { ...known, acts: [...known.acts, act] };
}

/** Takes loops out of the inbox that a person has answered by an act. */
export async function settle(
  { store }: Pick<EpisodeProject, "store">,
  loops: readonly RunId[],
): Promise<void> {
  if (loops.length === 0) return;
  await store.transaction(async ({ inbox }) => {
    for (const run of loops) await inbox.settle(run);
  });
}
