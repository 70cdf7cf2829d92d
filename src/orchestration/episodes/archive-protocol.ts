import { layout } from "../../domain/episodes/layout.ts";
import type { LoopLedger } from "../../domain/episodes/loop-ledger.ts";
import type { EpisodeFolder } from "../../ports/episode-folder.ts";
import { ledgerFile } from "./episode-files.ts";
import { loadLedger } from "./load-episode.ts";

/** The asset's protocol generation, from 1: from the ledger, else from the existing archives. */
export async function protocolGeneration(folder: EpisodeFolder, assetId: string): Promise<number> {
  const ledger = await loadLedger(folder, assetId);
  if (ledger !== undefined) return ledger.generation;
  const archives = await folder.list(`${layout.protocol(assetId)}/archive`);
  return Math.max(0, ...archives.filter((name) => /^\d+$/.test(name)).map(Number)) + 1;
}

/**
 * Archives the protocol of an asset with its reviews and starts the next one with the given ledger. The state is moved
 * first and the new ledger written last, so an interruption never shows an old decision beside a new loop, and
 * repeating it finishes the job. An archive is never overwritten.
 */
export async function archiveProtocol(folder: EpisodeFolder, next: LoopLedger): Promise<void> {
  const { assetId } = next;
  const from = layout.protocol(assetId);
  const to = layout.archive(assetId, next.generation - 1);
  const names = (await folder.list(from)).filter((name) => name !== "archive");
  for (const name of [...names].sort((left, right) => rank(left) - rank(right))) {
    if (name !== "ledger.json") await folder.move(`${from}/${name}`, `${to}/${name}`);
  }
  for (const name of await folder.list(layout.reviews(assetId))) {
    await folder.move(`${layout.reviews(assetId)}/${name}`, `${to}/reviews/${name}`);
  }
  if (names.includes("ledger.json")) {
    await folder.move(layout.ledger(assetId), `${to}/ledger.json`);
  }
  await folder.write([ledgerFile(next)]);
}

function rank(name: string): number {
  return name === "state.json" ? 0 : 1;
}
