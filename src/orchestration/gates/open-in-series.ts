import type { GateReviewRow } from "../../ports/review-repos.ts";
import type { NotesTools } from "./notes-tools.ts";
import type { TargetPair } from "./target-pair.ts";

/** The pairs of a series that need another answer. */
export async function openInSeries(
  tools: NotesTools,
  pairs: readonly TargetPair[],
  size: number,
): Promise<readonly TargetPair[]> {
  const answers = new SeriesAnswers(tools);
  const open: TargetPair[] = [];
  for (const pair of pairs) {
    const isDone = pair.gate.kind === "rule" ? pair.state.kind === "fresh" : hasVote(pair);
    if (!isDone && (pair.gate.kind === "rule" || (await answers.of(pair)).length < size))
      open.push(pair);
  }
  return open;
}

export function hasVote({ state, accepted }: TargetPair): boolean {
  return state.kind === "fresh" && accepted?.kind === "vote";
}

/** What a model has answered about the present versions of a pair, oldest first. */
export class SeriesAnswers {
  readonly #tools: NotesTools;
  #note: { readonly path: string; readonly rows: readonly GateReviewRow[] } = {
    path: "",
    rows: [],
  };

  constructor(tools: NotesTools) {
    this.#tools = tools;
  }

  async of({ note, gate, model }: TargetPair): Promise<readonly GateReviewRow[]> {
    if (this.#note.path !== note.path) {
      const { store } = this.#tools;
      const rows = await store?.read(({ reviews }) => reviews.gateReviews.ofNote(note.path));
      this.#note = { path: note.path, rows: rows ?? [] };
    }
    return this.#note.rows.filter(
      (row) =>
        row.gateId === gate.id &&
        row.model === model &&
        row.noteBlob === note.blobSha &&
        row.gateBlob === gate.blobSha,
    );
  }
}
