/**
 * Whether a word closes a sentence: `.`, `!`, `?` or `…`, then any number of closing quotes and brackets. This
 * is the chunker's rule; it looks at one word only.
 */
export function endsSentence(word: string): boolean {
  return /[.!?…]["'”’»«“‘)\]}*_]*$/u.test(word);
}
