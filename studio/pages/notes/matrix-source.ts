/** How a note stands to a gate. */
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
}
