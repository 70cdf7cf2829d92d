import picocolors from "picocolors";

/** What a piece of text is, not how it looks. */
export type Style =
  | "heading"
  | "strong"
  | "muted"
  | "accent"
  | "good"
  | "bad"
  | "caution"
  | "added"
  | "removed";

/** How styles look. With `isPlain`, renderers use signs instead of colour. */
export interface Palette {
  readonly isPlain: boolean;
  paint(style: Style, text: string): string;
}

export const plainPalette: Palette = {
  isPlain: true,
  paint: (_style, text) => text,
};

const { bold, cyan, dim, green, red, strikethrough, yellow } = picocolors.createColors(true);

const looks: { readonly [style in Style]: (text: string) => string } = {
  heading: (text) => bold(cyan(text)),
  strong: bold,
  muted: dim,
  accent: cyan,
  good: green,
  bad: red,
  caution: yellow,
  added: green,
  removed: (text) => red(strikethrough(text)),
};

export const colourPalette: Palette = {
  isPlain: false,
  paint: (style, text) => looks[style](text),
};

export interface ColourFacts {
  /** The value of `NO_COLOR`, if it is set. */
  readonly noColor?: string;
  /** The value of `FORCE_COLOR`, if it is set. */
  readonly forceColor?: string;
  readonly isTerminal: boolean;
  /** The value of `TERM`, if it is set. */
  readonly term?: string;
}

/** `NO_COLOR` wins over everything; an empty variable counts as unset. */
export function decidePalette(facts: ColourFacts): Palette {
  if (isSet(facts.noColor)) return plainPalette;
  if (isSet(facts.forceColor)) {
    return facts.forceColor === "0" || facts.forceColor === "false" ? plainPalette : colourPalette;
  }
  return facts.isTerminal && facts.term !== "dumb" ? colourPalette : plainPalette;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}
