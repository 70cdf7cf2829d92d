/** A part of a text that is shown in one way. */
export interface Piece {
  readonly kind: "added" | "removed" | "marked" | "same";
  readonly text: string;
  readonly at: number;
}

/** A paragraph, or a part of a long one, that is laid out by itself. */
export interface TextBlock {
  readonly at: number;
  readonly length: number;
  readonly pieces: readonly Piece[];
}

/** A paragraph may be a whole text: what is longer is laid out in several blocks. */
const mostCharacters = 4_000;
const mostPieces = 300;
const shortParts = /.{1,4000}(?=\s|$)|.{1,4000}/gsu;

/** The pieces of a text by paragraph. */
export function blocksOf(pieces: readonly Omit<Piece, "at">[]): readonly TextBlock[] {
  const blocks: TextBlock[] = [];
  let open: Piece[] = [];
  let length = 0;
  const close = (): void => {
    if (open.length > 0) blocks.push({ at: blocks.length, length, pieces: open });
    open = [];
    length = 0;
  };
  for (const { kind, text } of pieces) {
    for (const paragraph of paragraphsOf(text)) {
      for (const part of paragraph.match(shortParts) ?? []) {
        if (length + part.length > mostCharacters || open.length >= mostPieces) close();
        open.push({ kind, text: part, at: open.length });
        length += part.length;
      }
      if (/\n\s*\n$/u.test(paragraph)) close();
    }
  }
  close();
  return blocks;
}

/** With the empty lines after each. */
export function paragraphsOf(text: string): readonly string[] {
  return text.split(/(?<=\n\s*\n)(?=\S)/u);
}
