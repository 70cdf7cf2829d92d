import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, test } from "vitest";
import { expectAnyOrderToBeSafe } from "../../../../tests/support/interleaved-story.ts";
import { openStore } from "../../persistence/sqlite/open-store.ts";

test("whatever several processes do in whatever order, nothing is paid twice, lost, stuck or refused without reason", async () => {
  const folder = await mkdtemp(join(tmpdir(), "signoff-interleavings-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  let stores = 0;
  await expectAnyOrderToBeSafe(40, async () => {
    stores += 1;
    const path = join(folder, `${stores}.db`);
    return () => openStore({ path, mode: "write" });
  });
});
