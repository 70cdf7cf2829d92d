import { findWrittenLinks } from "../../contract/documents/written-links.ts";
import {
  applyRewrites,
  movedPath,
  type NotePathMove,
  planMoves,
} from "../../domain/relocation/plan-moves.ts";
import { appendAcks, planAppends } from "./acknowledge.ts";
import { earlierTexts, reviewBehind } from "./filed-verdicts.ts";
import { listTree } from "./list-tree.ts";
import type { WritingTools } from "./notes-tools.ts";
import { noteTextOf } from "./plan-work.ts";
import type { TargetPair } from "./target-pair.ts";

interface Relocated {
  readonly moves: readonly NotePathMove[];
  /** Where the note was before them. */
  readonly path: string;
}

/**
 * Acknowledges stale pairs whose note is the accepted text with the links of moves rewritten: those of `moves`, or
 * those made since the review was asked for. Decided from the texts alone, so repeating it gives the same answer.
 */
export async function acknowledgeRewritten(
  tools: WritingTools,
  stale: readonly TargetPair[],
  how: { readonly by: string; readonly moves?: readonly NotePathMove[] },
): Promise<ReadonlySet<TargetPair>> {
  const { by, moves } = how;
  const last = await tools.store.read(({ reviews }) => reviews.notePaths.lastMove());
  const changed = stale.filter(
    ({ state }) => last > 0 && state.kind === "stale" && state.reason === "note-changed",
  );
  const texts = await earlierTexts(
    tools,
    changed.flatMap(({ accepted }) => accepted?.noteBlob ?? []),
  );
  const pairs: TargetPair[] = [];
  const paths = changed.length === 0 ? [] : (await listTree(tools)).notes.map(({ path }) => path);
  for (const pair of changed) {
    const before = texts.get(pair.accepted?.noteBlob ?? "");
    const made = moves === undefined ? await sinceReview(tools, pair) : sinceMoves(pair, moves);
    if (before === undefined || made === undefined) continue;
    if (noteTextOf(tools, pair.note.path) === rewritten(before, made, paths)) pairs.push(pair);
  }
  const reason = "only link destinations were rewritten by a move";
  const acks = planAppends(tools, pairs, { kind: "relocation-ack", reason, by });
  if (acks.length > 0) await tools.store.transaction(({ reviews }) => appendAcks(reviews, acks));
  return new Set(pairs);
}

function sinceMoves({ note }: TargetPair, moves: readonly NotePathMove[]): Relocated {
  const own = moves.find(({ newPath }) => newPath === note.path);
  return { moves, path: own?.oldPath ?? note.path };
}

async function sinceReview(
  { store }: WritingTools,
  { note, gate, model, accepted }: TargetPair,
): Promise<Relocated | undefined> {
  if (accepted?.from !== "store" || accepted.kind !== "full-review") return undefined;
  return store.read(async ({ reviews }) => {
    const rows = await reviews.gateReviews.ofNote(note.path);
    const review = reviewBehind(rows, { gateId: gate.id, model }, accepted);
    if (review === undefined || review.noteBlob !== accepted.noteBlob) return undefined;
    const asked = await reviews.runGates.of(review.run);
    const own = asked.find(({ notePath }) => notePath === note.path);
    const made = await reviews.notePaths.movesSince(review.run);
    const moves = [...new Set(made.map(({ oldPath }) => oldPath))].map((oldPath) => ({
      ...{ oldPath, newPath: movedPath(oldPath, made) },
    }));
    return { moves, path: own?.askedPath ?? note.path };
  });
}

function rewritten(text: string, { moves, path }: Relocated, present: readonly string[]): string {
  const notes = [{ path, links: findWrittenLinks(text) }];
  const origins = new Map(moves.map(({ oldPath, newPath }) => [newPath, oldPath]));
  const paths = present.map((now) => origins.get(now) ?? now);
  const { edits } = planMoves({ moves, notes, paths, exists: () => true });
  return applyRewrites(text, edits[0]?.rewrites ?? []);
}
