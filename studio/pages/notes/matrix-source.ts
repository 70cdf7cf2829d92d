/** The state of a note for a gate. */
export type CellState =
  | "pass"
  | "warn"
  | "fail"
  | "stale"
  | "undecided"
  | "not_applicable"
  | "unread";

export interface Cell {
  readonly state: CellState;
  /** Why it is stale, or what else a person would ask. */
  readonly reason?: string;
}

/**
 * What the matrix shows, without saying where it comes from. Cells are asked for by place while they are on the
 * screen, so a source may keep ten thousand rows in any form it likes.
 */
export interface MatrixSource {
  readonly notes: readonly string[];
  readonly gates: readonly string[];
  cell(note: number, gate: number): Cell;
  /** How many cells of a row or a column are not passed. */
  readonly noteTotals: readonly number[];
  readonly gateTotals: readonly number[];
}

/** The letters of the wire; `n` and `t` are the same for a person who looks for changed notes. */
const letters: { readonly [letter: string]: Cell } = {
  p: { state: "pass" },
  w: { state: "warn" },
  f: { state: "fail" },
  m: { state: "unread" },
  g: { state: "stale", reason: "the gate changed" },
  n: { state: "stale", reason: "the note changed" },
  t: { state: "stale", reason: "the note changed where the gate does not look" },
  u: { state: "undecided" },
  "-": { state: "not_applicable" },
};

export interface MatrixRows {
  readonly gates: readonly string[];
  readonly note_ids: readonly string[];
  readonly notes: readonly string[];
  readonly cells: readonly string[];
}

export interface MatrixFilter {
  readonly folder?: string;
  readonly gate?: string;
  /** A letter of the wire. */
  readonly reason?: string;
  /** Absent: the worst rows first. */
  readonly order?: "path";
}

export interface FilteredMatrix extends MatrixSource {
  readonly noteIds: readonly string[];
  /** How often each letter occurs in what is shown. */
  readonly counts: ReadonlyMap<string, number>;
}

/** The rows and columns that fit: a row stays when one of the shown cells has the reason asked for. */
export function filterMatrix(rows: MatrixRows, filter: MatrixFilter): FilteredMatrix {
  const { folder, gate, reason, order } = filter;
  const columns = rows.gates
    .map((_, at) => at)
    .filter((at) => gate === undefined || isWithin(rows.gates[at] ?? "", gate));
  const shown: number[] = [];
  const counts = new Map<string, number>();
  for (const [at, path] of rows.notes.entries()) {
    if (folder !== undefined && !path.startsWith(`${folder}/`)) continue;
    const row = rows.cells[at] ?? "";
    if (reason !== undefined && !columns.some((column) => row[column] === reason)) continue;
    shown.push(at);
    for (const column of columns) {
      const letter = row[column] ?? "-";
      counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
  }
  const rowOf = (at: number): readonly string[] =>
    columns.map((column) => rows.cells[at]?.[column] ?? "-");
  if (order === undefined) sortWorstFirst(shown, rowOf);
  const isOpen = (letter: string): boolean => letter !== "p" && letter !== "-";
  const gateTotals = columns.map(() => 0);
  const noteTotals = shown.map((at) => {
    let open = 0;
    for (const [column, letter] of rowOf(at).entries()) {
      if (!isOpen(letter)) continue;
      open += 1;
      gateTotals[column] = (gateTotals[column] ?? 0) + 1;
    }
    return open;
  });
  return {
    ...{ noteTotals, gateTotals },
    notes: shown.map((at) => rows.notes[at] ?? ""),
    noteIds: shown.map((at) => rows.note_ids[at] ?? ""),
    gates: columns.map((at) => rows.gates[at] ?? ""),
    counts,
    cell: (note, column) =>
      letters[rows.cells[shown[note] ?? -1]?.[columns[column] ?? -1] ?? "-"] ?? {
        state: "not_applicable",
      },
  };
}

const weights: { readonly [letter: string]: number } = {
  f: 1_000_000,
  w: 10_000,
  n: 100,
  g: 100,
  t: 100,
  u: 100,
  m: 1,
};

/** A failure outweighs any number of warnings, and those any number of stale cells; equals stay in their order. */
function sortWorstFirst(shown: number[], rowOf: (at: number) => readonly string[]): void {
  const badness = new Map(
    shown.map((at) => [at, rowOf(at).reduce((sum, letter) => sum + (weights[letter] ?? 0), 0)]),
  );
  shown.sort((a, b) => (badness.get(b) ?? 0) - (badness.get(a) ?? 0) || a - b);
}

/** Every folder that holds a note, at any depth. */
export function foldersOf(notes: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const path of notes) {
    for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
      folders.add(path.slice(0, at));
    }
  }
  return [...folders].sort();
}

/** A gate itself, or a lens that it belongs to. */
function isWithin(gate: string, asked: string): boolean {
  return gate === asked || gate.startsWith(`${asked}/`);
}
