import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { unlessMissing } from "../../domain/values/unless-missing.ts";
import type { Listing, SkippedFile } from "./git-tree.ts";

/** The files below some folders, without git. Links are listed as skipped, never followed. */
export async function listWithoutGit(root: string, folders: readonly string[]): Promise<Listing> {
  const files: { readonly path: string }[] = [];
  const skipped: SkippedFile[] = [];
  const waiting = folders.map((folder) => (folder === "." ? "" : folder));
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of await entriesOf(join(root, folder))) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      const reason = whySkipped(entry);
      if (reason !== undefined) skipped.push({ path, reason });
      else if (entry.isFile()) files.push({ path });
      else if (!ignored.has(entry.name)) waiting.push(path);
    }
  }
  return { files, skipped };
}

function whySkipped(entry: Dirent): SkippedFile["reason"] | undefined {
  if (entry.isSymbolicLink()) return "symlink";
  if (entry.name.includes("\uFFFD")) return "name-not-utf-8";
  return entry.isFile() || entry.isDirectory() ? undefined : "not-a-file";
}

const ignored = new Set([".git", ".signoff", "node_modules"]);

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return (await unlessMissing(readdir(folder, { withFileTypes: true }))) ?? [];
}
