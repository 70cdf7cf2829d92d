import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * The nearest folder upward that has `signoff.yaml` or `.signoff/`, never above the git top level and never
 * the home folder itself; else the folder started from.
 */
export function findProjectRoot(from: string, home: string | undefined): string {
  const start = resolve(from);
  const homePath = home === undefined ? undefined : realPath(home);
  for (let folder = start; ; folder = dirname(folder)) {
    if (realPath(folder) === homePath) break;
    if (existsSync(join(folder, "signoff.yaml")) || existsSync(join(folder, ".signoff"))) {
      return folder;
    }
    if (existsSync(join(folder, ".git")) || dirname(folder) === folder) break;
  }
  return start;
}

export function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}
