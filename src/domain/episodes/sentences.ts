/**
 * Whether a word closes a sentence: `.`, `!`, `?` or `…`, then any number of closing quotes and brackets. This
 * is the chunker's rule; it looks at one word only.
 */
export function endsSentence(word: string): boolean {
  return /[.!?…]["'”’»«“‘)\]}*_]*$/u.test(word);
}

/**
 * Sentences of running text, for people to read: as above, but not after an abbreviation, an initial or an
 * ordinal, and only where the next word can begin a sentence.
 */
export function splitSentences(text: string): readonly string[] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const sentences: string[] = [];
  let open: string[] = [];
  for (const [index, word] of words.entries()) {
    open.push(word);
    const next = words[index + 1];
    if (next === undefined || (endsSentence(word) && !isShortened(word) && canBegin(next))) {
      sentences.push(open.join(" "));
      open = [];
    }
  }
  return sentences;
}

const shortened = new Set(
  "mr mrs ms dr prof st vs etc e.g i.e approx no inc jr sr z.b d.h u.a bzw usw ca nr evtl ggf vgl u.s.w bspw sog inkl".split(
    " ",
  ),
);

function isShortened(word: string): boolean {
  if (!word.endsWith(".")) return false;
  const bare = word.slice(0, -1).replace(/^[("'„“«[]+/u, "");
  return shortened.has(bare.toLowerCase()) || /^(\p{Lu}|\d{1,2})$/u.test(bare);
}

function canBegin(word: string): boolean {
  return /^["'„“”‘«»(¿¡[]*[\p{Lu}\p{Lo}\p{N}]/u.test(word);
}
