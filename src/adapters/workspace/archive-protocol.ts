import { access, mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { InvalidEpisodeFile } from "../../contract/episodes/invalid-episode-file.ts";
import { renderLedgerFile } from "../../contract/episodes/ledger-file.ts";
import { layout } from "../../domain/episodes/layout.ts";
import type { LoopLedger } from "../../domain/episodes/loop-ledger.ts";
import { syncFolder } from "./atomic-files.ts";
import { confinedPath } from "./confined-path.ts";
import { type EpisodeFolder, listEpisodeFolder, writeEpisodeFiles } from "./episode-folder.ts";
import { loadLedger } from "./load-episode.ts";

/** Which life of its protocol an asset is in, from 1; told by the ledger, else by the archives there are. */
export async function protocolGeneration(folder: EpisodeFolder, assetId: string): Promise<number> {
  const ledger = await loadLedger(folder, assetId);
  if (ledger !== undefined) return ledger.generation;
  const archives = await listEpisodeFolder(folder, `${layout.protocol(assetId)}/archive`);
  return Math.max(0, ...archives.filter((name) => /^\d+$/.test(name)).map(Number)) + 1;
}

/**
 * Puts the whole protocol of an asset aside and begins the next one with the given ledger. The state goes
 * first and the new ledger comes last, so a stop on the way never shows an old decision beside a new loop, and
 * doing it again finishes it. Nothing that is archived is ever overwritten.
 */
export async function archiveProtocol(folder: EpisodeFolder, next: LoopLedger): Promise<void> {
  const { assetId } = next;
  const from = layout.protocol(assetId);
  const to = layout.archive(assetId, next.generation - 1);
  const names = (await listEpisodeFolder(folder, from)).filter((name) => name !== "archive");
  const order = [...names].sort((left, right) => rank(left) - rank(right));
  await mkdir(await confinedPath(folder.root, to), { recursive: true });
  for (const name of order) {
    const target = await confinedPath(folder.root, `${to}/${name}`);
    if (
      await access(target).then(
        () => true,
        () => false,
      )
    ) {
      throw new InvalidEpisodeFile({
        file: `${to}/${name}`,
        rule: "archive-is-final",
        message: "is already there and must not be overwritten",
      });
    }
    await rename(join(await confinedPath(folder.root, from), name), target);
    folder.crashPoints?.reach("protocol-file-archived");
  }
  await syncFolder(await confinedPath(folder.root, to));
  await writeEpisodeFiles(folder, [
    { path: layout.ledger(assetId), content: renderLedgerFile(next) },
  ]);
}

function rank(name: string): number {
  if (name === "state.json") return 0;
  return name === "ledger.json" ? 2 : 1;
}
