import { lazily } from "../../domain/values/lazily.ts";

/**
 * Makes untrusted text safe to print: nothing in the result moves the cursor, changes the terminal, reorders
 * or hides the text around it. Of the control characters only newline and tab remain; invisible characters that could
 * carry a hidden message are shown by their number.
 */
export function stripControl(text: string): string {
  if (isSimple(text)) return text;
  return text
    .replace(lineEnds, "\n")
    .replace(escapeSequences, "")
    .replace(/(?![\n\t])\p{Control}/gu, "")
    .replace(/\p{Surrogate}/gu, "\uFFFD")
    .replace(/^\uFEFF/u, "")
    .replace(hidden(), shown)
    .replace(/(?<=\p{Mark}{8})\p{Mark}/gu, "");
}

/** For places that have one line only, such as tables and headings. */
export function stripToLine(text: string): string {
  return stripControl(text)
    .replace(/\s/g, " ")
    .replace(/(?<= ) /g, "")
    .trim();
}

/**
 * Letters and punctuation of western text: nothing to strip, one column each, and no combining characters. Listed by
 * code point, because the first use of the Unicode tables takes 10 ms.
 */
export function isSimple(text: string): boolean {
  return !/[^\n\t\x20-\x7E\xA0-\xAC\xAE-\u02FF\u2010-\u2027\u2030-\u205E]/.test(text);
}

const lineEnds = /\r\n|[\r\v\f\x85\u2028\u2029]/g;

/**
 * Well-formed sequences are removed as a whole, as a terminal would consume them. Strings (OSC, DCS and the like) only if
 * they end soon and hold no control character: an unfinished one must not hide the text after it. Bounded
 * repetition and no control character in any class keep this linear, and off the stack, on hostile input.
 */
const escapeSequences = new RegExp(
  [
    "(?:\\x1B\\[|\\x9B)[0-?]{0,64}[ -/]{0,8}[@-~]",
    "(?:\\x1B[\\]PX^_]|[\\x90\\x98\\x9D-\\x9F])[^\\x00-\\x1F\\x7F-\\x9F]{0,4096}(?:\\x07|\\x1B\\\\|\\x9C)",
    "\\x1B[ -/]{0,8}[0-~]",
  ].join("|"),
  "g",
);

/** Joiners are legitimate between letters of scripts that need them, and inside emoji. */
const joinableLetter =
  "(?![\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}])[\\p{Letter}\\p{Mark}]";

const hidden = lazily(
  () =>
    new RegExp(
      [
        "(?<=(?![0-9#*])[\\p{Emoji}\\p{Script=Han}])[\\uFE00-\\uFE0F](?!\\p{Default_Ignorable_Code_Point})",
        "(?<=[0-9#*])\\uFE0F(?=\\u20E3)",
        "(?<=(?![0-9#*])\\p{Emoji})\\uFE0F(?=\\u200D\\p{Extended_Pictographic})",
        "(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})",
        `(?<=${joinableLetter})[\\u200C\\u200D](?=${joinableLetter})(?!\\p{Default_Ignorable_Code_Point})`,
        "(?<secret>[\\p{Default_Ignorable_Code_Point}\\uFFF9-\\uFFFB]{1,1000})",
      ].join("|"),
      "gu",
    ),
);

function shown(match: string, ...rest: readonly unknown[]): string {
  const { secret } = rest.at(-1) as { readonly secret?: string };
  if (secret === undefined) return match;
  const characters = [...secret];
  if (characters.length > 1) return `⟨${characters.length} hidden characters⟩`;
  return `⟨U+${(match.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
