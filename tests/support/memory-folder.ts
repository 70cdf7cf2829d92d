import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const enough = 4 * 1024 ** 3;

/**
 * A folder in memory for everything the tests write, removed when they end; undefined where there is none, little room
 * in it, or no program can be started from it. On a disk the tests wait half of their time for it.
 */
export function memoryFolder(place = "/dev/shm"): string | undefined {
  let folder: string | undefined;
  try {
    const { bavail, bsize } = statfsSync(place);
    if (bavail * bsize < enough) return undefined;
    folder = mkdtempSync(join(place, "signoff-"));
    // PostgreSQL runs as another user, whose folder is below it.
    chmodSync(folder, 0o711);
  } catch {
    return undefined;
  }
  const made = folder;
  process.on("exit", () => rmSync(made, { recursive: true, force: true }));
  const script = join(made, "can-start");
  writeFileSync(script, "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  return spawnSync(script).status === 0 ? made : undefined;
}
