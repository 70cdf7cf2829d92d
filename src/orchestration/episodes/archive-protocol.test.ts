import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openEpisodeFolder } from "../../adapters/workspace/episode-folder.ts";
import type { LoopLedger } from "../../domain/episodes/loop-ledger.ts";
import { instant } from "../../domain/values/instant.ts";
import type { EpisodeFolder } from "../../ports/episode-folder.ts";
import { archiveProtocol, protocolGeneration } from "./archive-protocol.ts";
import { loadLedger, loadProtocol } from "./load-episode.ts";

const original = join(import.meta.dirname, "../../contract/episodes/fixtures/bread-042");
const files = [
  "iteration_02.json",
  "iteration_05.creator.json",
  "iteration_05.json",
  "reviews",
  "state.json",
];
let home: string;
let folder: EpisodeFolder;
beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "archive-")));
  cpSync(original, join(home, "bread"), { recursive: true });
  folder = await openEpisodeFolder(join(home, "bread"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function ledger(generation: number): LoopLedger {
  const act = {
    kind: "restart",
    by: "Ada",
    at: instant("2026-03-01T10:00:00Z"),
    reason: "new facts",
  } as const;
  return { assetId: "description", generation, iterations: [], issues: [], acts: [act] };
}

test("a restart keeps the old protocol, file by file, and begins anew", async () => {
  expect(await protocolGeneration(folder, "description")).toBe(1);
  await archiveProtocol(folder, ledger(2));
  expect(await folder.list("copy/protocol/description/archive/1")).toEqual(files);
  expect(await folder.list("copy/protocol/description")).toEqual(["archive", "ledger.json"]);
  expect(await loadProtocol(folder, "description")).toBeUndefined();
  expect((await loadLedger(folder, "description"))?.acts).toMatchObject([
    { by: "Ada", reason: "new facts" },
  ]);
  await archiveProtocol(folder, ledger(3));
  expect(await folder.list("copy/protocol/description/archive")).toEqual(["1", "2"]);
  expect(await protocolGeneration(folder, "description")).toBe(3);
});

test("stopped after any file, the same restart finishes it", async () => {
  for (let stopAt = 1; stopAt <= files.length; stopAt += 1) {
    cpSync(original, join(home, `bread-${stopAt}`), { recursive: true });
    let moved = 0;
    const stopping = await openEpisodeFolder(join(home, `bread-${stopAt}`), {
      reach: () => {
        moved += 1;
        if (moved === stopAt) throw new Error("stopped");
      },
    });
    await expect(archiveProtocol(stopping, ledger(2))).rejects.toThrow("stopped");
    expect(await loadProtocol(stopping, "description")).toBeUndefined();
    const again = await openEpisodeFolder(stopping.root);
    await archiveProtocol(again, ledger(2));
    expect(await again.list("copy/protocol/description/archive/1")).toEqual(files);
  }
});

test("what is archived is never overwritten", async () => {
  await archiveProtocol(folder, ledger(2));
  writeFileSync(join(folder.root, "copy/protocol/description/state.json"), "{}");
  await expect(archiveProtocol(folder, ledger(2))).rejects.toThrow(
    /archive\/1\/state\.json: already exists/,
  );
});
