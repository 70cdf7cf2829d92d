import { realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * The nearest folder upward that has `signoff.yaml` or `.signoff/`, never above the git top level and never
 * the home folder itself; else the folder started from. What another user has put above, as in a folder that all may
 * write to, makes no project: its settings say where texts are sent.
 */
export function findProjectRoot(from: string, home: string | undefined): string {
  const start = resolve(from);
  const homePath = home === undefined ? undefined : realPath(home);
  const trusted = new Set([process.getuid?.(), 0, ownerOf(start)]);
  for (let folder = start; ; folder = dirname(folder)) {
    if (realPath(folder) === homePath) break;
    const owners = ["signoff.yaml", ".signoff"].map((name) => ownerOf(join(folder, name)));
    const found = owners.filter((owner) => owner !== undefined);
    if (found.length > 0) {
      return folder === start || found.every((owner) => trusted.has(owner)) ? folder : start;
    }
    if (ownerOf(join(folder, ".git")) !== undefined || dirname(folder) === folder) break;
  }
  return start;
}

/** `undefined` where there is nothing. */
function ownerOf(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.uid;
  } catch {
    return undefined;
  }
}

export function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}
