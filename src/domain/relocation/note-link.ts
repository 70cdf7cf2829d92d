/**
 * A link, image or link definition of a note, outside code; `wiki` is one between double brackets. `start` and `end` are the offsets of the destination
 * as it is written, so that rewriting a link touches nothing else.
 */
export interface NoteLink {
  readonly kind: "link" | "image" | "definition" | "html" | "wiki";
  /** The destination as written, without angle brackets. */
  readonly destination: string;
  readonly start: number;
  readonly end: number;
  readonly inAngleBrackets: boolean;
  readonly text: string;
  readonly line: number;
}
