// V8 keeps a source with letters beyond Latin-1 in two bytes a letter and takes longer to load it; a `…` in a message is
// enough. In ours they stand in texts and patterns alone, where an escape means the same.
const beyondAscii = /[^\0-\x7f]/g;
/** Would show the escape itself. */
const rawText = /String\.raw`[^`]*[^\0-\x7f]/;

export const asciiOnly = {
  name: "ascii-only",
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (rawText.test(chunk.code)) this.error(`${chunk.fileName}: raw text beyond ASCII`);
      chunk.code = chunk.code.replace(beyondAscii, escaped);
    }
  },
};

/** Each half of a pair for itself, as the language has it. */
function escaped(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
