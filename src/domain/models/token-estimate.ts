/** How many tokens a text may be, before they are counted. */
export interface TokenEstimate {
  readonly fewest: number;
  readonly most: number;
}

/** A token is three to five bytes of prose in the languages and tokenizers seen so far. */
export function estimateTokens(bytes: number): TokenEstimate {
  return { fewest: Math.ceil(bytes / 5), most: Math.ceil(bytes / 3) };
}

/** Length in UTF-8; a lone surrogate is sent as the replacement character and counts as such. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4;
  }
  return bytes;
}
