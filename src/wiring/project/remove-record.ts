import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { RunId } from "../../domain/values/ids.ts";

/** Removes the readable record of a run that is no longer in the store. */
export async function removeRecord(root: string, run: RunId): Promise<void> {
  await rm(join(root, ".signoff", "runs", run), { recursive: true, force: true });
}
