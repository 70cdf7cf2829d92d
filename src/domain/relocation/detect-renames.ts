import type { NotePathMove } from "./plan-moves.ts";

/** A file known by its content. */
export interface KnownFile {
  readonly path: string;
  readonly blobSha: string;
}

/**
 * Files that vanished and appeared with the same content, moved by other means than ours. A content that
 * vanished or appeared more than once is left alone: which went where would be a guess.
 */
export function detectRenames(
  vanished: readonly KnownFile[],
  appeared: readonly KnownFile[],
): readonly NotePathMove[] {
  const gone = Map.groupBy(vanished, ({ blobSha }) => blobSha);
  const fresh = Map.groupBy(appeared, ({ blobSha }) => blobSha);
  const moves: NotePathMove[] = [];
  for (const [blob, from] of gone) {
    const to = fresh.get(blob) ?? [];
    const [oldPath, newPath] = [from[0]?.path, to[0]?.path];
    if (from.length === 1 && to.length === 1 && oldPath !== undefined && newPath !== undefined)
      moves.push({ oldPath, newPath });
  }
  return moves.sort((a, b) => (a.oldPath < b.oldPath ? -1 : 1));
}
