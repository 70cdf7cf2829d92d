import { type LockLine, mergeLock, parseLock, renderLock } from "../../contract/gates/lock-file.ts";
import type { ReviewRepos } from "../../ports/review-repos.ts";
import { currentAcceptances } from "./current-acceptances.ts";
import { listTree } from "./list-tree.ts";
import type { WritingTools } from "./notes-tools.ts";

export interface LockWritten {
  readonly path: string;
  readonly lines: number;
  readonly changed: boolean;
  /** Lines of the old file that could not be read. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

/** Held while the lock file is read, changed and renamed, so that concurrent commands keep each other's lines. */
export const lockFileGuard = "lock-file";

/** Updates the lock file from the store. */
export async function writeLock(tools: WritingTools): Promise<LockWritten> {
  const { files, settings, store, exclusively } = tools;
  const { notes, gateFiles } = await listTree(tools);
  const notePaths = new Set(notes.map(({ path }) => path));
  const gatePaths = new Set(gateFiles.map(({ path }) => path));
  return exclusively(lockFileGuard, async () => {
    const known = await store.read(async ({ reviews }) => knownLines(reviews));
    const before = await files.read(settings.lock);
    const { lines: present, problems } = parseLock(before ?? "");
    const merged = mergeLock({
      present,
      known,
      noteExists: (path) => notePaths.has(path),
      gateExists: (id) => gatePaths.has(`${settings.gates}/${id}.md`),
    });
    const after = renderLock(merged);
    const changed = after !== (before ?? "");
    if (changed) await files.write([{ path: settings.lock, content: after }]);
    return { path: settings.lock, lines: merged.length, changed, problems };
  });
}

function knownLines(reviews: ReviewRepos): readonly LockLine[] {
  const lines: LockLine[] = [];
  for (const row of currentAcceptances(reviews))
    lines.push({
      notePath: row.notePath,
      gateId: row.gateId,
      modelId: row.model,
      acceptedNoteSha: row.noteBlob,
      acceptedGateSha: row.gateBlob,
      decision: row.decision,
      kind: row.kind,
      format: row.format,
    });
  return lines;
}
