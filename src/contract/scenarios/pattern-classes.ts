const WORD = "\\p{L}\\p{N}_";
const DIGIT = "\\p{Nd}";
const SPACE =
  "\\t\\n\\x{0B}\\f\\r\\x{1C}-\\x{20}\\x{85}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}";

/** One character or set, as it is written inside brackets. */
export interface ClassItem {
  readonly set: string;
  readonly negated: boolean;
  /** One character, which may begin or end a range. */
  readonly single: boolean;
  /** Characters of the pattern it takes. */
  readonly length: number;
}

const SETS: { readonly [letter: string]: readonly [set: string, negated: boolean] | undefined } = {
  w: [WORD, false],
  W: [WORD, true],
  d: [DIGIT, false],
  D: [DIGIT, true],
  s: [SPACE, false],
  S: [SPACE, true],
};

const CONTROLS: { readonly [letter: string]: string | undefined } = {
  a: "\\x{07}",
  f: "\\f",
  n: "\\n",
  r: "\\r",
  t: "\\t",
  v: "\\x{0B}",
};

const CODE = /^\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|0([0-7]{0,2}))/;

/** Reads the character or escape at a position; undefined for an escape that Python or the engine does not know. */
export function classItem(text: string, at: number): ClassItem | undefined {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (character !== "\\") return single(escapeLiteral(character), character.length);
  const letter = String.fromCodePoint(text.codePointAt(at + 1) ?? 0);
  const set = SETS[letter];
  if (set !== undefined) return { set: set[0], negated: set[1], single: false, length: 2 };
  const control = CONTROLS[letter];
  if (control !== undefined) return single(control, 2);
  return codeItem(text.slice(at)) ?? signItem(letter, at + 1 >= text.length);
}

function codeItem(rest: string): ClassItem | undefined {
  const code = CODE.exec(rest);
  if (code === null) return undefined;
  const [whole, two, four, eight, octal = ""] = code;
  const hex = two ?? four ?? eight;
  const value = hex === undefined ? Number.parseInt(`0${octal}`, 8) : Number.parseInt(hex, 16);
  return value > 0x10ffff ? undefined : single(`\\x{${value.toString(16)}}`, whole.length);
}

function signItem(letter: string, atEnd: boolean): ClassItem | undefined {
  return atEnd || /[A-Za-z0-9]/.test(letter)
    ? undefined
    : single(escapeLiteral(letter), 1 + letter.length);
}

/** Every ASCII sign is escaped, in and out of brackets; letters are literal. */
export function escapeLiteral(character: string): string {
  return /^[!-/:-@[-`{-~]$/.test(character) && character !== "_" ? `\\${character}` : character;
}

function single(set: string, length: number): ClassItem {
  return { set, negated: false, single: true, length };
}
